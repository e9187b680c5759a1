import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTemporaryFolder } from "../../tests/temporary-folder.ts";
import { decryptSecret, encryptSecret } from "./stored-secrets.ts";

const folder = await createTemporaryFolder("stored-secrets");
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "settings.key");

test("a secret is read with the key and purpose of its own, and an empty key is replaced", () => {
  writeFileSync(file, "");
  const stored = encryptSecret(folder, "mail", "secret");
  expect(readFileSync(file, "utf8")).toHaveLength(44);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(decryptSecret(folder, "mail", stored)).toBe("secret");
  expect(decryptSecret(folder, "bucket", stored)).toBeNull();
  writeFileSync(file, "");
  expect(decryptSecret(folder, "mail", stored)).toBeNull();
});
