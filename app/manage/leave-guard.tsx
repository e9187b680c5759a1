import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface LeaveGuardProps {
  /** Called when the page is left. */
  hasUnsavedChanges: () => boolean;
  title: string;
  text: string;
  confirm: string;
  /** The owner chose to leave. */
  onLeave?: () => void;
}

/** Asks for confirmation before a form with unsaved changes is left or the page is closed. */
export function LeaveGuard(props: LeaveGuardProps) {
  const { hasUnsavedChanges, title, text, confirm, onLeave } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const ask = useRef(hasUnsavedChanges);
  ask.current = hasUnsavedChanges;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && ask.current(),
  );

  useEffect(() => {
    if (blocker.state === "blocked") dialog.current?.showModal();
  }, [blocker.state]);

  useEffect(() => {
    function beforeUnload(event: BeforeUnloadEvent) {
      if (ask.current()) event.preventDefault();
    }
    window.addEventListener("beforeunload", beforeUnload);
    return () => window.removeEventListener("beforeunload", beforeUnload);
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
