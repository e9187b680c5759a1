import { Check, CircleAlert, Clock, Flag, type IconNode, NotebookPen, PhoneOff } from "lucide";
import { type ComponentProps, useId } from "react";
import { Link } from "react-router";
import { useSendsMail, useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { Badge } from "../page-parts.tsx";
import { shortDate } from "./format-message.ts";
import type { Message } from "./messages.ts";
import { readNoteDraft } from "./note-draft.ts";

interface MessageItemProps {
  message: Message;
  path: string;
  isOpen: boolean;
}

/** The maximum length of the preview in characters; CSS cuts it to one line. */
const previewLength = 200;

/** The state of a link to a message: Back from it leads to the list. */
export const fromList = { staysInPlace: true, isFromList: true };

/** A row of the list, which opens its message. */
export function MessageItem({ message, path, isOpen }: MessageItemProps) {
  const { timeZone } = useSite().contact;
  const preview = useId();
  const { id, name, created_at, read_at } = message;
  const isUnread = read_at === null;
  return (
    <li>
      <Link
        to={path}
        state={fromList}
        id={rowId(id)}
        aria-current={isOpen ? "true" : undefined}
        aria-describedby={preview}
        className="grid grid-cols-[0.5rem_minmax(0,1fr)_auto] items-baseline gap-x-2.5 px-3 py-2.5 transition-colors hover:bg-sand focus-visible:-outline-offset-3 aria-[current]:bg-sage sm:px-4"
      >
        <span
          aria-hidden="true"
          className={`size-2 self-center rounded-full ${isUnread ? "bg-clay" : ""}`}
        />
        <span className={`truncate ${isUnread ? "font-semibold" : "font-medium"}`}>
          {isUnread && <span className="sr-only">Unread: </span>}
          <span>{name}</span>
        </span>
        <time
          dateTime={created_at}
          className={`text-sm tabular-nums ${isUnread ? "font-medium text-clay" : "text-muted"}`}
        >
          {shortDate(created_at, timeZone)}
        </time>
        <span className="col-span-2 col-start-2 mt-0.5 flex items-center gap-2 text-sm">
          <span
            id={preview}
            // The link's description. Part of its name, it would be read with every heading.
            aria-hidden="true"
            className={`line-clamp-1 min-w-0 flex-1 wrap-anywhere ${isUnread ? "text-ink" : "text-muted"}`}
          >
            {message.message.slice(0, previewLength)}
          </span>
          <MessageMarks message={message} isShort />
        </span>
      </Link>
    </li>
  );
}

/** The id of the row of a message, which has the focus after the message. */
export function rowId(id: string): string {
  return `message-${id}`;
}

interface MessageMarksProps {
  message: Message;
  /** Whether what is no warning is only a symbol. */
  isShort?: boolean;
}

export function MessageMarks({ message, isShort = false }: MessageMarksProps) {
  const { id, status, answered_at, flagged_at, note, spam_at, consent, withdrawal } = message;
  const hasDraft = readNoteDraft(id) !== null;
  const sendsMail = useSendsMail();
  return (
    <span className="flex shrink-0 flex-wrap items-center gap-1.5 text-sm empty:hidden">
      {flagged_at && <Mark drawing={Flag} text="Flagged" isShort={isShort} />}
      {answered_at && <Mark drawing={Check} text="Answered" isShort={isShort} />}
      {note && !hasDraft && <Mark drawing={NotebookPen} text="Note" isShort={isShort} />}
      {hasDraft && <Mark drawing={NotebookPen} text="Note not saved" look="warning" />}
      {withdrawal && !consent && <Mark drawing={PhoneOff} text="No calls" look="warning" />}
      {status === "stored" && !spam_at && sendsMail && (
        <Mark drawing={Clock} text="Not emailed yet" isShort={isShort} />
      )}
      {status === "failed" && <Mark drawing={CircleAlert} text="Email failed" look="warning" />}
    </span>
  );
}

interface MarkProps extends Pick<ComponentProps<typeof Badge>, "look"> {
  drawing: IconNode;
  text: string;
  isShort?: boolean;
}

function Mark({ drawing, text, look, isShort = false }: MarkProps) {
  if (isShort) {
    return (
      <span title={text} className="text-muted">
        <Icon drawing={drawing} className="size-4" />
        <span className="sr-only">{text}</span>
      </span>
    );
  }
  return (
    <Badge look={look}>
      <Icon drawing={drawing} className="size-4" />
      <span>{text}</span>
    </Badge>
  );
}
