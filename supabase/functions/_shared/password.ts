// The rule for a new password, shared by the browser, the embedded backend and the scripts. The site imports it on demand,
// because it contains a list of common passwords.
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/** The minimum number of visible characters. A hosted project has its own setting: supabase/config.toml. */
export const minCharacters = 10;
/** The maximum number of bytes. bcrypt ignores the rest: passwords with the same first 72 bytes would be equal. */
export const maxBytes = 72;
const invisible = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/gu;
/** The score, from 0 to 4, from which on guessing takes more than 10^8 attempts. */
const minScore = 3;

let meter: ZxcvbnFactory | undefined;

/**
 * The problem with a new password, as a sentence for the user; null when it is valid.
 * @param known what others know of the account, such as its address
 */
export function passwordProblem(password: string, known: readonly string[] = []): string | null {
  const tooShort = `Please use at least ${minCharacters} characters`;
  if ([...password].length < minCharacters) return `${tooShort}.`;
  if ([...password.replace(invisible, "")].length < minCharacters) {
    return `${tooShort}, not counting spaces.`;
  }
  if (new TextEncoder().encode(password).length > maxBytes) {
    return `Please use at most ${maxBytes} characters. Accented letters count as two or more.`;
  }
  meter ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter(Boolean);
  if (meter.check(password, words).score >= minScore) return null;
  return "This password is easy to guess. Use three or four words that do not belong together, or one that your browser suggests.";
}
