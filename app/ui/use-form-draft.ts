import { type RefObject, useEffect } from "react";

/**
 * Keeps what is typed in a form of uncontrolled fields until the form is reset: for this tab, so that
 * it is still there after a reload or after going Back.
 * @param discard whether what was typed has been sent already, without this script
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
      // What was typed before the page had its scripts.
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

/** The fields that a visitor fills in: not the honeypot, and of a group of radio buttons the chosen one. */
function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.querySelectorAll<Field>("input, textarea")].filter(
    (field) =>
      field.tabIndex >= 0 && (field.type !== "radio" || (field as HTMLInputElement).checked),
  );
}

/** The browser's settings can forbid storage, and it can be full. The form works without a draft. */
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
    // What the browser or the server filled in is newer.
    else if (isField(field) && !field.value) field.value = String(value);
  }
}

function isField(element: unknown): element is Field {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}
