import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readSettings } from "./read-settings.ts";
import { SettingsError } from "./settings.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "read-settings-"));
  for (const name of ["PORT", "SITE_URL", "SMPT_URL"]) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("the file .env completes the environment, and misspelled names in it are told", () => {
  writeFileSync(join(folder, ".env"), "PORT=8080\nSMPT_URL=smtp://secret@localhost\n");
  const warnings: string[] = [];
  expect(readSettings(folder, (line) => warnings.push(line)).port).toBe(8080);
  expect(warnings).toEqual([
    "SMPT_URL is not a setting of this site and is ignored. Did you mean SMTP_URL?",
  ]);
});

test("without .env the environment alone counts", () => {
  expect(readSettings(folder, () => {}).port).toBe(3000);
});

test("a .env that cannot be read ends the start with a sentence", () => {
  mkdirSync(join(folder, ".env"));
  expect(() => readSettings(folder, () => {})).toThrow(SettingsError);
  expect(() => readSettings(folder, () => {})).toThrow(`${join(folder, ".env")} cannot be read`);
});
