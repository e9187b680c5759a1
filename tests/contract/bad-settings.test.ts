// An invalid setting makes the start fail with one clear sentence, before the database starts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePort } from "../free-port.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
let folder: string;

beforeEach(async () => {
  folder = await createTemporaryFolder("bad-settings");
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function tryToStart(environment: Record<string, string>) {
  const site = spawn(process.execPath, ["server/main.ts"], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(await freePort()),
      DATA_DIR: join(folder, "data"),
      ...environment,
    },
  });
  const [[code], errors] = await Promise.all([
    once(site, "exit"),
    text(site.stderr),
    text(site.stdout),
  ]);
  return { code, errors };
}

async function expectSentence(environment: Record<string, string>, sentence: string) {
  const { code, errors } = await tryToStart(environment);
  expect(errors).toContain(sentence);
  expect(errors).not.toContain("    at ");
  expect(code).toBe(1);
  expect(existsSync(join(folder, "data/postgres"))).toBe(false);
}

test("a PORT in use", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await expectSentence({ PORT: String(port) }, `PORT ${port} on 127.0.0.1 is in use`);
  other.close();
});

test.each(["192.0.2.1", "no-such-host.invalid", "999.1.1.1"])("the unusable HOST %s", (host) =>
  expectSentence({ HOST: host }, `HOST ${host} is not an address of this machine`),
);

test("a DATA_DIR that cannot be created", () =>
  expectSentence({ DATA_DIR: "/proc/x" }, "DATA_DIR /proc/x cannot be used"));

test.each([
  ["PORT", "99999"],
  ["SITE_URL", "ftp://www.example.com"],
  ["SITE_URL", "https://www.example.com/blog"],
  ["TRUSTED_PROXIES", "-1"],
  ["CONTACT_FROM", "Jane"],
])("%s=%s", (name, value) => expectSentence({ [name]: value }, `\n  ${name} must`));

test("a secret key in place of the public one is rejected and not printed", async () => {
  const secret = "sb_secret_abcdefgh";
  const project = { SUPABASE_URL: "https://abc.supabase.co", SUPABASE_ANON_KEY: secret };
  const { code, errors } = await tryToStart(project);
  expect(errors).toContain("must never be in the site's environment");
  expect(errors).not.toContain(secret);
  expect(code).toBe(1);
});

test("a misspelled variable is reported, without its value", async () => {
  const { errors } = await tryToStart({ SMPT_URL: "smtp://ada:secret@localhost", PORT: "-1" });
  expect(errors).toContain(
    "SMPT_URL is not a setting of this site and is ignored. Did you mean SMTP_URL?",
  );
  expect(errors).not.toContain("secret");
});
