import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { buttonClass } from "../../ui/button.ts";
import { Button } from "../button.tsx";
import { DeleteButton } from "../delete-button.tsx";
import { useAction } from "../use-action.ts";
import { mailUrl } from "./format-message.ts";
import { eraseMessage, type Message, markMessage } from "./messages.ts";
import { storeNoteDraft } from "./note-draft.ts";

function failed(what: string, verb: string) {
  return {
    title: `${what} Failed`,
    description: `Could not ${verb} the message. Please try again.`,
  };
}

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

  async function setDeleted(client: Client, isDeleted: boolean) {
    await markMessage(client, id, "deleted_at", isDeleted);
    onRemoved();
  }

  function remove() {
    return run(
      (client) => setDeleted(client, true),
      {
        title: "Message Deleted",
        description: "You can restore it for 30 days under 'Deleted'.",
        action: { label: "Undo", onAction: onUndoDeletion },
      },
      failed("Deletion", "delete"),
    );
  }

  function restore() {
    return run(
      (client) => setDeleted(client, false),
      { title: "Message Restored", description: "It is in the list again." },
      failed("Restore", "restore"),
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
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      <a href={mailUrl(email, firm.name)} className={buttonClass("primary", "small")}>
        Reply by email
        <span className="sr-only"> to {name}</span>
      </a>
      <Button {...button} onClick={() => toggle("answered_at", "marked as answered")}>
        {answered_at ? "Mark as not answered" : "Mark as answered"}
      </Button>
      <Button {...button} onClick={() => toggle("flagged_at", "flagged")}>
        {flagged_at ? "Remove flag" : "Flag"}
      </Button>
      <Button look="quietDanger" {...target} onClick={remove}>
        Delete
      </Button>
    </div>
  );
}
