import type { RefObject } from "react";
import { ConfirmDialog } from "../confirm-dialog.tsx";

export const unpublished = { title: "Unpublished", description: "The post is a draft again." };

interface UnpublishDialogProps {
  ref: RefObject<HTMLDialogElement | null>;
  onConfirm: () => void;
}

/** Pages are hidden instead, and keep their place in the menu. */
export function UnpublishDialog({ ref, onConfirm }: UnpublishDialogProps) {
  return (
    <ConfirmDialog
      ref={ref}
      title="Unpublish this post?"
      text="Visitors no longer find it. It becomes a draft and keeps its history. When you publish it again, it gets the date of that day."
      confirm="Unpublish"
      onConfirm={() => {
        // Closed before the toast is shown: a toast inside an open dialog would disappear with it.
        ref.current?.close();
        onConfirm();
      }}
    />
  );
}
