import { type ReactNode, type RefObject, useRef } from "react";
import type { Client } from "../supabase/client-context.ts";
import type { ToastContent } from "../ui/toast.ts";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useAction } from "./use-action.ts";

interface Deletion {
  /** The kind of row, such as 'post'. */
  what: string;
  title?: string;
  text?: string;
  children?: ReactNode;
  confirm?: string;
  success: Pick<ToastContent, "title" | "description" | "action">;
  /** Without a description the toast shows the error's own message. */
  failure: { title: string; description?: string };
  /** @throws when the row was not deleted */
  onDelete: (client: Client) => Promise<void>;
  onDeleted: () => void;
}

interface DeleteDialogProps extends Deletion {
  ref: RefObject<HTMLDialogElement | null>;
}

/** Asks and deletes. It stands beside a menu, which removes its items when it closes: `ref.current.showModal()` opens it. */
export function DeleteDialog({ ref, ...props }: DeleteDialogProps) {
  const { what, success, failure, onDelete, onDeleted, children } = props;
  const { title = "Are you absolutely sure?", confirm = "Continue" } = props;
  const { text = `This action cannot be undone. This will permanently delete this ${what}.` } =
    props;
  const { isRunning, run } = useAction();

  async function remove() {
    await run(
      async (client) => {
        try {
          await onDelete(client);
        } finally {
          // Closed before the toast is shown: a toast inside an open dialog would disappear with it.
          ref.current?.close();
        }
        onDeleted();
      },
      success,
      failure,
    );
  }

  return (
    <ConfirmDialog
      ref={ref}
      title={title}
      text={text}
      confirm={confirm}
      busy={isRunning}
      onConfirm={remove}
    >
      {children}
    </ConfirmDialog>
  );
}

interface DeleteButtonProps extends Deletion {
  label?: string;
  /** Text that only screen readers read after the label: the row that the button deletes. */
  target?: string;
  className?: string;
}

export function DeleteButton(props: DeleteButtonProps) {
  const { label = "Delete", target, className, ...deletion } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button
        look="quietDanger"
        className={className}
        of={target}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </Button>
      <DeleteDialog ref={dialog} {...deletion} />
    </>
  );
}
