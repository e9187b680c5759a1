import {
  Check,
  ChevronDown,
  CircleAlert,
  Clock,
  Flag,
  type IconNode,
  MailCheck,
  NotebookPen,
  PhoneOff,
} from "lucide";
import { type ComponentProps, useId, useRef, useState } from "react";
import { useSendsMail, useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { neighborOf } from "../manage-frame.tsx";
import { Badge } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { shortDate } from "./format-message.ts";
import { MessageDetails } from "./message-details.tsx";
import { type Message, markMessage } from "./messages.ts";
import { readNoteDraft } from "./note-draft.ts";

interface MessageItemProps {
  message: Message;
  onChanged: (changes: Partial<Message>) => void;
  /** @param neighbor the button of the next message, else of the previous one */
  onRemoved: (neighbor: HTMLElement | null) => void;
  onUndoDeletion: () => void;
}

/** The maximum length of the preview in characters; CSS cuts it to one line. */
const previewLength = 200;

export function MessageItem(props: MessageItemProps) {
  const { message, onChanged, onRemoved, onUndoDeletion } = props;
  const { timeZone } = useSite().contact;
  const [open, setOpen] = useState(false);
  const id = useId();
  const item = useRef<HTMLLIElement>(null);
  const { run } = useAction();
  const unread = message.read_at === null;

  function toggle() {
    setOpen(!open);
    if (open || !unread) return;
    void run(
      async (client) => onChanged(await markMessage(client, message.id, "read_at", true)),
      null,
      {
        title: "Update Failed",
        description: "Could not mark the message as read. Please try again.",
      },
    );
  }

  return (
    <li ref={item}>
      <article>
        <h2 className="font-sans text-base">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            aria-describedby={open ? undefined : `${id}-preview`}
            onClick={toggle}
            className="group grid w-full grid-cols-[0.625rem_minmax(0,1fr)_auto] items-start gap-x-3 px-4 py-4 text-left transition-colors hover:not-aria-expanded:bg-sand/50 focus-visible:-outline-offset-3 sm:gap-x-4 sm:px-6"
          >
            <span
              aria-hidden="true"
              className={`mt-2 size-2.5 rounded-full ${unread ? "bg-clay" : ""}`}
            />
            <span className="min-w-0">
              <span className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span
                  className={`min-w-0 wrap-anywhere ${unread || open ? "font-semibold" : "font-medium"}`}
                >
                  {unread && <span className="sr-only">Unread: </span>}
                  <span>{message.name}</span>
                </span>
                <span className="flex items-baseline gap-2 text-sm text-muted">
                  {message.status === "sent" && <SentMark />}
                  <time dateTime={message.created_at} className="tabular-nums">
                    {shortDate(message.created_at, timeZone)}
                  </time>
                </span>
              </span>
              <span
                id={`${id}-preview`}
                // The button's description. Part of its name, it would be read with every heading.
                aria-hidden="true"
                className={`mt-0.5 line-clamp-1 text-sm wrap-anywhere ${unread ? "text-ink" : "text-muted"} ${open ? "hidden" : ""}`}
              >
                {message.message.slice(0, previewLength)}
              </span>
              <MessageMarks message={message} />
            </span>
            <Icon
              drawing={ChevronDown}
              className={`mt-1 size-5 text-muted transition-transform group-hover:text-evergreen ${open ? "rotate-180" : ""}`}
            />
          </button>
        </h2>
        <div id={id} hidden={!open}>
          {open && (
            <MessageDetails
              message={message}
              onChanged={onChanged}
              onRemoved={() => onRemoved(neighborOf(item.current, "h2 button"))}
              onUndoDeletion={onUndoDeletion}
            />
          )}
        </div>
      </article>
    </li>
  );
}

function MessageMarks({ message }: { message: Message }) {
  const { id, status, answered_at, flagged_at, note, spam_at, consent, withdrawal } = message;
  const hasDraft = readNoteDraft(id) !== null;
  const sendsMail = useSendsMail();
  return (
    <span className="mt-2 flex flex-wrap items-center gap-2 text-sm empty:hidden">
      {flagged_at && <Mark drawing={Flag} text="Flagged" />}
      {answered_at && <Mark drawing={Check} text="Answered" look="good" />}
      {(note || hasDraft) && (
        <Mark
          drawing={NotebookPen}
          text={hasDraft ? "Note not saved" : "Note"}
          look={hasDraft ? "warning" : "plain"}
        />
      )}
      {withdrawal && !consent && <Mark drawing={PhoneOff} text="No calls" look="warning" />}
      {status === "stored" && !spam_at && sendsMail && (
        <Mark drawing={Clock} text="Not emailed yet" />
      )}
      {status === "failed" && <Mark drawing={CircleAlert} text="Email failed" look="warning" />}
    </span>
  );
}

type MarkProps = Pick<ComponentProps<typeof Badge>, "look"> & { drawing: IconNode; text: string };

function Mark({ drawing, text, look }: MarkProps) {
  return (
    <Badge look={look}>
      <Icon drawing={drawing} className="size-4" />
      <span>{text}</span>
    </Badge>
  );
}

function SentMark() {
  return (
    <span title="Emailed to you" className="self-center">
      <Icon drawing={MailCheck} className="size-4" />
      <span className="sr-only">Emailed to you</span>
    </span>
  );
}
