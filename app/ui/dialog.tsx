import { X } from "lucide";
import { type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { Icon } from "./icon.ts";

interface DialogProps {
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  description?: string;
  children: ReactNode;
  onClose?: () => void;
}

/** A modal dialog. `ref.current.showModal()` opens it; the browser handles Escape and the focus. */
export function Dialog({ ref, title, description, children, onClose }: DialogProps) {
  const id = useId();
  return (
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onClose={onClose}
      className="m-auto w-[min(34rem,calc(100vw-2rem))] rounded-lg border border-line bg-surface p-6 text-ink shadow-lift sm:p-8"
    >
      <div className="flex items-start justify-between gap-4">
        <h2 id={`${id}-title`} className="text-2xl">
          {title}
        </h2>
        <button
          type="button"
          aria-label="Close"
          onClick={() => ref.current?.close()}
          className="-mt-1 -mr-2 flex size-10 shrink-0 items-center justify-center rounded-full text-muted hover:bg-sand"
        >
          <Icon drawing={X} className="size-5" />
        </button>
      </div>
      {description && (
        <p id={`${id}-description`} className="mt-2 text-muted">
          {description}
        </p>
      )}
      {children}
    </dialog>
  );
}

/** For a dialog that opens when it is rendered. */
export function useOpenDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return dialog;
}
