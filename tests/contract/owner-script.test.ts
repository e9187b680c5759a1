// `npm run owner` against a hosted project. The embedded backend stands in for it, behind a stub of
// Auth's admin API, which it lacks.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type ServerType, serve } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import freePort from "get-port";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClient, type Project, startProject } from "../start-project.ts";

const root = join(import.meta.dirname, "../..");
let project: Project;
let hosted: ServerType;
let hostedUrl: string;

beforeAll(async () => {
  project = await startProject();
  const port = await freePort();
  hosted = serve({ fetch: startHostedSite(project).fetch, port, hostname: "127.0.0.1" });
  hostedUrl = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  hosted.close();
  await project.stop();
});

function startHostedSite({ url, secretKey, backend }: Project): Hono {
  const users: { id: string; email: string }[] = [];
  const app = new Hono();
  app.use("/auth/v1/admin/*", async (context, next) => {
    if (context.req.header("authorization") === `Bearer ${secretKey}`) return next();
    return context.json({ code: 403, msg: "User not allowed" }, 403);
  });
  app.get("/auth/v1/admin/users", (context) => {
    const from = (Number(context.req.query("page")) - 1) * Number(context.req.query("per_page"));
    return context.json({ users: users.slice(from, from + Number(context.req.query("per_page"))) });
  });
  app.post("/auth/v1/admin/users", async (context) => {
    const { email, password } = await context.req.json();
    const user = { id: (await backend?.createUser(email, password)) ?? "", email };
    users.push(user);
    return context.json(user);
  });
  app.all("/rest/v1/*", (context) => {
    const { pathname, search } = new URL(context.req.url);
    return proxy(`${url}${pathname}${search}`, context.req);
  });
  return app;
}

function runOwner(email: string, environment: Record<string, string> = {}) {
  const child = spawn(
    join(root, "node_modules/.bin/node"),
    ["scripts/owner.ts", ...(email ? [email] : [])],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        SUPABASE_URL: hostedUrl,
        SUPABASE_SECRET_KEY: project.secretKey,
        ...environment,
      },
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, output })),
  );
}

async function isOwner(email: string, password: string): Promise<boolean | null> {
  const client = openClient(project);
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return (await client.rpc("is_owner")).data;
}

test("a new account becomes the owner, with a password that is shown once", async () => {
  const email = `${randomUUID()}@example.com`;
  const { code, output } = await runOwner(email);
  expect(output).toContain(`Created the account ${email}.`);
  expect(output).toContain(`${email} owns the site now.`);
  expect(code).toBe(0);
  const password = output.match(/shown only now: (\S+)/)?.[1] ?? "";
  expect(await isOwner(email, password)).toBe(true);
});

test("repeating it changes nothing and says so", async () => {
  const email = `${randomUUID()}@example.com`;
  const password = "a-password-for-tests";
  const first = await runOwner(email, { OWNER_PASSWORD: password });
  expect(first.output).not.toContain(password);
  const { code, output } = await runOwner(email.toUpperCase(), { OWNER_PASSWORD: "another-one" });
  expect(output).toBe(`${email.toUpperCase()} owned the site already.\n`);
  expect(code).toBe(0);
  expect(await isOwner(email, password)).toBe(true);
});

test("an existing account is promoted and keeps its password", async () => {
  const email = `${randomUUID()}@example.com`;
  const password = "a-password-for-tests";
  await createClient(hostedUrl, project.secretKey).auth.admin.createUser({ email, password });
  expect(await isOwner(email, password)).toBe(false);
  const { output } = await runOwner(email);
  expect(output).toBe(`${email} owns the site now.\n`);
  expect(await isOwner(email, password)).toBe(true);
});

test.each([
  ["no address", "", {}, "npm run owner -- you@example.com"],
  ["no project", "you@example.com", { SUPABASE_URL: "" }, "OWNER_EMAIL and OWNER_PASSWORD"],
  ["no secret key", "you@example.com", { SUPABASE_SECRET_KEY: "" }, "SUPABASE_SECRET_KEY"],
  ["the public key", "you@example.com", { SUPABASE_SECRET_KEY: "sb_publishable_x" }, "not allowed"],
  ["a short password", "you@example.com", { OWNER_PASSWORD: "short" }, "at least 8 characters"],
  ["a blank password", "you@example.com", { OWNER_PASSWORD: " ".repeat(9) }, "not counting spaces"],
  ["a password over 72 bytes", "you@example.com", { OWNER_PASSWORD: "é".repeat(37) }, "at most 72"],
])("%s ends with an error that says what to do", async (_what, email, environment, message) => {
  const { code, output } = await runOwner(email, environment);
  expect(code).toBe(1);
  expect(output).toContain(message);
});
