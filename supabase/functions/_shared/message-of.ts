/** The message of anything that was thrown: an Error, or an error object of supabase-js. */
export function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}
