/**
 * What a log may say of an error: codes and kinds. The message itself may quote an address or what the
 * visitor wrote; it stands on the message's row, where only the owner reads it.
 */
export function reasonOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  const { name, code, command, responseCode } = error as Record<string, unknown>;
  const parts = [code, responseCode, command].filter(isWord);
  return parts.join(" ") || (isWord(name) ? String(name) : "unknown");
}

function isWord(value: unknown): value is string | number {
  return typeof value === "number" || (typeof value === "string" && /^[\w. -]{1,40}$/.test(value));
}
