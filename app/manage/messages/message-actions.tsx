import { useSite } from "../../config/use-site.ts";
import { buttonClass } from "../../ui/button.ts";
import { Button } from "../button.tsx";
import { DeleteButton } from "../delete-button.tsx";
import { useAction } from "../use-action.ts";
import { mailUrl } from "./format-message.ts";
import { eraseMessage, type Message, markMessage } from "./messages.ts";
import { storeNoteDraft } from "./note-draft.ts";

const notUpdated = {
  title: "Update Failed",
  description: "Could not update the message. Please try again.",
};
const notDeleted = {
  title: "Deletion Failed",
  description: "Could not delete the message. Please try again.",
};
const notRestored = {
  title: "Restore Failed",
  description: "Could not restore the message. Please try again.",
};

interface MessageActionsProps {
  message: Message;
  onChanged: (message: Message) => void;
  /** The message was deleted, restored or erased. */
  onRemoved: () => void;
  onUndoDeletion: () => void;
}

/** The buttons of a message. */
export function MessageActions(props: MessageActionsProps) {
  const { message, onChanged, onRemoved, onUndoDeletion } = props;
  const { id, name, email, answered_at, flagged_at, deleted_at } = message;
  const { firm } = useSite();
  const { isRunning, run } = useAction();

  function toggle(mark: "answered_at" | "flagged_at", description: string) {
    return run(
      async (client) => onChanged(await markMessage(client, id, mark, message[mark] === null)),
      { title: "Message Updated", description },
      notUpdated,
    );
  }

  function remove() {
    return run(
      async (client) => {
        await markMessage(client, id, "deleted_at", true);
        onRemoved();
      },
      {
        title: "Message Deleted",
        description: "You can restore it for 30 days under 'Deleted'.",
        action: { label: "Undo", onAction: onUndoDeletion },
      },
      notDeleted,
    );
  }

  function restore() {
    return run(
      async (client) => {
        await markMessage(client, id, "deleted_at", false);
        onRemoved();
      },
      { title: "Message Restored", description: "It is in the list again." },
      notRestored,
    );
  }

  // A disabled button would lose the keyboard focus.
  const button = { "aria-disabled": isRunning };
  const target = { ...button, of: `the message from ${name}` };
  if (deleted_at) {
    return (
      <div className="mt-6 flex flex-wrap gap-3">
        <Button look="primary" {...target} onClick={restore}>
          Restore
        </Button>
        <DeleteButton
          label="Delete for good"
          target={target.of}
          what="message"
          text={`This action cannot be undone. This will permanently delete this message from ${name}.`}
          success={{
            title: "Message Deleted",
            description: "The message has been permanently removed.",
          }}
          failure={notDeleted}
          onDelete={async (client) => {
            await eraseMessage(client, id);
            storeNoteDraft(id, null);
          }}
          onDeleted={onRemoved}
        />
      </div>
    );
  }
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      <a href={mailUrl(email, firm.name)} className={buttonClass("primary", "small")}>
        Reply by email
        <span className="sr-only"> to {name}</span>
      </a>
      <Button
        {...button}
        onClick={() =>
          toggle(
            "answered_at",
            answered_at
              ? "The message is no longer marked as answered."
              : "The message is marked as answered.",
          )
        }
      >
        {answered_at ? "Mark as not answered" : "Mark as answered"}
      </Button>
      <Button
        {...button}
        onClick={() =>
          toggle(
            "flagged_at",
            flagged_at ? "The message is no longer flagged." : "The message is flagged.",
          )
        }
      >
        {flagged_at ? "Remove flag" : "Flag"}
      </Button>
      <Button look="quietDanger" {...target} onClick={remove}>
        Delete
      </Button>
    </div>
  );
}
