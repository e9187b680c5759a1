/** The message of a caught error, also of the backend's errors that are not instances of Error. */
export function messageOf(error: unknown): string | undefined {
  return error instanceof Object && "message" in error ? String(error.message) : undefined;
}
