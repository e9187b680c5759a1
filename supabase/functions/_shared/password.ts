// The rule for a new password, shared by the browser, the embedded backend and the scripts.

/** Visible characters. */
const minCharacters = 8;
/** bcrypt ignores the rest: two passwords with the same first 72 bytes would be equal. */
const maxBytes = 72;
const invisible = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/gu;

/** What is wrong with a new password, as a sentence for the user; null when it is valid. */
export function passwordProblem(password: string): string | null {
  const tooShort = `Please use at least ${minCharacters} characters`;
  if ([...password].length < minCharacters) return `${tooShort}.`;
  if ([...password.replace(invisible, "")].length < minCharacters) {
    return `${tooShort}, not counting spaces.`;
  }
  if (new TextEncoder().encode(password).length > maxBytes) {
    return `Please use at most ${maxBytes} characters. Accented letters count as two or more.`;
  }
  return null;
}
