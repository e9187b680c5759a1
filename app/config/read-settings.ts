// The settings of this process: the environment, completed by the file `.env`.
import { join } from "node:path";
import { listMisspelledSettings, parseSettings, type Settings, SettingsError } from "./settings.ts";

/**
 * @param warn receives a sentence per variable that looks like a misspelled setting.
 * @throws {SettingsError}
 */
export function readSettings(folder: string, warn: (line: string) => void): Settings {
  loadEnvironmentFile(folder);
  for (const { name, meant } of listMisspelledSettings(process.env)) {
    warn(`${name} is not a setting of this site and is ignored. Did you mean ${meant}?`);
  }
  return parseSettings(process.env);
}

/** Variables that are set already win. @throws {SettingsError} */
export function loadEnvironmentFile(folder: string): void {
  const file = join(folder, ".env");
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw new SettingsError(`The settings file ${file} cannot be read: ${code ?? message}`);
  }
}
