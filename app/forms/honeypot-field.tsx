// Simple bots fill in every field of a form, and fill it in at once. Two checks stop those, in the
// browser alone: whoever calls the backend directly passes by this page, so nothing that it could
// send along would prove anything. There the limits of the database and the server hold.

/** No browser or password manager knows anything of a visitor's that goes into a subject. */
const trapName = "subject";

/**
 * A field that no person can see, reach by keyboard, or hear of. Clipped and not `display: none`,
 * which bots look for. Where styles are missing, its label says what to do.
 */
export function TrapField() {
  return (
    <div aria-hidden="true" className="pointer-events-none sr-only select-none">
      <label>
        Leave this empty
        <input type="text" name={trapName} tabIndex={-1} autoComplete="off" defaultValue="" />
      </label>
    </div>
  );
}

/** Whether the trap was filled in: the form then thanks as ever, and nothing is sent. */
export function isTrapped(form: FormData): boolean {
  return Boolean(form.get(trapName));
}
