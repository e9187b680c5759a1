import { Mail, Phone } from "lucide";
import { useState } from "react";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { Icon } from "../../ui/icon.ts";
import { showToast } from "../../ui/toast.ts";
import { DeleteButton } from "../delete-button.tsx";
import { fullDate, mailUrl, phoneUrl } from "./format-message.ts";
import { deleteMessage, type Message, markAnswered } from "./messages.ts";

interface MessageDetailsProps {
  message: Message;
  onChanged: () => void;
  onDeleted: () => void;
}

const linkClass =
  "inline-flex min-h-6 items-start gap-2 font-medium underline decoration-clay/60 underline-offset-4 hover:decoration-clay [overflow-wrap:anywhere]";

/** An opened message: its text, links to reply, its state and its buttons. */
export function MessageDetails({ message, onChanged, onDeleted }: MessageDetailsProps) {
  const { firm, contact } = useSite();
  const { id, name, email, phone, answered_at } = message;
  const [saving, setSaving] = useState(false);

  async function toggleAnswered() {
    if (saving) return;
    const answered = answered_at === null;
    setSaving(true);
    try {
      await markAnswered(await getBrowserClient(), id, answered);
      showToast({
        tone: "success",
        title: "Message Updated",
        description: answered
          ? "The message is marked as answered."
          : "The message is no longer marked as answered.",
      });
      onChanged();
    } catch (error) {
      console.error("Marking the message as answered failed", error);
      showToast({
        tone: "error",
        title: "Update Failed",
        description: "Could not update the message. Please try again.",
      });
    } finally {
      setSaving(false);
    }
  }

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
        <li>Received {fullDate(message.created_at, contact.timeZone)}</li>
        {message.sent_at && <li>E-mailed to you {fullDate(message.sent_at, contact.timeZone)}</li>}
        {answered_at && <li>Answered {fullDate(answered_at, contact.timeZone)}</li>}
      </ul>
      <DeliveryProblem message={message} />
      <div className="mt-6 flex flex-wrap gap-3">
        <a href={mailUrl(email, firm.name)} className={buttonClass("primary", "small")}>
          Reply by e-mail
          <span className="sr-only"> to {name}</span>
        </a>
        <button
          type="button"
          className={buttonClass("secondary", "small")}
          // A disabled button would lose the keyboard focus.
          aria-disabled={saving}
          onClick={toggleAnswered}
        >
          {answered_at ? "Mark as not answered" : "Mark as answered"}
        </button>
        <DeleteButton
          target={`the message from ${name}`}
          what="message"
          warning={`This will permanently delete this message from ${name}.`}
          success={{
            title: "Message Deleted",
            description: "The message has been successfully removed.",
          }}
          failure={{
            title: "Deletion Failed",
            description: "Could not delete the message. Please try again.",
          }}
          onDelete={(client) => deleteMessage(client, id)}
          onDeleted={onDeleted}
        />
      </div>
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

/** Why the message was not e-mailed to the owner, and when it is retried. */
function DeliveryProblem({ message }: { message: Message }) {
  const { contact } = useSite();
  const { status, last_error, next_attempt_at } = message;
  if (status === "sent" || (status === "stored" && !last_error)) return null;
  return (
    <p className="mt-4 max-w-prose rounded-md bg-clay-soft p-3 text-sm [overflow-wrap:anywhere]">
      <span className="font-medium text-danger">
        {status === "failed"
          ? "This message did not reach your mailbox. It is safe here."
          : `This message did not reach your mailbox yet. It is tried again ${fullDate(next_attempt_at, contact.timeZone)}.`}
      </span>
      {last_error && ` The reason: ${last_error}`}
    </p>
  );
}
