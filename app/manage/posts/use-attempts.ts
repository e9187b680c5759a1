import { useState } from "react";
import type { FormFailure } from "../../forms/use-form-submit.ts";
import { showToast, type ToastContent } from "../../ui/toast.ts";

/** Stops a save. Shows the given failure, or nothing when the owner cancelled. */
export class StoppedSave extends Error {
  readonly failure: FormFailure | null;

  constructor(failure: FormFailure | null) {
    super(failure?.title ?? "Cancelled");
    this.failure = failure;
  }
}

export type FailPost = (failure: FormFailure) => void;

type Success = Omit<ToastContent, "tone">;

/**
 * Runs the actions of a form one at a time, each with its toasts.
 * @param onError runs before the toast of a failure
 */
export function useAttempts<Action extends string>(onError: (error: unknown) => void) {
  const [running, setRunning] = useState<Action | null>(null);
  const [failure, setFailure] = useState<string>();

  function fail({ title, description, text = description }: FormFailure): void {
    setFailure(text);
    showToast({ tone: "error", title, description });
  }

  /** @param act returns the toast of its success. @returns whether it succeeded */
  async function attempt(
    action: Action,
    act: () => Promise<Success>,
    describeError: (error: unknown) => FormFailure,
  ): Promise<boolean> {
    setFailure(undefined);
    setRunning(action);
    try {
      showToast({ tone: "success", ...(await act()) });
      return true;
    } catch (error) {
      onError(error);
      const described = error instanceof StoppedSave ? error.failure : describeError(error);
      if (described) fail(described);
      return false;
    } finally {
      setRunning(null);
    }
  }

  return { running, failure, setFailure, fail, attempt };
}
