// What the codes of a project's API mean. PostgREST 13 changed some of them, and a project is upgraded by its platform.
// Covers: PostgREST 12 to 14. Does not cover: the codes of Auth and Storage.

/** A malformed token, and one that has expired: up to PostgREST 12, from 13. */
const sessionCodes = ["PGRST301", "PGRST303"];
/** A missing table and a missing function: of PostgreSQL, and of PostgREST's schema cache (tables from 13). */
const missingCodes = ["42P01", "PGRST205", "42883", "PGRST202"];

/** Whether the request was rejected because its session has ended. `my_profile` raises such a code too. */
export function isSessionEnd(code: string | null | undefined): boolean {
  return sessionCodes.includes(code ?? "");
}

/** Whether the project lacks the table or function, because a migration was not run. */
export function isMissing(code: string | null | undefined): boolean {
  return missingCodes.includes(code ?? "");
}

/** Whether another row has the value of a unique column, such as the id. */
export function isDuplicate(code: string | null | undefined): boolean {
  return code === "23505";
}

/** Whether the request names a version that was replaced: functions and triggers then raise an exclusion_violation. */
export function isOutdated(code: string | null | undefined): boolean {
  return code === "23P01";
}

// PostgREST makes a status of a code that begins with PT. These are raised by functions and triggers of the project.

/** Whether the message is a sentence for people to read. About a setting, the error's hint is the setting's path. */
export function isReadable(code: string | null | undefined): boolean {
  return code === "PT422";
}

/** Whether the database refuses the values of a row (classes 22 and 23 of PostgreSQL), so that the same call fails again. */
export function isRefused(code: string | null | undefined): boolean {
  return isReadable(code) || /^2[23]/.test(code ?? "");
}

/** Whether the visitor agreed to a sentence that pages no longer show. */
export function isPageChange(code: string | null | undefined): boolean {
  return code === "PT409";
}
