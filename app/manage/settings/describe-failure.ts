import { messageOf } from "../../forms/use-form-submit.ts";

/** Why a request about the settings failed, as the end of a sentence, and what happens next. */
export function describeFailure(error: unknown): string {
  const code = codeOf(error);
  if (!navigator.onLine || /fetch|network|load failed|timed? ?out|abort/i.test(messageOf(error))) {
    return "there is no connection. It is tried again.";
  }
  if (code === "42501") return "this account may not change the settings.";
  if (code === "23514") return "this is too long for a draft. Shorten it.";
  if (code === "PGRST301" || code === "PGRST303") {
    return "you are signed out. Sign in again in another window.";
  }
  return "the server did not accept it. It is tried again.";
}

export function codeOf(error: unknown): string | null {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : null;
}
