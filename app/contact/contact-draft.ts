import { contactFields } from "./read-message.ts";

/** Both contact forms share one draft. It stays in this tab and is gone once the tab is closed. */
const storageKey = "contact-draft";

/** Keeps what is typed in the form. */
export function keepDraft(form: HTMLFormElement): void {
  const data = new FormData(form);
  const draft = contactFields.map((field) => [field, String(data.get(field) ?? "")]);
  if (draft.every(([, text]) => text === "")) discardDraft();
  else withStorage((storage) => storage.setItem(storageKey, String(new URLSearchParams(draft))));
}

/** Fills the empty fields of the form with what was typed before. */
export function restoreDraft(form: HTMLFormElement): void {
  withStorage((storage) => {
    const draft = new URLSearchParams(storage.getItem(storageKey) ?? "");
    for (const field of contactFields) {
      const control = form.elements.namedItem(field);
      const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
      if (isText) control.value ||= draft.get(field) ?? "";
    }
  });
}

export function discardDraft(): void {
  withStorage((storage) => storage.removeItem(storageKey));
}

/** The browser's settings can forbid storage, and it can be full. The form works without a draft. */
function withStorage(use: (storage: Storage) => void): void {
  try {
    use(sessionStorage);
  } catch {}
}
