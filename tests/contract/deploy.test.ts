// `npm run deploy` brings a new project to a complete state, and a second run changes only what it must. A stand-in for the Supabase
// CLI writes down its calls, and passes what concerns the database on to the real one, with the rights of a hosted project. What
// needs supabase.com is not tried: keys, functions, secrets, configuration.
import { createHash } from "node:crypto";
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "embedded-supabase/database.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { afterAll, expect, test } from "vitest";
import { type Backend, startBackend } from "../../server/embedded/start.ts";
import { setUpHostedPlatform } from "../hosted-platform.ts";
import { startHttpServer } from "../http-server.ts";
import { endOf, startNode } from "../run-node.ts";

const root = join(import.meta.dirname, "../..");
const ref = "abcdefghijklmnopqrst";
const siteUrl = "https://www.example.test";
const platform = await setUpHostedPlatform("deploy");
const hosted = connect(platform.url, 1);
const dataDir = join(platform.folder, "site");
await mkdir(dataDir, { mode: 0o711 });
const { publishableKey, secretKey } = loadSecrets(dataDir);
const calls = join(platform.folder, "calls");
const project = join(platform.folder, "project");

/** The services of the project, on the same database, from the first request on. */
let backend: Promise<Backend> | undefined;
const front = await startHttpServer(async (request, response) => {
  backend ??= startServices();
  const { fetch, createUser } = await backend;
  const url = new URL(request.url ?? "", front.url);
  const body = (await request.toArray()).join("");
  let answer = new Response(null, { status: 404 });
  if (url.pathname === "/auth/v1/admin/users") {
    const { email, password } = JSON.parse(body);
    answer = Response.json({ id: await createUser(email, password), email });
  } else if (url.pathname.startsWith("/rest/v1/")) {
    const headers = new Headers();
    for (const name of ["apikey", "authorization", "content-type"]) {
      const value = request.headers[name];
      if (typeof value === "string") headers.set(name, value);
    }
    const method = request.method ?? "GET";
    answer = await fetch(new Request(url, { method, headers, ...(body && { body }) }));
  }
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
});
afterAll(async () => {
  front.stop();
  await (await backend)?.stop();
  await hosted.end();
});

function startServices(): Promise<Backend> {
  const { url } = platform.database;
  return startBackend({
    ...{ dataDir, siteUrl, ownerEmail: "owner@example.com", rateLimits: false },
    mail: { smtpUrl: undefined, resendApiKey: undefined, environment: {} },
    startServer: async () => ({ url, exited: new Promise(() => {}), stop: async () => {} }),
    visitorAddress: () => null,
    onStep: () => {},
  });
}

await mkdir(join(project, "supabase/.temp"), { recursive: true });
await cp(join(root, "supabase"), join(project, "supabase"), { recursive: true });
await mkdir(join(platform.folder, "bin"));
const standIn = join(platform.folder, "bin/supabase");
await writeFile(
  standIn,
  `#!${process.execPath}
const { appendFileSync, readFileSync } = require("node:fs");
const { spawnSync } = require("node:child_process");
const args = process.argv.slice(2);
const after = (name) => args[args.indexOf(name) + 1];
const file = args.includes("--env-file") ? after("--env-file")
  : args.includes("--workdir") ? after("--workdir") + "/supabase/config.toml" : null;
appendFileSync(${JSON.stringify(calls)}, JSON.stringify({
  args, text: file && readFileSync(file, "utf8"), hook: process.env.SEND_EMAIL_HOOK_SECRET ?? null,
}) + "\\n");
if (args[0] === "projects") {
  console.log(JSON.stringify([
    { name: "anon", api_key: "legacy" },
    { name: "default", api_key: ${JSON.stringify(publishableKey)}, type: "publishable" },
    { name: "default", api_key: ${JSON.stringify(secretKey)}, type: "secret" },
  ]));
} else if (args[0] === "db") {
  const given = args.filter((arg) => !arg.startsWith("--remote"));
  const url = ${JSON.stringify(`${platform.url}?sslmode=disable`)};
  const cli = ${JSON.stringify(join(root, "node_modules/supabase/dist/supabase.js"))};
  const { status } = spawnSync(process.execPath, [cli, ...given, "--db-url", url, "--workdir", ${JSON.stringify(platform.folder)}], {
    stdio: "inherit",
  });
  process.exit(status ?? 1);
}
`,
);
await chmod(standIn, 0o755);

async function deploy(environment: Record<string, string> = {}, args: string[] = []) {
  await writeFile(calls, "");
  const child = startNode(
    [join(root, "scripts/deploy.ts"), ...args],
    {
      ...{ PATH: `${join(platform.folder, "bin")}:${process.env.PATH}`, HOME: platform.folder },
      // Nothing may reach other machines.
      ...{ DO_NOT_TRACK: "1", SUPABASE_TELEMETRY_DISABLED: "1", SUPABASE_NO_UPDATE_NOTIFIER: "1" },
      ...{ HTTPS_PROXY: "http://127.0.0.1:9", NO_COLOR: "1", SUPABASE_HOME: platform.folder },
      ...{ SUPABASE_URL: front.url, DATA_DIR: dataDir },
      ...environment,
    },
    project,
  );
  const { code, output } = await endOf(child);
  const lines = (await readFile(calls, "utf8")).split("\n").filter(Boolean);
  return { code, output, calls: lines.map((line) => JSON.parse(line)) };
}

const wanted = { SITE_URL: siteUrl, OWNER_EMAIL: "you@example.com", SMTP_URL: "smtps://a:b@mail" };

test.each([
  ["SITE_URL", { SITE_URL: "" }, "Set SITE_URL to the public address"],
  ["OWNER_EMAIL", { OWNER_EMAIL: "" }, "Set OWNER_EMAIL to the address"],
  ["a link", {}, "First run: npx supabase link"],
])("without %s it does nothing and says what to do", async (_what, lack, message) => {
  const { code, output, calls } = await deploy({ ...wanted, ...lack });
  expect([code, calls]).toEqual([1, []]);
  expect(output).toContain(message);
});

test("a new project gets everything, and the site its settings", { tags: "long" }, async () => {
  await writeFile(join(project, "supabase/.temp/project-ref"), `${ref}\n`);
  await writeFile(join(project, ".env"), "CONTACT_TO=adviser@example.com");
  const { output, calls } = await deploy(wanted, ["--sample-content"]);
  expect(output).toContain("you@example.com owns the site now.");
  expect(output).toMatch(/\nChecking the project …\n[\s\S]*The project is deployed\. Correct/);
  // Three migrations differ, because the stand-in of the platform changes them.
  expect(output).not.toMatch(/Policies|Jobs|Secrets of the Vault/);

  expect(calls.map(({ args }) => args.slice(0, 2).join(" "))).toEqual([
    ...["projects api-keys", "db push", "functions deploy", "secrets set", "config push"],
    "db query",
  ]);
  expect(calls.every(({ args }) => args.includes(`--remote=${ref}`))).toBe(true);
  expect(JSON.stringify(calls.map(({ args }) => args))).not.toContain(secretKey);
  const [, , functions, secrets, config] = calls;
  expect(functions.args).toEqual(expect.arrayContaining(["send-email", "invite-person"]));
  expect(secrets.text).toMatch(
    /^ALLOWED_ORIGINS="https:\/\/www\.example\.test"\nSMTP_URL=.*\nCONTACT_TO="adviser@example\.com"\nSEND_EMAIL_HOOK_SECRET="v1,whsec_.{44}"\n$/,
  );
  expect(secrets.text).toContain(config.hook);
  expect(config.text).toContain(`\nsite_url = "${siteUrl}"\n`);
  expect(config.text).toContain(
    `[auth.hook.send_email]\nenabled = true\nuri = "${front.url}/functions/v1/send-email/account"\n`,
  );

  const environment = await readFile(join(project, ".env"), "utf8");
  expect(environment).toMatch(
    /^CONTACT_TO=adviser@example\.com\nSUPABASE_ANON_KEY=sb_publishable_/,
  );
  expect(environment).not.toContain(secretKey);
  const key = /^SITE_KEY=(.+)$/m.exec(environment)?.[1] ?? "";
  const [stored] = await hosted`select encode(hash, 'hex') as hash from private.site_key`;
  expect(stored?.hash).toBe(createHash("sha256").update(key).digest("hex"));
  expect(
    await hosted`select name, decrypted_secret as value from vault.decrypted_secrets order by 1`,
  ).toEqual([
    { name: "project_url", value: front.url },
    { name: "secret_key", value: secretKey },
  ]);
  const [owner] = await hosted`
    select tableowner as name from pg_tables where schemaname = 'private' and tablename = 'people'`;
  expect(owner?.name).toBe("hosted");
});

test("a second run repeats nothing in the database and keeps the key of the site", {
  tags: "long",
}, async () => {
  const before = await readFile(join(project, ".env"), "utf8");
  const keys = await hosted`select * from private.site_key`;
  const { output } = await deploy(wanted);
  expect(output).toContain("Remote database is up to date");
  expect(output).toContain("you@example.com owned the site already.");
  expect(await readFile(join(project, ".env"), "utf8")).toBe(before);
  expect(await hosted`select * from private.site_key`).toEqual(keys);
  expect(await hosted`select from vault.secrets`).toHaveLength(2);
});

test("without a mail service, Auth goes on sending its own mails", { tags: "long" }, async () => {
  const { output, calls } = await deploy({ ...wanted, SMTP_URL: "" });
  expect(output).toContain("messages wait at /messages");
  const [, , , secrets, config] = calls;
  expect(secrets.text).not.toContain("SEND_EMAIL_HOOK_SECRET");
  expect(config.text).toContain("[auth.hook.send_email]\nenabled = false\n");
});
