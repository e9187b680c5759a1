/** An error of supabase-js's auth client, or of loading it. */
export type AuthFailure = Pick<Error, "name" | "message"> & {
  /** 0 without a response; undefined for errors that are not the server's. */
  status?: number | undefined;
};

/** What supabase-js puts into the message when the server sent none: the body as JSON, or the status. */
const noMessage =
  /^\s*(\{.*\}|\[.*\]|null|HTTP \d+|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Time-?out)?\s*$/is;

/** The server's message; empty when it sent none. */
export function serverMessageOf({ status, message }: AuthFailure): string {
  return status && !noMessage.test(message) ? message : "";
}

/** The server's message, or what else is known. */
export function describeAuthFailure(
  error: AuthFailure,
  otherwise = "Something went wrong",
): string {
  const { name, message, status } = error;
  if (status === 0) return "The server did not respond. Check your connection and try again.";
  // A response that is not JSON has this name, and the message of the browser's parser.
  const isOwn = status === undefined && name !== "AuthUnknownError";
  return (isOwn ? message : serverMessageOf(error)) || otherwise;
}
