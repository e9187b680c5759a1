import { Check, CircleAlert, Clock, MailCheck } from "lucide";
import { Icon } from "../../ui/icon.ts";
import type { Message } from "./messages.ts";

const mark = "inline-flex items-center gap-1.5 rounded-full px-2.5 font-medium";

/** What the owner should know at a glance: answered or not, and a mail that did not come. */
export function MessageMarks({ message }: { message: Pick<Message, "status" | "answered_at"> }) {
  const { status, answered_at } = message;
  if (!answered_at && status === "sent") return null;
  return (
    <span className="mt-2 flex flex-wrap items-center gap-2 text-sm">
      {answered_at && (
        <span className={`${mark} bg-sage text-evergreen`}>
          <Icon drawing={Check} className="size-4" />
          Answered
        </span>
      )}
      {status === "stored" && (
        <span className={`${mark} bg-sand text-muted`}>
          <Icon drawing={Clock} className="size-4" />
          Not e-mailed yet
        </span>
      )}
      {status === "failed" && (
        <span className={`${mark} bg-clay-soft text-danger`}>
          <Icon drawing={CircleAlert} className="size-4" />
          E-mail failed
        </span>
      )}
    </span>
  );
}

/** The usual case stays small: the mail is in the owner's mailbox. */
export function SentMark() {
  return (
    <span title="E-mailed to you" className="self-center">
      <Icon drawing={MailCheck} className="size-4" />
      <span className="sr-only">E-mailed to you</span>
    </span>
  );
}
