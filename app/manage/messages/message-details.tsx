import { Mail, Phone, Reply } from "lucide";
import { type RefObject, useEffect, useEffectEvent, useId, useRef } from "react";
import {
  contactFieldNames,
  contactFields,
} from "../../../supabase/functions/_shared/contact-fields.ts";
import { dialUrl } from "../../config/dial-url.ts";
import { useSendsMail, useSite } from "../../config/use-site.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { Icon } from "../../ui/icon.ts";
import { MenuItem, MenuSeparator, MoreMenu } from "../../ui/menu.tsx";
import { Button } from "../button.tsx";
import { WithdrawalForm, WithdrawalNote } from "../consent-records.tsx";
import { DeleteButton } from "../delete-button.tsx";
import { formatMoment } from "../format-moment.ts";
import { useAction } from "../use-action.ts";
import { replyUrl } from "./format-message.ts";
import { MessageMarks } from "./message-item.tsx";
import { MessageNote } from "./message-note.tsx";
import { eraseMessage, type Message, markMessage } from "./messages.ts";
import { storeNoteDraft } from "./note-draft.ts";

interface MessageDetailsProps {
  message: Message;
  onChanged: (changes: Partial<Message>) => void;
  /** Called when the message was deleted, restored, erased or moved from the spam. */
  onRemoved: () => void;
  onUndoDeletion: () => void;
}

/** The form's fields that have no place of their own below. */
const otherFields = contactFieldNames.filter(
  (name) => !["name", "email", "phone", "call_consent", "message"].includes(name),
);

const linkClass =
  "inline-flex min-h-6 items-start gap-2 font-medium underline decoration-edge underline-offset-4 hover:decoration-ink wrap-anywhere";

export function MessageDetails(props: MessageDetailsProps) {
  const { message, onChanged } = props;
  const { firm, contact } = useSite();
  const { timeZone } = contact;
  const { name, email, phone, deleted_at, spam_at, note } = message;
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  useReading(message, onChanged, heading);
  /** Neither to be answered nor changed. */
  const isAside = deleted_at !== null || spam_at !== null;
  return (
    <article aria-labelledby={headingId} className="p-4 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2
          ref={heading}
          id={headingId}
          tabIndex={-1}
          className="min-w-0 text-2xl wrap-anywhere outline-none"
        >
          {name}
        </h2>
        <time dateTime={message.created_at} className="text-sm text-muted">
          {formatMoment(message.created_at, timeZone)}
        </time>
      </div>
      <address className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1 text-sm not-italic">
        <a href={replyUrl(message, firm.name, timeZone)} className={linkClass}>
          <Icon drawing={Mail} className="mt-1 size-4 shrink-0 text-muted" />
          <span>{email}</span>
        </a>
        {phone && <PhoneNumber phone={phone} />}
      </address>
      <div className="mt-2 empty:hidden">
        <MessageMarks message={message} />
      </div>
      <MessageActions {...props} />
      <p className="mt-5 max-w-prose border-t border-line pt-5 whitespace-pre-wrap wrap-anywhere">
        {message.message}
      </p>
      {otherFields.map((name) => (
        <LabeledText key={name} label={contactFields[name].shortLabel} text={message[name]} />
      ))}
      <LabeledText
        label={`${contactFields.call_consent.shortLabel} on ${formatMoment(message.created_at, timeZone)}`}
        text={message.call_consent}
      />
      <CallConsent message={message} onChanged={onChanged} />
      <DeliveryProblem message={message} />
      {!isAside && <MessageNote message={message} onChanged={onChanged} />}
      {isAside && <LabeledText label="Note" text={note} />}
      <ul className="mt-5 flex flex-wrap gap-x-5 text-sm text-muted">
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
            time && <li key={event}>{`${event} ${formatMoment(time, timeZone)}`}</li>,
        )}
      </ul>
    </article>
  );
}

/** Moves the focus to a message that is opened, and marks it as read. */
function useReading(
  { id, read_at }: Message,
  onChanged: MessageDetailsProps["onChanged"],
  heading: RefObject<HTMLElement | null>,
): void {
  const { run } = useAction();
  const begin = useEffectEvent(() => {
    heading.current?.focus();
    if (read_at !== null) return;
    void run(async (client) => onChanged(await markMessage(client, id, "read_at", true)), null, {
      title: "Update Failed",
      description: "Could not mark the message as read. Please try again.",
    });
  });
  useEffect(() => begin(), []);
}

function CallConsent({ message, onChanged }: Pick<MessageDetailsProps, "message" | "onChanged">) {
  const { name, consent, withdrawal, deleted_at } = message;
  const { timeZone } = useSite().contact;
  return (
    <>
      {withdrawal && (
        <WithdrawalNote
          title={
            consent
              ? `An earlier consent to calls and texts was withdrawn. The newest consent was given on ${formatMoment(consent.given_at, timeZone)}.`
              : "The consent to calls and texts was withdrawn. Do not call or text."
          }
          withdrawal={withdrawal}
        />
      )}
      {consent && !deleted_at && (
        <WithdrawalForm
          consent={consent.id}
          summary="Record a withdrawal of the consent to calls"
          of={`of ${name}`}
          help="It applies to all earlier consents of this number or address."
          sent={{
            title: "Withdrawal recorded",
            description: "It is shown at every message of this number or address.",
          }}
          onRecorded={(recorded) => onChanged({ consent: null, withdrawal: recorded })}
        />
      )}
    </>
  );
}

function LabeledText({ label, text }: { label: string; text: string | null }) {
  if (!text) return null;
  return (
    <p className="mt-4 max-w-prose text-sm whitespace-pre-wrap wrap-anywhere">
      <span className="font-semibold">{`${label}: `}</span>
      <span>{text}</span>
    </p>
  );
}

function PhoneNumber({ phone }: { phone: string }) {
  const { contact } = useSite();
  const url = dialUrl(phone, contact.country);
  const content = (
    <>
      <Icon drawing={Phone} className="mt-1 size-4 shrink-0 text-muted" />
      <span>{phone}</span>
    </>
  );
  if (url) {
    return (
      <a href={url} className={linkClass}>
        {content}
      </a>
    );
  }
  return <span className="inline-flex min-h-6 items-start gap-2 wrap-anywhere">{content}</span>;
}

function DeliveryProblem({ message }: { message: Message }) {
  const { timeZone } = useSite().contact;
  const { status, sent_at, last_error, next_attempt_at, deleted_at } = message;
  // A deleted message is not mailed.
  if (status === "sent" || (status === "stored" && (!last_error || deleted_at))) return null;
  return (
    <p className="mt-4 max-w-prose rounded-md bg-clay-soft p-3 text-sm wrap-anywhere">
      <span className="font-medium text-danger">
        {`This message did not reach ${sent_at ? "everyone" : "your mailbox"}${status === "failed" ? "" : " yet"}. ${
          status === "failed" || !next_attempt_at
            ? "It is safe here."
            : `It is tried again ${formatMoment(next_attempt_at, timeZone)}.`
        }`}
      </span>
      <span>{last_error && ` The reason: ${last_error}`}</span>
    </p>
  );
}

function MessageActions(props: MessageDetailsProps) {
  const { message, onChanged, onRemoved, onUndoDeletion } = props;
  const { id, name, answered_at, flagged_at, deleted_at, spam_at, record } = message;
  const { firm, contact } = useSite();
  const sendsMail = useSendsMail();
  const { isRunning, run } = useAction();

  function toggle(mark: "answered_at" | "flagged_at", state: string) {
    const isSet = message[mark] === null;
    return run(
      async (client) => onChanged(await markMessage(client, id, mark, isSet)),
      {
        title: "Message Updated",
        description: `The message is ${isSet ? "" : "no longer "}${state}.`,
      },
      failed("Update", "update"),
    );
  }

  const setDeleted = (isDeleted: boolean) =>
    run(
      async (client) => {
        await markMessage(client, id, "deleted_at", isDeleted);
        onRemoved();
      },
      isDeleted
        ? {
            title: "Message Deleted",
            description: "You can restore it for 30 days under 'Deleted'.",
            action: { label: "Undo", onAction: onUndoDeletion },
          }
        : { title: "Message Restored", description: "It is in the list again." },
      isDeleted ? failed("Deletion", "delete") : failed("Restore", "restore"),
    );

  const moveFromSpam = () =>
    run(
      async (client) => {
        await markMessage(client, id, "spam_at", false);
        onRemoved();
      },
      {
        title: "Message Moved",
        description: `It is with the other messages now${sendsMail ? ", and is emailed like them" : ""}.`,
      },
      failed("Move", "move"),
    );

  // A disabled button would lose the keyboard focus.
  const button = { "aria-disabled": isRunning };
  const target = { ...button, of: `the message from ${name}` };
  if (deleted_at || spam_at) {
    return (
      <div className="mt-4 flex flex-wrap gap-2">
        {deleted_at ? (
          <Button look="primary" {...target} onClick={() => setDeleted(false)}>
            Restore
          </Button>
        ) : (
          <Button look="primary" {...target} onClick={moveFromSpam}>
            Not spam
          </Button>
        )}
        <DeleteButton
          label="Delete for good"
          target={target.of}
          what="message"
          text={`This action cannot be undone. This will permanently delete this message from ${name}.${
            record ? ` ${record} Your firm may have to keep it.` : ""
          }`}
          success={{
            title: "Message Deleted",
            description: "The message has been permanently removed.",
          }}
          failure={failed("Deletion", "delete")}
          onDelete={async (client) => {
            await eraseMessage(client, id);
            storeNoteDraft(id, null);
          }}
          onDeleted={onRemoved}
        />
      </div>
    );
  }
  const call = message.phone ? dialUrl(message.phone, contact.country) : null;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-2">
      <a
        href={replyUrl(message, firm.name, contact.timeZone)}
        className={buttonClass("primary", "small")}
      >
        <Icon drawing={Reply} className="size-4" />
        <span>Reply</span>
        <span className="sr-only">{` to ${name}`}</span>
      </a>
      {call && (
        <a href={call} className={buttonClass("secondary", "small")}>
          <Icon drawing={Phone} className="size-4" />
          <span>Call</span>
          <span className="sr-only">{` ${name}`}</span>
        </a>
      )}
      <MoreMenu of={target.of}>
        <MenuItem disabled={isRunning} onClick={() => toggle("answered_at", "marked as answered")}>
          {answered_at ? "Mark as not answered" : "Mark as answered"}
        </MenuItem>
        <MenuItem disabled={isRunning} onClick={() => toggle("flagged_at", "flagged")}>
          {flagged_at ? "Remove flag" : "Flag"}
        </MenuItem>
        <MenuSeparator />
        <MenuItem look="danger" disabled={isRunning} onClick={() => setDeleted(true)}>
          Delete
        </MenuItem>
      </MoreMenu>
    </div>
  );
}

function failed(what: string, verb: string) {
  return {
    title: `${what} Failed`,
    description: `Could not ${verb} the message. Please try again.`,
  };
}
