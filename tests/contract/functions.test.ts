// The function runner and the send-email function, called by the real supabase-js and run in real
// Deno.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerType, serve } from "@hono/node-server";
import {
  createClient,
  FunctionsHttpError,
  FunctionsRelayError,
  type SupabaseClient,
} from "@supabase/supabase-js";
import { Hono } from "hono";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createAuthenticate, createSessions } from "../../backend/auth/authentication.ts";
import { connect, type Sql } from "../../backend/database.ts";
import {
  type Functions,
  type FunctionsOptions,
  startFunctions,
} from "../../backend/functions/functions.ts";
import { type PostgresServer, startPostgres } from "../../backend/postgres/server.ts";
import { createRestAuth, type RestAuth } from "../../backend/rest-auth.ts";
import { loadSecrets, type Secrets } from "../../backend/secrets.ts";
import { startSmtp } from "../smtp-server.ts";

const root = join(import.meta.dirname, "../..");
const visitor = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  phone: "555 0100",
  message: "Please call me about life insurance.\n\nThank you.",
};

/** Small functions for behavior that send-email does not have. */
const testFunctions = {
  echo: `Deno.serve(async (request) => Response.json({
    method: request.method,
    path: new URL(request.url).pathname + new URL(request.url).search,
    body: await request.text(),
    headers: Object.fromEntries(request.headers),
  }, { status: 201, headers: { "x-own": "yes", "set-cookie": "a=b" } }));`,
  pid: `Deno.serve({ port: 8000 }, () => Response.json(Deno.pid));`,
  throws: `Deno.serve(() => { throw new Error("a secret detail"); });`,
  broken: `throw new Error("broken from the start");`,
  hangs: `let calls = 0;
    Deno.serve(() => { while (calls++ < 1 || true) { /* forever */ } return new Response(); });`,
  closed: `console.log("started"); Deno.serve(() => new Response("inside"));`,
  escape: `const attempt = async (work) => {
      try { await work(); return "allowed"; } catch (error) { return error.name; }
    };
    Deno.serve(async (request) => {
      const { port, secrets } = await request.json();
      return Response.json({
        import: await attempt(() => import(secrets, { with: { type: "json" } })),
        read: await attempt(() => Deno.readTextFile("/etc/passwd")),
        write: await attempt(() => Deno.writeTextFile("/tmp/from-a-function", "x")),
        run: await attempt(() => new Deno.Command("/bin/sh").output()),
        database: await attempt(() => Deno.connect({ hostname: "127.0.0.1", port })),
        internet: await attempt(() => fetch("https://example.com")),
        foreign: Deno.env.get("HOME") ?? null,
        own: Object.keys(Deno.env.toObject()).sort(),
      });
    });`,
};

let folder: string;
let postgres: PostgresServer;
let sql: Sql;
let secrets: Secrets;
let restAuth: RestAuth;
let server: ServerType;
let url: string;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
/** send-email without a mail service, and the small functions, all reached over HTTP. */
let printing: Functions;
let small: Functions;
const started: Functions[] = [];
const lines: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "functions-test-"));
  await chmod(folder, 0o711);
  secrets = loadSecrets(folder);
  postgres = await startPostgres(folder, secrets.databasePassword);
  sql = connect(postgres.url, 4);
  const app = new Hono();
  await new Promise<void>((resolve) => {
    server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
      url = `http://127.0.0.1:${port}`;
      resolve();
    });
  });
  const authenticate = createAuthenticate(secrets, createSessions(sql));
  restAuth = createRestAuth({ databaseUrl: postgres.url, secrets, authenticate, siteUrl: url });
  await restAuth.prepare();
  await runFile("backend/sql/platform.sql");
  await runFile("backend/storage/schema.sql");
  const migrations = (await readdir(join(root, "supabase/migrations"))).sort();
  for (const name of migrations) await runFile(`supabase/migrations/${name}`);
  smtp = await startSmtp();

  for (const [name, code] of Object.entries(testFunctions)) {
    await mkdir(join(folder, "functions", name), { recursive: true });
    await writeFile(join(folder, "functions", name, "index.ts"), code);
  }
  printing = start({});
  small = start(
    { SMTP_URL: smtp.url },
    {
      functionsDir: join(folder, "functions"),
      callers: Object.fromEntries(
        Object.keys(testFunctions).flatMap((name) =>
          name === "closed" ? [] : [[name, "anyone" as const]],
        ),
      ),
      timeLimit: 3_000,
    },
  );
  app.all("/functions/v1/send-email/*", (context) => printing.fetch(context.req.raw));
  app.all("/functions/v1/*", (context) => small.fetch(context.req.raw));
  app.all("*", (context) => restAuth.fetch(context.req.raw));
});

afterEach(async () => {
  smtp.mails.length = 0;
  smtp.rejectsAddresses = false;
  // A message left in the queue by one test would be sent by the next.
  await sql`delete from contact_messages`;
});

afterAll(async () => {
  await Promise.all(started.map((functions) => functions.stop()));
  smtp.server.close();
  server.close();
  await Promise.all([restAuth.stop(), sql.end()]);
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

function start(
  environment: Record<string, string>,
  changes: {
    functionsDir?: string;
    siteUrl?: string;
    secretKey?: string;
    timeLimit?: number;
    callers?: FunctionsOptions["callers"];
  } = {},
): Functions {
  const functions = startFunctions({
    functionsDir: join(root, "supabase/functions"),
    siteUrl: url,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
    authenticate: createAuthenticate(secrets, createSessions(sql)),
    hasRole: async () => false,
    environment: () => ({
      CONTACT_TO: "adviser@example.com",
      CONTACT_FROM: "site@example.com",
      ...environment,
    }),
    cacheDir: join(folder, "cache"),
    log: (line) => lines.push(line),
    ...changes,
  });
  started.push(functions);
  return functions;
}

async function runFile(path: string): Promise<void> {
  await sql.unsafe(await readFile(join(root, path), "utf8"));
}

/** A visitor's client: over HTTP, or directly to one runner. */
function client(functions?: Functions): SupabaseClient {
  return createClient(url, secrets.publishableKey, {
    global: functions && {
      fetch: (input, init) => functions.fetch(new Request(input, init)),
    },
  });
}

function send(message: unknown, functions?: Functions) {
  return client(functions).functions.invoke("send-email", { body: JSON.stringify(message) });
}

async function storedMessage(id: string) {
  const [row] = await sql`
    select name, email, phone, message, status, sent_at, attempts, last_error
    from contact_messages where id = ${id}`;
  return row;
}

/** The response arrives once the message is stored. The mail is sent shortly after it. */
async function sentMessage(id: string) {
  await expect.poll(() => storedMessage(id)).toMatchObject({ status: "sent" });
  return storedMessage(id);
}

test("a visitor's message is stored and, without a mail service, printed", async () => {
  const { data, error } = await send(visitor);
  expect(error).toBeNull();
  expect(await storedMessage(data.id)).toEqual({
    ...visitor,
    status: "stored",
    sent_at: null,
    attempts: 0,
    last_error: null,
  });
  await vi.waitFor(() => expect(lines.join("\n")).toContain("No mail service is configured"));
  expect(lines).toContain("[send-email] Please call me about life insurance.");
});

test("an object as the body is accepted, and so is a message without a phone number", async () => {
  const { name, email, message } = visitor;
  const { data, error } = await client().functions.invoke("send-email", {
    body: { name: `  ${name}  `, email, message },
  });
  expect(error).toBeNull();
  expect(await storedMessage(data.id)).toMatchObject({ name, phone: null });
});

test.each([
  ["A GET", "GET", undefined, 405],
  ["A PUT", "PUT", "{}", 405],
  ["An empty body", "POST", "", 400],
  ["A body that is no JSON", "POST", "no json", 400],
  ["A list", "POST", "[]", 400],
  ["A body over 64 KB", "POST", JSON.stringify({ ...visitor, message: "x".repeat(70_000) }), 413],
])("%s is rejected with an error that a browser can read", async (_what, method, body, status) => {
  const response = await fetch(`${url}/functions/v1/send-email`, { method, body });
  expect(response.status).toBe(status);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("content-type")).toContain("application/json");
  await response.text();
});

test("with ALLOWED_ORIGINS another site's form sends nothing, whatever its content type", async () => {
  const functions = start({ ALLOWED_ORIGINS: "https://www.example.com" });
  const post = (headers: Record<string, string>) =>
    functions.fetch(
      new Request(`${url}/functions/v1/send-email`, {
        method: "POST",
        headers: { "content-type": "text/plain", ...headers },
        body: JSON.stringify(visitor),
      }),
    );
  for (const origin of ["https://evil.example", "null"]) {
    const rejected = await post({ origin });
    expect(rejected.status).toBe(403);
    expect(rejected.headers.get("access-control-allow-origin")).toBeNull();
  }
  expect(await sql`select from contact_messages`).toHaveLength(0);

  const accepted = await post({ origin: "https://www.example.com" });
  expect(accepted.status).toBe(200);
  expect(accepted.headers.get("access-control-allow-origin")).toBe("https://www.example.com");
  expect((await post({})).status).toBe(200);
});

test("a browser's preflight reaches the function and needs no key", async () => {
  const response = await fetch(`${url}/functions/v1/send-email`, {
    method: "OPTIONS",
    headers: { origin: "https://example.com", "access-control-request-method": "POST" },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-allow-methods")).toContain("POST");
  expect(response.headers.get("access-control-allow-headers")).toContain("x-client-info");
  expect(response.headers.get("access-control-allow-headers")).toContain("idempotency-key");
});

test("the mail goes to the adviser, from the site, with the visitor in Reply-To", async () => {
  const { data, error } = await send(visitor, start({ SMTP_URL: smtp.url }));
  expect(error).toBeNull();
  const row = await sentMessage(data.id);
  const [mail] = smtp.mails;
  expect(mail?.envelope).toEqual([
    expect.stringContaining("<site@example.com>"),
    expect.stringContaining("<adviser@example.com>"),
  ]);
  expect(mail?.text).toMatch(/^From: site@example\.com\r$/m);
  expect(mail?.text).toMatch(/^To: adviser@example\.com\r$/m);
  expect(mail?.text).toMatch(/^Reply-To: "?Ada Lovelace"? <ada@example\.com>\r$/m);
  expect(mail?.text).toContain(`Message-ID: <${data.id}@example.com>`);
  expect(mail?.text).toMatch(/^Content-Type: multipart\/alternative/m);
  expect(mail?.text).toMatch(/^Content-Type: text\/plain/m);
  expect(mail?.text).toMatch(/^Content-Type: text\/html/m);
  expect(mail?.text).toContain("Please call me about life insurance.\r\n\r\nThank you.");
  expect(row).toMatchObject({ sent_at: expect.any(Date), attempts: 1, last_error: null });
});

test("a message that the mail server rejects is accepted and retried", async () => {
  smtp.rejectsAddresses = true;
  const { data, error } = await send(visitor, start({ SMTP_URL: smtp.url }));
  expect(error).toBeNull();
  await expect
    .poll(() => storedMessage(data.id))
    .toMatchObject({
      status: "stored",
      sent_at: null,
      attempts: 1,
      last_error: expect.stringContaining("550"),
    });
});

test("a message that could be sent but not stored is accepted", async () => {
  const functions = start({ SMTP_URL: smtp.url }, { siteUrl: "http://127.0.0.1:9" });
  const { data, error } = await send(visitor, functions);
  expect(error).toBeNull();
  expect(data).toEqual({ id: null });
  expect(smtp.mails).toHaveLength(1);
});

test("a message that could be neither stored nor sent returns an error with what to do", async () => {
  const { error } = await send(visitor, start({}, { siteUrl: "http://127.0.0.1:9" }));
  expect(error).toBeInstanceOf(FunctionsHttpError);
  expect(error.context.status).toBe(500);
  expect(await error.context.json()).toEqual({
    error: "We could not take your message just now. Please try again, or call us.",
  });
});

test("a function receives the full request, and its full response is returned", async () => {
  const response = await fetch(`${url}/functions/v1/echo/deeper?a=1`, {
    method: "PATCH",
    body: "hello",
    headers: { "x-mine": "1", "x-runner-secret": "guessed" },
  });
  expect(response.status).toBe(201);
  expect(response.headers.get("x-own")).toBe("yes");
  expect(response.headers.get("set-cookie")).toBe("a=b");
  const seen = await response.json();
  expect(seen).toMatchObject({ method: "PATCH", path: "/echo/deeper?a=1", body: "hello" });
  expect(seen.headers).toMatchObject({ "x-mine": "1" });
  expect(seen.headers["x-runner-secret"]).not.toContain("guessed");
});

test("a missing function responds with 404", async () => {
  for (const name of ["nothing", "..%2f..%2fbackend", "_shared"]) {
    const { error } = await client().functions.invoke(name);
    expect(error).toBeInstanceOf(FunctionsHttpError);
    expect(error.context.status).toBe(404);
    expect(await error.context.json()).toMatchObject({ code: "NOT_FOUND" });
  }
});

test("a function that throws responds with 500 without the reason, which is logged", async () => {
  const { error } = await client().functions.invoke("throws");
  expect(error).toBeInstanceOf(FunctionsHttpError);
  expect(error.context.status).toBe(500);
  expect(await error.context.text()).not.toContain("secret detail");
  await vi.waitFor(() => expect(lines.join("\n")).toMatch(/\[throws\] .*a secret detail/));
});

test("a killed function works again at the next call", async () => {
  const pid = async () => (await client().functions.invoke("pid")).data as number;
  const first = await pid();
  expect(await pid()).toBe(first);
  process.kill(first, "SIGKILL");
  await vi.waitFor(() => expect(lines).toContain("[pid] ended (SIGKILL)"));
  const second = await pid();
  expect(second).toEqual(expect.any(Number));
  expect(second).not.toBe(first);
});

test("a function that fails to start is a relay error, and later calls back off", async () => {
  await vi.waitFor(
    async () => {
      const { error } = await client().functions.invoke("broken");
      expect(error).toBeInstanceOf(FunctionsRelayError);
      expect(error.context.status).toBe(503);
      expect(Number(error.context.headers.get("retry-after"))).toBeGreaterThan(1);
    },
    { timeout: 15_000 },
  );
  expect(lines.filter((line) => line === "[broken] ended (code 1)").length).toBeLessThan(8);
});

test("a function that hangs responds with 504 and is replaced", async () => {
  const { error } = await client().functions.invoke("hangs");
  expect(error).toBeInstanceOf(FunctionsRelayError);
  expect(error.context.status).toBe(504);
  await vi.waitFor(() => expect(lines).toContain("[hangs] ended (SIGKILL)"));
});

test("a function without public access needs the secret key, and others start no process", async () => {
  const address = `${url}/functions/v1/closed`;
  for (const [method, apikey] of [
    ["POST", "wrong"],
    ["POST", secrets.publishableKey],
    ["OPTIONS", secrets.publishableKey],
  ] as const) {
    const response = await fetch(address, { method, headers: { apikey } });
    expect(response.status).toBe(403);
  }
  expect(lines.join("\n")).not.toContain("[closed]");
  const headers = { apikey: secrets.secretKey };
  expect(await (await fetch(address, { method: "POST", headers })).text()).toBe("inside");
});

test("a function can read, write, run and reach only what it needs", async () => {
  const { data } = await client().functions.invoke("escape", {
    body: { port: Number(new URL(postgres.url).port), secrets: join(folder, "secrets.json") },
  });
  expect(data).toEqual({
    import: "TypeError",
    read: "NotCapable",
    write: "NotCapable",
    run: "NotCapable",
    database: "NotCapable",
    internet: "NotCapable",
    foreign: null,
    own: [
      ...["CONTACT_FROM", "CONTACT_TO", "SMTP_URL"],
      ...["SUPABASE_ANON_KEY", "SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_URL"],
    ],
  });
});

test("send-email with missing settings logs their names and asks the visitor to retry", async () => {
  const functions = start({}, { secretKey: "" });
  const { error } = await send(
    { name: "Ada", email: "ada@example.com", message: "Hello" },
    functions,
  );
  expect(error.context.status).toBe(503);
  expect(await error.context.json()).toEqual({
    error: "We could not take your message just now. Please try again, or call us.",
  });
  await vi.waitFor(() => {
    expect(lines.join("\n")).toContain(
      "SUPABASE_SECRET_KEYS or SUPABASE_SERVICE_ROLE_KEY is not set",
    );
  });
});

test("a function's port rejects requests that bypass the gateway", async () => {
  const seen = await (await fetch(`${url}/functions/v1/echo`)).json();
  const direct = await fetch(`http://${seen.headers.host}/echo`);
  expect(direct.status).toBe(403);
  expect(await direct.text()).toBe("Forbidden");
});

test("an invalid mail address in the settings is reported without its password", async () => {
  const { fetch } = start({ SMTP_URL: "smtp//user:hunter2@host" });
  const request = new Request(`${url}/functions/v1/send-email`);
  await expect(fetch(request)).rejects.toThrow(/^SMTP_URL is not an address with a host$/);
});

test("the functions' libraries have the versions that are tested here", async () => {
  const { imports } = JSON.parse(
    await readFile(join(root, "supabase/functions/send-email/deno.json"), "utf8"),
  ) as { imports: Record<string, string> };
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const [name, specifier] of Object.entries(imports)) {
    expect(specifier).toBe(`npm:${name}@${dependencies[name]}`);
  }
});
