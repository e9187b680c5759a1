// The rule for a new password, shared by the browser, the embedded backend and the scripts.

/** The minimum number of visible characters. */
const minCharacters = 8;
/** The maximum number of bytes. bcrypt ignores the rest: passwords with the same first 72 bytes would be equal. */
const maxBytes = 72;
const invisible = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/gu;

/** The problem with a new password, as a sentence for the user; null when it is valid. */
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
