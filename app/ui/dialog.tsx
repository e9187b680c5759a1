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

/** A modal dialog. `ref.current.showModal()` opens it; the browser handles Escape, and focuses the first field. */
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
      <h2 id={`${id}-title`} className="pr-10 text-2xl">
        {title}
      </h2>
      {description && (
        <p id={`${id}-description`} className="mt-2 text-muted">
          {description}
        </p>
      )}
      {children}
      {/* Last, because the browser focuses the first control: the first field, which a space must not close. */}
      <button
        type="button"
        aria-label="Close"
        onClick={() => ref.current?.close()}
        className="absolute top-5 right-4 flex size-10 items-center justify-center rounded-full text-muted hover:bg-sand sm:top-7 sm:right-6"
      >
        <Icon drawing={X} className="size-5" />
      </button>
    </dialog>
  );
}

export function useOpenDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return dialog;
}
