import { isReadable, isSessionEnd } from "../../supabase/functions/_shared/api-errors.ts";
import { messageOf } from "../../supabase/functions/_shared/message-of.ts";

/** Another window or a scheduled job changed what this change replaces, or policies forbid it. Nothing was changed. */
export class ChangedElsewhereError extends Error {}

/**
 * Describes why saving or publishing a draft failed, as the end of a sentence, and what happens next.
 * @param subject what the account may not change, when the database rejects the change
 * @param next what happens after a failure that may be temporary
 */
export function describeFailure(
  error: unknown,
  subject: string,
  next: "It is tried again." | "Try again.",
): string {
  const code = codeOf(error);
  if (isOffline(error)) return `there is no connection. ${next}`;
  if (code === "42501") return `this account may not change ${subject}.`;
  // restrict_violation: private.require_approval
  if (code === "23001") return `${messageOf(error).replace("This", "this")}.`;
  if (code === "57014") return `the server took too long. ${next}`;
  const reason = toldReason(error);
  if (reason) return reason.replace("The", "the");
  const isTooLarge = /too large|at most 1 MB/i.test(messageOf(error));
  if (code === "23514" || isTooLarge) return "this is too long for a draft. Shorten it.";
  if (error instanceof ChangedElsewhereError) {
    return "another window made changes. Read them, then try again.";
  }
  if (isSessionEnd(code)) return "you are signed out. Sign in again in another window.";
  return `the server did not accept it. ${next}`;
}

/** What the database says for people to read. */
export function toldReason(error: unknown): string | null {
  return isReadable(codeOf(error)) ? messageOf(error) : null;
}

export function isOffline(error: unknown): boolean {
  if (!navigator.onLine) return true;
  // The database or PostgREST has answered, in words such as 'canceling statement due to statement timeout'.
  if (/^([0-9A-Z]{5}|PGRST\d+)$/.test(codeOf(error) ?? "")) return false;
  return /fetch|network|load failed|timed? ?out|abort/i.test(messageOf(error));
}

export function codeOf(error: unknown): string | null {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : null;
}

/** What the database adds to an error for programs, for example the path of a setting. */
export function hintOf(error: unknown): string | null {
  return typeof error === "object" && error !== null && "hint" in error ? String(error.hint) : null;
}
