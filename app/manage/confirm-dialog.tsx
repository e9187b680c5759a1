import { type RefObject, useId } from "react";
import { buttonClass } from "./button.ts";
import { DialogActions } from "./dialog.tsx";

interface ConfirmDialogProps {
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  text: string;
  confirm: string;
  cancel?: string;
  busy?: boolean;
  onConfirm: () => void;
  onClose?: () => void;
}

/** Asks for confirmation of an irreversible action. `ref.current.showModal()` opens it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { ref, title, text, confirm, cancel = "Cancel", busy = false, onConfirm, onClose } = props;
  const id = useId();
  return (
    <dialog
      ref={ref}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onClose}
      className="m-auto w-[min(30rem,calc(100vw-2rem))] rounded-lg border border-line bg-surface p-6 text-left text-ink shadow-lift sm:p-8"
    >
      <h2 id={`${id}-title`} className="text-2xl">
        {title}
      </h2>
      <p id={`${id}-text`} className="mt-3 text-base text-muted">
        {text}
      </p>
      <DialogActions dialog={ref} cancel={cancel} className="mt-7">
        <button
          type="button"
          disabled={busy}
          className={buttonClass("danger", "small")}
          onClick={onConfirm}
        >
          {confirm}
        </button>
      </DialogActions>
    </dialog>
  );
}
