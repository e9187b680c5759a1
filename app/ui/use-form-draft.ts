import { type RefObject, useEffect } from "react";

/**
 * Stores the text of a form with uncontrolled fields in this tab until the form is reset, and restores it
 * after a reload or navigation.
 * @param discard whether the form has already been sent without JavaScript
 */
export function useFormDraft(
  form: RefObject<HTMLFormElement | null>,
  key: string | undefined,
  discard = false,
): void {
  useEffect(() => {
    const element = form.current;
    if (!element || !key) return;
    const keep = () => {
      const fields = fieldsOf(element).map(({ name, value }) => [name, value]);
      withStorage((storage) => storage.setItem(key, JSON.stringify(fields)));
    };
    const forget = () => withStorage((storage) => storage.removeItem(key));
    if (discard) forget();
    else {
      restore(element, key);
      // Text that was typed before hydration.
      if (fieldsOf(element).some(({ type, value }) => type !== "radio" && value !== "")) keep();
    }
    element.addEventListener("input", keep);
    element.addEventListener("reset", forget);
    return () => {
      element.removeEventListener("input", keep);
      element.removeEventListener("reset", forget);
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

/** Ignores errors: storage can be disabled or full, and the form works without a draft. */
function withStorage(use: (storage: Storage) => void): void {
  try {
    use(sessionStorage);
  } catch {}
}

function restore(form: HTMLFormElement, key: string): void {
  let draft: unknown;
  withStorage((storage) => {
    draft = JSON.parse(storage.getItem(key) ?? "[]");
  });
  for (const [name, value] of new Map(Array.isArray(draft) ? draft : [])) {
    const field = form.elements.namedItem(String(name));
    if (field instanceof RadioNodeList) field.value = String(value);
    // A value from the browser or the server is newer.
    else if (isField(field) && !field.value) field.value = String(value);
  }
}

function isField(element: unknown): element is Field {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}
