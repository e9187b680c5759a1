// `npm run owner` on the embedded backend, running and stopped, and on a hosted project. The embedded backend stands in
// for the hosted one, behind a stub of Auth's admin API, which it lacks.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import { connect } from "embedded-supabase/database.ts";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { ensureOwner } from "../../server/embedded/owner-account.ts";
import { type Backend, startBackend } from "../../server/embedded/start.ts";
import { freePort } from "../free-port.ts";
import { runNode } from "../run-node.ts";
import { setUpFolder } from "../set-up.ts";
import { openClient, type Project, setUpProject, signIn } from "../start-project.ts";

const { project } = await setUpProject();
const folder = await setUpFolder("owner-script");
/** What the script sent to the stub, by account. */
const newPasswords = new Map<string, unknown>();

const port = await freePort();
const hosted = serve({ fetch: startHostedSite(project).fetch, port, hostname: "127.0.0.1" });
const hostedUrl = `http://127.0.0.1:${port}`;
afterAll(() => void hosted.close());

function startHostedSite({ url, secretKey, backend }: Project): Hono {
  const app = new Hono();
  app.use("/auth/v1/admin/*", async (context, next) => {
    if (context.req.header("authorization") === `Bearer ${secretKey}`) return next();
    return context.json({ code: 403, msg: "User not allowed" }, 403);
  });
  app.post("/auth/v1/admin/users", async (context) => {
    const { email, password } = await context.req.json();
    return context.json({ id: await backend?.createUser(email, password), email });
  });
  app.put("/auth/v1/admin/users/:id", async (context) => {
    newPasswords.set(context.req.param("id"), await context.req.json());
    return context.json({ id: context.req.param("id") });
  });
  app.all("/rest/v1/*", (context) => {
    const { pathname, search } = new URL(context.req.url);
    return proxy(`${url}${pathname}${search}`, context.req);
  });
  return app;
}

function runOwner(args: string[], environment: Record<string, string> = {}) {
  const keys = { SUPABASE_URL: hostedUrl, SUPABASE_SECRET_KEY: project.secretKey };
  return runNode(["scripts/owner.ts", ...args], { ...keys, ...environment });
}

const siteUrl = "http://127.0.0.1:4829";

/** Starts the embedded backend without a listener: the client calls it directly. */
function start(
  dataDir: string,
  ownerEmail: string,
  ownerPassword = "a-password-for-tests",
): Promise<Backend> {
  return startBackend({
    ...{ dataDir, siteUrl, ownerEmail, ownerPassword, rateLimits: false },
    mail: { smtpUrl: undefined, resendApiKey: undefined, environment: {} },
    visitorAddress: () => null,
    onStep: () => {},
  });
}

async function isOwner(email: string, password: string): Promise<boolean | null> {
  const client = openClient(project);
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return (await client.rpc("is_owner")).data;
}

const newEmail = () => `${randomUUID()}@example.com`;

test("a new account becomes the owner, with a password that is shown once", async () => {
  const email = newEmail();
  const { code, output } = await runOwner([email]);
  expect(output).toContain(`Created the account ${email}.`);
  expect(output).toContain(`${email} owns the site now.`);
  expect(code).toBe(0);
  const password = output.match(/shown only now: (\S+)/)?.[1] ?? "";
  expect(await isOwner(email, password)).toBe(true);
});

test("repeating it changes nothing and says so", async () => {
  const email = newEmail();
  const password = "a-password-for-tests";
  const first = await runOwner(["add", email], { OWNER_PASSWORD: password });
  expect(first.output).not.toContain(password);
  const again = await runOwner([email.toUpperCase()], { OWNER_PASSWORD: "another-one" });
  expect(again).toEqual({ code: 0, output: `${email} owned the site already.\n` });
  expect(await isOwner(email, password)).toBe(true);
});

test("an existing account is promoted and keeps its password", async () => {
  const { email, password } = await project.createStranger();
  expect(await isOwner(email, password)).toBe(false);
  const { output } = await runOwner([email]);
  expect(output).toBe(`${email} owns the site now.\n`);
  expect(await isOwner(email, password)).toBe(true);
});

test("a hosted project's people are listed, get another role or password, and are removed", {
  tags: "long",
}, async () => {
  const { email } = await project.createStranger();
  const added = await runOwner(["add", email, "--role", "editor", "--name", "Ada"]);
  expect(added).toEqual({ code: 0, output: `${email} is an editor now.\n` });
  expect((await runOwner(["list"])).output).toContain(`editor     ${email}  (Ada)\n`);
  const { output } = await runOwner(["password", email]);
  expect(output).toContain(`${email} has a new password and is signed out everywhere.`);
  const password = output.match(/shown only now: (\S+)/)?.[1];
  // Auth lets nobody sign in whose address is not confirmed, such as someone who was invited.
  expect([...newPasswords.values()]).toEqual([{ password, email_confirm: true }]);
  expect((await runOwner(["two-step-off", email])).output).toContain(
    `${email} had no second step of the sign-in, and is signed out everywhere.`,
  );
  expect((await runOwner(["remove", email])).code).toBe(0);
  expect((await runOwner(["list"])).output).not.toContain(email);
  expect(await runOwner(["remove", email])).toEqual({
    code: 1,
    output: `Nobody with the address ${email} manages the site.\n`,
  });
});

test("on the embedded backend it works while the site runs, and after it was stopped", {
  tags: "long",
}, async () => {
  const dataDir = join(folder, "data");
  const embedded = { SUPABASE_URL: "", SUPABASE_SECRET_KEY: "", DATA_DIR: dataDir };
  const missing = await runOwner(["list"], embedded);
  expect(missing).toMatchObject({ code: 1, output: expect.stringContaining("There is no site") });

  const first = await start(dataDir, "first@example.com");
  const running = createClient(siteUrl, first.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: (input, init) => first.fetch(new Request(input, init)) },
  });
  const former = { email: "first@example.com", password: "a-password-for-tests" };
  expect((await running.auth.signInWithPassword(former)).error).toBeNull();
  const added = await runOwner(["second@example.com"], {
    ...embedded,
    OWNER_PASSWORD: "a-second-password-for-tests",
  });
  expect(added.output).toContain("second@example.com owns the site now.");
  expect(await runOwner(["remove", former.email], embedded)).toMatchObject({
    code: 1,
    output: expect.stringContaining("at least one owner who has signed in"),
  });
  const next = { email: "second@example.com", password: "a-second-password-for-tests" };
  expect((await running.auth.signInWithPassword(next)).error).toBeNull();
  await running.auth.signOut({ scope: "local" });
  await running.auth.signInWithPassword(former);
  await runOwner(["password", former.email], {
    ...embedded,
    OWNER_PASSWORD: "another-password-for-tests",
  });
  expect((await running.rpc("is_owner")).data).toBe(false);
  const signIn = await running.auth.signInWithPassword({
    ...former,
    password: "another-password-for-tests",
  });
  expect(signIn.error).toBeNull();
  await first.stop();

  const list = await runOwner(["list"], embedded);
  expect(list.output).toBe("owner      first@example.com\nowner      second@example.com\n");
  expect((await runOwner(["remove", former.email], embedded)).code).toBe(0);
  const last = await runOwner(["remove", "second@example.com"], embedded);
  expect(last).toMatchObject({ code: 1, output: expect.stringContaining("at least one owner") });

  // An unchanged OWNER_EMAIL does not restore a removed owner; a changed one adds an owner.
  // Nobody gets the password, so it is not checked.
  const second = await start(dataDir, "first@example.com", "short");
  expect(second.owner).toEqual({ email: "second@example.com", others: [], setupToken: null });
  await second.stop();
  const third = await start(dataDir, "third@example.com");
  expect(third.owner).toEqual({
    email: "third@example.com",
    others: ["second@example.com"],
    setupToken: null,
  });
  await third.stop();
});

test("a weak OWNER_PASSWORD is rejected at a public address, and accepted with a warning on this machine", async () => {
  const sql = connect(project.backend?.databaseUrl ?? "", 1);
  onTestFinished(() => sql.end());
  const createUser = async (email: string, password: string) =>
    (await project.backend?.createUser(email, password)) ?? "";
  const account = { email: "new@example.com", password: "short" };
  const problem = "Please use at least 10 characters.";
  await expect(ensureOwner(sql, { ...account, isPublic: true, createUser })).rejects.toThrow(
    `OWNER_PASSWORD cannot be used. ${problem}`,
  );
  expect(await ensureOwner(sql, { ...account, isPublic: false, createUser })).toMatchObject({
    email: account.email,
    passwordProblem: problem,
  });
  const client = await signIn(project, account);
  expect((await client.rpc("is_owner")).data).toBe(true);
});

test.each([
  ["no address", [], {}, "npm run owner -- list"],
  ["an unknown command", ["promote", "you@example.com"], {}, "npm run owner -- list"],
  ["an unknown option", ["list", "--all"], {}, "npm run owner -- list"],
  ["an unknown role", ["you@example.com", "--role", "admin"], {}, "owner, editor, assistant"],
  ["no secret key", ["you@example.com"], { SUPABASE_SECRET_KEY: "" }, "SUPABASE_SECRET_KEY"],
  [
    "the public key",
    ["you@example.com"],
    { SUPABASE_SECRET_KEY: "sb_publishable_x" },
    "is the key the secret one?",
  ],
  ["a short password", ["a@b.example"], { OWNER_PASSWORD: "short" }, "at least 10 characters"],
] as [string, string[], Record<string, string>, string][])(
  "%s ends with an error that says what to do",
  { tags: "long" },
  async (_what, args, environment, message) => {
    const { code, output } = await runOwner(args, environment);
    expect(code).toBe(1);
    expect(output).toContain(message);
  },
);
