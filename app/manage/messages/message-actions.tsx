import { useState } from "react";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { showToast, type ToastContent } from "../../ui/toast.ts";
import { DeleteButton } from "../delete-button.tsx";
import { mailUrl } from "./format-message.ts";
import { eraseMessage, type Message, type MessageMark, markMessage } from "./messages.ts";
import { storeNoteDraft } from "./note-draft.ts";

type Notice = Omit<ToastContent, "tone">;

const notUpdated = {
  title: "Update Failed",
  description: "Could not update the message. Please try again.",
};
const notDeleted = {
  title: "Deletion Failed",
  description: "Could not delete the message. Please try again.",
};

interface MessageActionsProps {
  message: Message;
  onChanged: (message: Message) => void;
  onDeleted: () => void;
  onUndoDeletion: () => void;
}

/** The buttons of a message that is not deleted. */
export function MessageActions(props: MessageActionsProps) {
  const { message, onChanged, onDeleted, onUndoDeletion } = props;
  const { name, email, answered_at, flagged_at } = message;
  const { firm } = useSite();
  const { saving, mark } = useMarking(message);

  async function toggleAnswered() {
    const success = {
      title: "Message Updated",
      description: answered_at
        ? "The message is no longer marked as answered."
        : "The message is marked as answered.",
    };
    const changed = await mark("answered_at", !answered_at, success, notUpdated);
    if (changed) onChanged(changed);
  }

  async function toggleFlag() {
    const success = {
      title: "Message Updated",
      description: flagged_at ? "The message is no longer flagged." : "The message is flagged.",
    };
    const changed = await mark("flagged_at", !flagged_at, success, notUpdated);
    if (changed) onChanged(changed);
  }

  async function remove() {
    const success = {
      title: "Message Deleted",
      description: "You can restore it for 30 days under 'Deleted'.",
      action: { label: "Undo", onAction: onUndoDeletion },
    };
    if (await mark("deleted_at", true, success, notDeleted)) onDeleted();
  }

  const of = <span className="sr-only"> the message from {name}</span>;
  // A disabled button would lose the keyboard focus.
  const button = { type: "button", "aria-disabled": saving } as const;
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      <a href={mailUrl(email, firm.name)} className={buttonClass("primary", "small")}>
        Reply by email
        <span className="sr-only"> to {name}</span>
      </a>
      <button {...button} className={buttonClass("secondary", "small")} onClick={toggleAnswered}>
        {answered_at ? "Mark as not answered" : "Mark as answered"}
      </button>
      <button {...button} className={buttonClass("secondary", "small")} onClick={toggleFlag}>
        {flagged_at ? "Remove flag" : "Flag"}
      </button>
      <button {...button} className={buttonClass("quietDanger", "small")} onClick={remove}>
        Delete
        {of}
      </button>
    </div>
  );
}

/** The buttons of a deleted message. */
export function DeletedMessageActions(props: { message: Message; onRemoved: () => void }) {
  const { message, onRemoved } = props;
  const { id, name } = message;
  const { saving, mark } = useMarking(message);

  async function restore() {
    const success = { title: "Message Restored", description: "It is in the list again." };
    const failure = {
      title: "Restore Failed",
      description: "Could not restore the message. Please try again.",
    };
    if (await mark("deleted_at", false, success, failure)) onRemoved();
  }

  return (
    <div className="mt-6 flex flex-wrap gap-3">
      <button
        type="button"
        aria-disabled={saving}
        className={buttonClass("primary", "small")}
        onClick={restore}
      >
        Restore
        <span className="sr-only"> the message from {name}</span>
      </button>
      <DeleteButton
        label="Delete for good"
        target={`the message from ${name}`}
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

/** Changes one mark at a time and shows the outcome as a toast. */
function useMarking({ id }: Message) {
  const [saving, setSaving] = useState(false);

  /** @returns the changed message; null when it was not changed */
  async function mark(
    which: MessageMark,
    isSet: boolean,
    success: Notice,
    failure: Notice,
  ): Promise<Message | null> {
    if (saving) return null;
    setSaving(true);
    try {
      const message = await markMessage(await getBrowserClient(), id, which, isSet);
      showToast({ tone: "success", ...success });
      return message;
    } catch (error) {
      console.error("Changing the message failed", error);
      showToast({ tone: "error", ...failure });
      return null;
    } finally {
      setSaving(false);
    }
  }

  return { saving, mark };
}
