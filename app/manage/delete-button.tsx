import { type ReactNode, useRef } from "react";
import type { Client } from "../supabase/client-context.ts";
import { showToast, type ToastContent } from "../ui/toast.ts";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useAction } from "./use-action.ts";

interface DeleteButtonProps {
  label?: string;
  /** Text that only screen readers read after the label: the row that the button deletes. */
  target?: string;
  /** The kind of row, such as 'post'. */
  what: string;
  title?: string;
  text?: string;
  children?: ReactNode;
  confirm?: string;
  success: Pick<ToastContent, "title" | "description" | "action">;
  /** Without a description the toast shows the error's own message. */
  failure: { title: string; description?: string };
  /** Shown in place of the dialog, for a row that can't be deleted. */
  notAllowed?: { title: string; description: string };
  className?: string;
  /** @throws when the row was not deleted */
  onDelete: (client: Client) => Promise<void>;
  onDeleted: () => void;
}

export function DeleteButton(props: DeleteButtonProps) {
  const { label = "Delete", target, what, success, failure, notAllowed, className } = props;
  const { title = "Are you absolutely sure?", confirm = "Continue" } = props;
  const { text = `This action cannot be undone. This will permanently delete this ${what}.` } =
    props;
  const dialog = useRef<HTMLDialogElement>(null);
  const { isRunning, run } = useAction();

  function ask() {
    if (notAllowed) showToast({ tone: "error", ...notAllowed });
    else dialog.current?.showModal();
  }

  async function remove() {
    await run(
      async (client) => {
        try {
          await props.onDelete(client);
        } finally {
          // Closed before the toast is shown: a toast inside an open dialog would disappear with it.
          dialog.current?.close();
        }
        props.onDeleted();
      },
      success,
      failure,
    );
  }

  return (
    <>
      <Button look="quietDanger" className={className} of={target} onClick={ask}>
        {label}
      </Button>
      <ConfirmDialog
        ref={dialog}
        title={title}
        text={text}
        confirm={confirm}
        busy={isRunning}
        onConfirm={remove}
      >
        {props.children}
      </ConfirmDialog>
    </>
  );
}
