import { type FormEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { remainingErrors } from "../ui/form-errors.tsx";
import { showToast, type ToastContent } from "../ui/toast.ts";
import { useFormDraft } from "../ui/use-form-draft.ts";
import { hasHoneypot, isHoneypotFilled } from "./honeypot-field.tsx";

/** The error of each invalid field, by the field's name. */
export type FormErrors = Partial<Record<string, string>>;

type Notice = Omit<ToastContent, "tone">;

export interface FormFailure extends Notice {
  /** At the form; by default the description. */
  text?: string;
}

interface SubmissionOptions {
  /** The toast of success. */
  sent: Notice;
  /** Runs before that toast: closes a dialog, navigates, revalidates. */
  onSent?: () => void;
  /** The toast of a failure, and the text that stays at the form. Null shows neither. */
  describeFailure: (error: unknown) => FormFailure | null;
}

/** The state of a submission: pending or not, the text of its failure, and the toast of its outcome. */
export function useSubmission({ sent, onSent, describeFailure }: SubmissionOptions) {
  const [failure, setFailure] = useState<string>();
  const [submitting, setSubmitting] = useState(false);

  function fail({ title, description, text = description }: FormFailure): void {
    setFailure(text);
    showToast({ tone: "error", title, description });
  }

  /** @param send rejects when it fails */
  async function run(send: () => Promise<void>): Promise<void> {
    setFailure(undefined);
    setSubmitting(true);
    try {
      await send();
      onSent?.();
      showToast({ tone: "success", ...sent });
    } catch (error) {
      const described = describeFailure(error);
      if (described) fail(described);
    } finally {
      setSubmitting(false);
    }
  }

  return { failure, setFailure, submitting, fail, run };
}

interface FormSubmitOptions extends SubmissionOptions {
  /** Without it the browser's native checks apply. */
  validate?: (form: FormData) => FormErrors;
  /** Errors that came with the page, of a form that was posted without JavaScript. */
  initialErrors?: FormErrors;
  /** Sends a valid form. Rejects when that fails. */
  send: (form: FormData) => Promise<void>;
  /**
   * Where this tab stores what is typed in the fields, which are uncontrolled, until the form was sent
   * and is reset.
   */
  draftKey: string;
  /** Whether the draft was sent already, without JavaScript. */
  discardDraft?: boolean;
}

/**
 * Submits a form: validates, moves focus to the first invalid field, sends, and shows a toast. Errors
 * appear at a submit only, and each disappears as soon as its field is corrected.
 *
 * In a form with a HoneypotField, a submit by a bot succeeds without sending, and nothing is sent
 * within two seconds after the form was shown: an early submit waits. A person who pastes a text or
 * uses a password manager waits for the rest of that time only.
 *
 * Spread `formProps` on the form, and give a field with an error `aria-invalid` (TextField does).
 */
export function useFormSubmit(options: FormSubmitOptions) {
  const { validate, send, draftKey, discardDraft } = options;
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FormErrors>(options.initialErrors ?? {});
  const { failure, setFailure, submitting, run } = useSubmission({
    ...options,
    onSent() {
      ref.current?.reset();
      options.onSent?.();
    },
  });
  const waitForMinimumFillTime = useMinimumFillTime();
  useFormDraft(ref, draftKey, discardDraft);

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const found = validate?.(data) ?? {};
    // Render the error before moving focus, so screen readers announce it with the field.
    flushSync(() => {
      setErrors(found);
      setFailure(undefined);
    });
    if (Object.keys(found).length > 0) {
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    await run(async () => {
      if (hasHoneypot(data)) await waitForMinimumFillTime();
      if (!isHoneypotFilled(data)) await send(data);
    });
  }

  function onChange(event: FormEvent<HTMLFormElement>): void {
    if (!validate || Object.keys(errors).length === 0) return;
    setErrors(remainingErrors(errors, validate(new FormData(event.currentTarget))));
  }

  return { errors, failure, submitting, formProps: { ref, onSubmit, onChange } };
}

/** A text field of a form, trimmed. */
export function fieldText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** The message of anything that was thrown: an Error, or an error object of supabase-js. */
export function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}

/** In milliseconds. */
export const minimumFillTime = 2000;

/** @returns waits until the component has been shown for the minimum fill time */
function useMinimumFillTime(): () => Promise<void> {
  const shownAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  return async () => {
    const rest = remainingFillTime(shownAt.current, performance.now());
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  };
}

export function remainingFillTime(shownAt: number, now: number): number {
  return Math.min(minimumFillTime, Math.max(0, shownAt + minimumFillTime - now));
}
