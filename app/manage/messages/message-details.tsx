import { Mail, Phone } from "lucide";
import type { ComponentProps } from "react";
import { useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { formatMoment } from "../format-moment.ts";
import { mailUrl, phoneUrl } from "./format-message.ts";
import { MessageActions } from "./message-actions.tsx";
import { MessageNote } from "./message-note.tsx";
import type { Message } from "./messages.ts";

const linkClass =
  "inline-flex min-h-6 items-start gap-2 font-medium underline decoration-clay/60 underline-offset-4 hover:decoration-clay [overflow-wrap:anywhere]";

/** An opened message: its text, links to reply, its state, its note and its buttons. */
export function MessageDetails(props: ComponentProps<typeof MessageActions>) {
  const { message, onChanged } = props;
  const { firm, contact } = useSite();
  const { timeZone } = contact;
  const { email, phone, deleted_at, note } = message;
  return (
    <div className="px-4 pb-6 sm:pr-15 sm:pl-12.5">
      <p className="max-w-prose whitespace-pre-wrap [overflow-wrap:anywhere]">{message.message}</p>
      <address className="mt-5 flex flex-wrap gap-x-6 gap-y-2 text-sm not-italic">
        <a href={mailUrl(email, firm.name)} className={linkClass}>
          <Icon drawing={Mail} className="mt-1 size-4 shrink-0 text-clay" />
          {email}
        </a>
        {phone && <PhoneNumber phone={phone} />}
      </address>
      <ul className="mt-3 flex flex-wrap gap-x-6 text-sm text-muted">
        {(
          [
            ["Received", message.created_at],
            ["Emailed to you", message.sent_at],
            ["Answered", message.answered_at],
            ["Flagged", message.flagged_at],
            ["Deleted", deleted_at],
          ] as const
        ).map(
          ([event, time]) =>
            time && (
              <li key={event}>
                {event} {formatMoment(time, timeZone)}
              </li>
            ),
        )}
      </ul>
      <DeliveryProblem message={message} />
      {!deleted_at && <MessageNote message={message} onChanged={onChanged} />}
      {deleted_at && note && (
        <p className="mt-4 max-w-prose text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
          <span className="font-semibold">Note: </span>
          {note}
        </p>
      )}
      <MessageActions {...props} />
    </div>
  );
}

function PhoneNumber({ phone }: { phone: string }) {
  const url = phoneUrl(phone);
  const content = (
    <>
      <Icon drawing={Phone} className="mt-1 size-4 shrink-0 text-clay" />
      {phone}
    </>
  );
  if (url) {
    return (
      <a href={url} className={linkClass}>
        {content}
      </a>
    );
  }
  return (
    <span className="inline-flex min-h-6 items-start gap-2 [overflow-wrap:anywhere]">
      {content}
    </span>
  );
}

/** Why the message was not emailed to the owner, and when it is retried. */
function DeliveryProblem({ message }: { message: Message }) {
  const { timeZone } = useSite().contact;
  const { status, last_error, next_attempt_at, deleted_at } = message;
  // A deleted message is not mailed.
  if (status === "sent" || (status === "stored" && (!last_error || deleted_at))) return null;
  return (
    <p className="mt-4 max-w-prose rounded-md bg-clay-soft p-3 text-sm [overflow-wrap:anywhere]">
      <span className="font-medium text-danger">
        {status === "failed"
          ? "This message did not reach your mailbox. It is safe here."
          : `This message did not reach your mailbox yet. It is tried again ${formatMoment(next_attempt_at, timeZone)}.`}
      </span>
      {last_error && ` The reason: ${last_error}`}
    </p>
  );
}
