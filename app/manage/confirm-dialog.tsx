import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef } from "react";
import { useBlocker } from "react-router";
import { Button } from "./button.tsx";

interface ConfirmDialogProps {
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  text: string;
  children?: ReactNode;
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
      <p id={`${id}-text`} className="mt-3 text-base whitespace-pre-line text-muted">
        {text}
      </p>
      {props.children}
      <DialogActions dialog={ref} cancel={cancel} className="mt-7">
        <Button look="danger" disabled={busy} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </dialog>
  );
}

interface DialogActionsProps {
  dialog: RefObject<HTMLDialogElement | null>;
  cancel?: string;
  className?: string;
  children: ReactNode;
}

export function DialogActions(props: DialogActionsProps) {
  const { dialog, cancel = "Cancel", className = "", children } = props;
  return (
    <div className={`flex flex-wrap justify-end gap-3 ${className}`}>
      <Button onClick={() => dialog.current?.close()}>{cancel}</Button>
      {children}
    </div>
  );
}

interface LeaveGuardProps {
  hasUnsavedChanges: () => boolean;
  title: string;
  text: string;
  confirm: string;
  onLeave?: () => void;
}

/** Asks for confirmation before a form with unsaved changes is left or the page is closed. */
export function LeaveGuard(props: LeaveGuardProps) {
  const { hasUnsavedChanges, title, text, confirm, onLeave } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && hasUnsavedChanges(),
  );

  useEffect(() => {
    if (blocker.state === "blocked") dialog.current?.showModal();
  }, [blocker.state]);

  const onBeforeUnload = useEffectEvent((event: BeforeUnloadEvent) => {
    if (hasUnsavedChanges()) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: BeforeUnloadEvent) => onBeforeUnload(event);
    window.addEventListener("beforeunload", listener);
    return () => window.removeEventListener("beforeunload", listener);
  }, []);

  return (
    <ConfirmDialog
      ref={dialog}
      title={title}
      text={text}
      cancel="Keep editing"
      confirm={confirm}
      onConfirm={() => {
        onLeave?.();
        blocker.proceed?.();
      }}
      onClose={() => blocker.reset?.()}
    />
  );
}
