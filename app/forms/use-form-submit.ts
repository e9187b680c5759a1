import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { tabStorage } from "../browser/site-data.ts";
import { type Notice, showToast } from "../ui/toast.ts";
import { hasHoneypot } from "./honeypot-field.tsx";

/** The error of each invalid field, by the field's name. */
export type FormErrors = Partial<Record<string, string>>;

export interface FormFailure extends Notice {
  /** The text at the form; the description by default. */
  text?: string;
}

interface SubmissionOptions {
  sent: Notice;
  /** Runs before the toast, for example to close a dialog, navigate or revalidate. */
  onSent?: () => void;
  /** The toast after a failure, and the text that stays at the form. Null shows neither. */
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
  /** Checks the fields. Without it, the browser's native checks apply. */
  validate?: (form: FormData) => FormErrors;
  /** Errors in the page's HTML, from a form that was posted without JavaScript. */
  initialErrors?: FormErrors;
  /** Sends a valid form. Rejects after a failure. */
  send: (form: FormData) => Promise<void>;
  /** The key under which this tab stores the text of the uncontrolled fields until the form is sent and reset. */
  draftKey: string;
  /** Whether the draft was already sent without JavaScript. */
  discardDraft?: boolean;
}

/**
 * Submits a form: validates, moves focus to the first invalid field, sends, and shows a toast. Errors
 * appear at a submit only, and each disappears as soon as its field is corrected.
 *
 * In a form with a HoneypotField, nothing is sent within two seconds after the form was shown: an early submit waits. A person
 * who pastes a text or uses a password manager waits for the rest of that time only.
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
      await send(data);
    });
  }

  function onChange(event: FormEvent<HTMLFormElement>): void {
    if (!validate || Object.keys(errors).length === 0) return;
    const found = validate(new FormData(event.currentTarget));
    setErrors((shown) => remainingErrors(shown, found));
  }

  return { errors, failure, submitting, formProps: { ref, onSubmit, onChange } };
}

/**
 * The errors to show while the visitor corrects a form: a corrected field loses its error, but no field gets
 * a new one before the next submit.
 */
export function remainingErrors(shown: FormErrors, found: FormErrors): FormErrors {
  return Object.fromEntries(Object.entries(found).filter(([field]) => shown[field]));
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

/**
 * Stores the text of a form with uncontrolled fields in this tab until the form is reset, and restores it
 * after a reload or navigation.
 * @param discard whether the form has already been sent without JavaScript
 */
function useFormDraft(form: RefObject<HTMLFormElement | null>, key: string, discard = false): void {
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const store = () => {
      const fields = fieldsOf(element)
        .filter(isChanged)
        .map(({ name, value }) => [name, value]);
      tabStorage.setItem(key, JSON.stringify(fields));
    };
    const remove = () => tabStorage.removeItem(key);
    if (discard) remove();
    else {
      restore(element, key);
      // The text was typed before hydration.
      if (fieldsOf(element).some((field) => field.type !== "radio" && isChanged(field))) store();
    }
    element.addEventListener("input", store);
    element.addEventListener("reset", remove);
    return () => {
      element.removeEventListener("input", store);
      element.removeEventListener("reset", remove);
    };
  }, [form, key, discard]);
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Fields to store: without the honeypot, and only the checked button of a radio group. */
function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (field): field is Field =>
      isField(field) &&
      field.tabIndex >= 0 &&
      !(field instanceof HTMLInputElement && field.type === "radio" && !field.checked),
  );
}

/** Only changed fields are stored, because the others may change elsewhere. */
function isChanged({ type, value, defaultValue }: Field): boolean {
  return type === "radio" || value !== defaultValue;
}

function restore(form: HTMLFormElement, key: string): void {
  for (const [name, value] of readDraft(key)) {
    const field = form.elements.namedItem(String(name));
    if (field instanceof RadioNodeList) field.value = String(value);
    // A value from the browser or the server is newer.
    else if (isField(field) && !field.value) field.value = String(value);
  }
}

/** The names and values that `useFormDraft` stored; none where it was changed by something else. */
function readDraft(key: string): Map<unknown, unknown> {
  try {
    return new Map(JSON.parse(tabStorage.getItem(key) ?? "[]"));
  } catch {
    return new Map();
  }
}

function isField(element: unknown): element is Field {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}
