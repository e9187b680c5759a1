import { useRef, useState } from "react";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toast.ts";
import { deleteMessage, type Message } from "./messages.ts";

interface DeleteMessageButtonProps {
  message: Pick<Message, "id" | "name">;
  /** After the message is gone. */
  onDeleted: () => void;
}

/** Deletes a message after asking. */
export function DeleteMessageButton({ message, onDeleted }: DeleteMessageButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [deleting, setDeleting] = useState(false);

  async function remove() {
    setDeleting(true);
    try {
      await deleteMessage(await getBrowserClient(), message.id);
      dialog.current?.close();
      showToast({
        tone: "success",
        title: "Message Deleted",
        description: "The message has been successfully removed.",
      });
      onDeleted();
    } catch (error) {
      console.error("Deleting the message failed", error);
      dialog.current?.close();
      showToast({
        tone: "error",
        title: "Deletion Failed",
        description: "Could not delete the message. Please try again.",
      });
    } finally {
      setDeleting(false);
    }
  }

  return (
    <>
      <button
        type="button"
        className={buttonClass("quietDanger", "small")}
        onClick={() => dialog.current?.showModal()}
      >
        Delete
        <span className="sr-only"> the message from {message.name}</span>
      </button>
      <ConfirmDialog
        ref={dialog}
        title="Are you absolutely sure?"
        text={`This action cannot be undone. This will permanently delete this message from ${message.name}.`}
        confirm="Continue"
        busy={deleting}
        onConfirm={remove}
      />
    </>
  );
}
