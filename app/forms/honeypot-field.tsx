// Simple bots fill in every field of a form, and at once. The honeypot tells what they send from the rest, and the minimum fill
// time (use-form-submit.ts) slows them down. A client that calls the backend directly never sees either; the limits of the
// database and the server apply to it.

/** Browsers and password managers have no value to fill into a subject. */
const honeypotName = "subject";

/**
 * A field that nobody can see, focus or hear. Clipped and not `display: none`, which bots detect. The
 * label is for a page without its styles.
 */
export function HoneypotField() {
  return (
    <div aria-hidden="true" className="pointer-events-none sr-only select-none">
      <label>
        Leave this empty
        <input type="text" name={honeypotName} tabIndex={-1} autoComplete="off" defaultValue="" />
      </label>
    </div>
  );
}

export function hasHoneypot(form: FormData): boolean {
  return form.has(honeypotName);
}

/** Whether a bot filled in the honeypot, or a browser by mistake: what was sent is then stored as spam, and the form reports success. */
export function isHoneypotFilled(form: FormData): boolean {
  return Boolean(form.get(honeypotName));
}
