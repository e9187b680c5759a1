import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findMeantSetting, readServerSettings } from "./read-settings.ts";
import { SettingsError } from "./server-settings.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "read-settings-"));
  for (const name of ["PORT", "SITE_URL", "SMPT_URL"]) vi.stubEnv(name, undefined);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("the file .env is read, and misspelled names in it are reported", () => {
  writeFileSync(join(folder, ".env"), "PORT=8080\nSMPT_URL=smtp://secret@localhost\n");
  const warnings: string[] = [];
  expect(readServerSettings(folder, (line) => warnings.push(line)).port).toBe(8080);
  expect(warnings).toEqual([
    "SMPT_URL is not a setting of this site and is ignored. Did you mean SMTP_URL?",
  ]);
});

test("the file .env is optional", () => {
  expect(readServerSettings(folder, () => {}).port).toBe(3000);
});

test("an unreadable .env is an error that names the file", () => {
  mkdirSync(join(folder, ".env"));
  expect(() => readServerSettings(folder, () => {})).toThrow(SettingsError);
  expect(() => readServerSettings(folder, () => {})).toThrow(
    `${join(folder, ".env")} cannot be read`,
  );
});

test.each([
  ["SMPT_URL", "SMTP_URL"],
  ["SUPABASE_ANNON_KEY", "SUPABASE_ANON_KEY"],
  ["DATADIR", "DATA_DIR"],
  ["PROT", "PORT"],
  ["smtp_url", "SMTP_URL"],
  ["TRUSTED_PROXY", null],
  ["OWNER_EMAILS", "OWNER_EMAIL"],
  ["SITE_URL", null],
  ["SUPABASE_SECRET_KEY", null],
  ["HOME", null],
  ["HOSTNAME", null],
  ["PATH", null],
  ["SUPABASE_ACCESS_TOKEN", null],
])("the variable %s is taken for a misspelling of %s", (name, meant) => {
  expect(findMeantSetting(name)).toBe(meant);
});
