// Reads the settings of this process from the environment and the file `.env`.
import { join } from "node:path";
import { parseSettings, type Settings, SettingsError, settingNames } from "./settings.ts";

/**
 * @param warn receives a sentence per variable that looks like a misspelled setting
 * @throws {SettingsError}
 */
export function readSettings(folder: string, warn: (line: string) => void): Settings {
  loadEnvironmentFile(folder);
  for (const name of Object.keys(process.env)) {
    const meant = findMeantSetting(name);
    if (meant) {
      warn(`${name} is not a setting of this site and is ignored. Did you mean ${meant}?`);
    }
  }
  return parseSettings(process.env);
}

/** Variables that are already set take precedence. @throws {SettingsError} */
export function loadEnvironmentFile(folder: string): void {
  const file = join(folder, ".env");
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT") return;
    throw new SettingsError(`The settings file ${file} cannot be read: ${code ?? error}`);
  }
}

/**
 * The setting that a variable name probably misspells, or null. Names of up to five letters may differ by
 * one edit (a letter added, removed, replaced, or swapped with the next), longer ones by two.
 */
export function findMeantSetting(given: string): string | null {
  if (settingNames.includes(given)) return null;
  const upper = given.toUpperCase();
  const [nearest] = settingNames
    .map((name) => ({ name, edits: countEdits(upper, name) }))
    .filter(({ name, edits }) => edits <= (name.length <= 5 ? 1 : 2))
    .sort((a, b) => a.edits - b.edits);
  return nearest?.name ?? null;
}

/**
 * Optimal string alignment distance. The npm packages for it count a swap as two edits, which makes PROT as
 * distant from PORT as HOST is.
 */
function countEdits(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
