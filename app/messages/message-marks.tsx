import { Check, CircleAlert, Clock, MailCheck } from "lucide-react";
import type { Message } from "./messages.ts";

const mark = "inline-flex items-center gap-1.5";

export function AnsweredMark() {
  return (
    <span className={`${mark} rounded-full bg-sage px-2.5 font-medium text-evergreen`}>
      <Check aria-hidden="true" className="size-4" />
      Answered
    </span>
  );
}

/** How far the message got on its way into the owner's mailbox. */
export function DeliveryMark({ status }: Pick<Message, "status">) {
  if (status === "sent") {
    return (
      <span className={mark}>
        <MailCheck aria-hidden="true" className="size-4" />
        E-mailed to you
      </span>
    );
  }
  if (status === "failed") {
    return (
      <span className={`${mark} rounded-full bg-clay-soft px-2.5 font-medium text-danger`}>
        <CircleAlert aria-hidden="true" className="size-4" />
        Not e-mailed
      </span>
    );
  }
  return (
    <span className={mark}>
      <Clock aria-hidden="true" className="size-4" />
      Waiting to be e-mailed
    </span>
  );
}
