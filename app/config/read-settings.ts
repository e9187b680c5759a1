// Reads the settings of this process from the environment and the file `.env`.
import { join } from "node:path";
import {
  parseSettings,
  type ServerSettings,
  SettingsError,
  settingNames,
} from "./server-settings.ts";

/** @param warn receives a sentence per variable that looks like a misspelled setting. @throws {SettingsError} */
export function readServerSettings(folder: string, warn: (line: string) => void): ServerSettings {
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

/** The setting that a variable name probably misspells, by one letter that was added, left out, replaced or moved; or null. */
export function findMeantSetting(given: string): string | null {
  if (settingNames.includes(given)) return null;
  const spellings = new Set(withoutALetter(given.toUpperCase()));
  const meant = settingNames.find((name) =>
    withoutALetter(name).some((each) => spellings.has(each)),
  );
  return meant ?? null;
}

/** The name, and what is left of it without each of its letters. */
function withoutALetter(name: string): string[] {
  return [name, ...Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1))];
}
