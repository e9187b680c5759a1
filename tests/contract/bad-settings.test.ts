// An invalid setting makes the start fail with one clear sentence, before the database starts.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../free-port.ts";
import { runNode } from "../run-node.ts";
import { setUpFolder } from "../set-up.ts";

const folder = await setUpFolder("bad-settings");

async function tryToStart(environment: Record<string, string>) {
  return runNode(["server/main.ts"], {
    NODE_ENV: "production",
    PORT: String(await freePort()),
    DATA_DIR: join(folder, "data"),
    ...environment,
  });
}

async function expectSentence(environment: Record<string, string>, sentence: string) {
  const { code, output } = await tryToStart(environment);
  expect(output).toContain(sentence);
  expect(output).not.toContain("    at ");
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

test.each(["192.0.2.1", "no-such-host.invalid"])("the unusable HOST %s", { tags: "long" }, (host) =>
  expectSentence({ HOST: host }, `HOST ${host} is not an address of this machine`),
);

test("a DATA_DIR that cannot be created", { tags: "long" }, () =>
  expectSentence({ DATA_DIR: "/proc/x" }, "DATA_DIR /proc/x cannot be used"),
);

test("a value that a setting cannot have", { tags: "long" }, () =>
  expectSentence({ SITE_URL: "ftp://www.example.com" }, "\n  SITE_URL must"),
);

test("a secret key in place of the public one is rejected and not printed", async () => {
  const secret = "sb_secret_abcdefgh";
  const project = { SUPABASE_URL: "https://abc.supabase.co", SUPABASE_ANON_KEY: secret };
  const { code, output } = await tryToStart(project);
  expect(output).toContain("must never be in the site's environment");
  expect(output).not.toContain(secret);
  expect(code).toBe(1);
});

test("a misspelled variable is reported, without its value", async () => {
  const { output } = await tryToStart({ SMPT_URL: "smtp://ada:secret@localhost", PORT: "-1" });
  expect(output).toContain(
    "SMPT_URL is not a setting of this site and is ignored. Did you mean SMTP_URL?",
  );
  expect(output).not.toContain("secret");
});
