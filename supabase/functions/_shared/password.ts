// The rule for a new password: one for the browser, the embedded backend and the scripts.

/** Characters that must be visible. */
const fewestCharacters = 8;
/** bcrypt reads no further: two passwords with the same first 72 bytes would be the same. */
const mostBytes = 72;
const invisible = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/gu;

/** What is wrong with a new password, as a sentence for a person. Null when it may be used. */
export function passwordProblem(password: string): string | null {
  const least = `Please use at least ${fewestCharacters} characters`;
  if ([...password].length < fewestCharacters) return `${least}.`;
  if ([...password.replace(invisible, "")].length < fewestCharacters) {
    return `${least}, not counting spaces.`;
  }
  if (new TextEncoder().encode(password).length > mostBytes) {
    return `Please use at most ${mostBytes} characters. Accented letters count as two or more.`;
  }
  return null;
}
