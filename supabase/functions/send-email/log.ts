/**
 * Logs an error by its codes and its name only. Its message may quote an address or the visitor's
 * text; it is stored in the message's row, which only the owner reads.
 */
export function logError(what: string, error: unknown): void {
  console.error(`send-email: ${what}:`, reasonOf(error));
}

export function reasonOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  // Only the types of these properties are unknown; each is checked.
  const { name, code, command, responseCode } = error as Record<string, unknown>;
  const parts = [code, responseCode, command].filter(isWord);
  return parts.join(" ") || (isWord(name) ? String(name) : "unknown");
}

function isWord(value: unknown): value is string | number {
  return typeof value === "number" || (typeof value === "string" && /^[\w. -]{1,40}$/.test(value));
}
