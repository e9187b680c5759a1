type Errors = Partial<Record<string, string>>;

/**
 * The errors that a form still shows while they are being corrected, as they are worded now. Fields
 * without an error get none before the next submit.
 */
export function remainingErrors(shown: Errors, found: Errors): Errors {
  return Object.fromEntries(Object.entries(found).filter(([field]) => shown[field]));
}
