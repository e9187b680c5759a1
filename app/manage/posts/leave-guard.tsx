import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

interface LeaveGuardProps {
  /** Called when the page is left. */
  hasUnsavedChanges: () => boolean;
  /** The owner chose to leave: discards the unsaved changes. */
  onDiscard: () => void;
}

/** Asks for confirmation before a form with unsaved changes is left or the page is closed. */
export function LeaveGuard({ hasUnsavedChanges, onDiscard }: LeaveGuardProps) {
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
      title="Leave without saving?"
      text="What you changed in this post has not been saved. Leaving discards it."
      cancel="Keep editing"
      confirm="Discard and leave"
      onConfirm={() => {
        onDiscard();
        blocker.proceed?.();
      }}
      onClose={() => blocker.reset?.()}
    />
  );
}
