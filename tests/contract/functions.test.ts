// The function runner and the send-email function, run in real Deno. Its delivery is in
// tests/long/message-delivery.test.ts.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWorker, type Worker } from "embedded-supabase/functions/worker.ts";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { embeddedConfig } from "../../embedded.config.ts";
import { startHttpServer } from "../http-server.ts";
import { setUpFolder } from "../set-up.ts";
import { setUpProject, setUpSmtp } from "../start-project.ts";

const root = join(import.meta.dirname, "../..");
const visitor = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  phone: "555 0100",
  message: "Please call me about life insurance.\n\nThank you.",
};

/** Small functions with behavior that send-email does not have. */
const testFunctions = {
  echo: `Deno.serve(async (request) => Response.json({
    method: request.method,
    path: new URL(request.url).pathname + new URL(request.url).search,
    body: await request.text(),
    headers: Object.fromEntries(request.headers),
  }, { status: 201, headers: { "x-own": "yes" } }));`,
  connects: `const isForbidden = async (host) => {
      const [, hostname, port] = /^\\[?(.*?)\\]?:(\\d+)$/.exec(host);
      return Deno.connect({ hostname, port: Number(port) }).then(() => false, (error) => error.name === "NotCapable");
    };
    Deno.serve(async (request) => {
      const { closed, open } = await request.json();
      return Response.json({
        forbidden: (await Promise.all(closed.map(isForbidden))).every((each) => each),
        // Without a connection to them.
        open: open.map((host) => Deno.permissions.querySync({ name: "net", host }).state),
      });
    });`,
  pid: `Deno.serve(() => Response.json(Deno.pid));`,
  throws: `Deno.serve(() => { throw new Error("a secret detail"); });`,
  broken: `throw new Error("broken from the start");`,
  hangs: `let calls = 0;
    Deno.serve(() => { while (calls++ < 1 || true) { /* forever */ } return new Response(); });`,
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

const folder = await setUpFolder("functions");
const smtp = await setUpSmtp();
const { project, sql, owner } = await setUpProject();
let sender: Worker;
const workers = new Map<string, Worker>();
const started: Worker[] = [];
const lines: string[] = [];

beforeAll(async () => {
  for (const [name, code] of Object.entries(testFunctions)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "index.ts"), code);
    workers.set(name, start({}, join(folder, name), 3_000));
  }
  sender = startSender();
});

afterEach(async () => {
  // The next test would send a message that this one left in the queue.
  await sql`delete from contact_messages`;
});

afterAll(() => Promise.all(started.map((worker) => worker.stop())).then(() => {}));

function start(
  environment: Record<string, string>,
  folderOf: string,
  timeLimit?: number,
  network: { hosts?: readonly string[]; closedHosts?: readonly string[] } = {
    hosts: embeddedConfig.functions["send-email"]?.hosts?.(environment),
  },
): Worker {
  const worker = createWorker({
    folder: folderOf,
    environment: {
      SUPABASE_URL: project.url,
      SUPABASE_ANON_KEY: project.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: project.secretKey,
      ...environment,
    },
    ...network,
    cacheDir: join(folder, "cache"),
    timeLimit,
    log: (line) => lines.push(line),
  });
  started.push(worker);
  return worker;
}

function startSender(environment: Record<string, string> = {}): Worker {
  const addresses = { CONTACT_TO: "adviser@example.com", CONTACT_FROM: "site@example.com" };
  return start({ ...addresses, ...environment }, join(root, "supabase/functions/send-email"));
}

function send(worker: Worker, body: unknown = visitor, headers = {}): Promise<Response> {
  return worker.fetch("/send-email", { method: "POST", headers, body: JSON.stringify(body) });
}

function call(name: keyof typeof testFunctions, init: RequestInit = {}): Promise<Response> {
  return workers.get(name)?.fetch(`/${name}`, { method: "POST", ...init }) ?? Promise.reject();
}

async function storedMessage(id: string) {
  const [row] = await sql`
    select name, email, phone, message, status, sent_at, last_error
    from contact_messages where id = ${id}`;
  return row;
}

test("a visitor's message is stored and, without a mail service, logged in one line without its text", async () => {
  lines.length = 0;
  const { id } = await (await send(sender)).json();
  expect(await storedMessage(id)).toEqual({
    ...visitor,
    ...{ status: "stored", sent_at: null, last_error: null },
  });
  const line = `[send-email] send-email: ${id} is stored and not mailed: no mail service is configured`;
  await expect.poll(() => lines).toEqual([line]);
});

test.each([
  ["A preflight", "OPTIONS", undefined, 200],
  ["A GET", "GET", undefined, 405],
  ["A PUT", "PUT", "{}", 405],
  ["An empty body", "POST", "", 400],
  ["A body that is no JSON", "POST", "no json", 400],
  ["A list", "POST", "[]", 400],
  ["A body over 64 KB", "POST", JSON.stringify({ ...visitor, message: "x".repeat(70_000) }), 413],
])("%s gets a response that a browser can read", async (_what, method, body, status) => {
  const response = await sender.fetch("/send-email", { method, body });
  expect(response.status).toBe(status);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const allowed = response.headers.get("access-control-allow-headers");
  if (method === "OPTIONS") expect(allowed).toMatch(/x-client-info.*idempotency-key/);
  else expect(response.headers.get("content-type")).toContain("application/json");
  await response.text();
});

test("with ALLOWED_ORIGINS another site's form sends nothing, whatever its content type", async () => {
  const guarded = startSender({ ALLOWED_ORIGINS: "https://www.example.com" });
  const post = (origin = {}) => send(guarded, visitor, { "content-type": "text/plain", ...origin });
  for (const origin of ["https://evil.example", "null"]) {
    const rejected = await post({ origin });
    expect(rejected.status).toBe(403);
    expect(rejected.headers.get("access-control-allow-origin")).toBeNull();
  }
  expect(await sql`select from contact_messages`).toHaveLength(0);

  const accepted = await post({ origin: "https://www.example.com" });
  expect(accepted.status).toBe(200);
  expect(accepted.headers.get("access-control-allow-origin")).toBe("https://www.example.com");
  expect((await post()).status).toBe(200);
});

test("the mail goes to the adviser, from the site, with the visitor in Reply-To", async () => {
  const { id } = await (await send(startSender({ SMTP_URL: smtp.url }))).json();
  await expect
    .poll(() => storedMessage(id))
    .toMatchObject({
      ...{ status: "sent", sent_at: expect.any(Date), last_error: null },
    });
  const [mail] = smtp.mails;
  expect(mail?.envelope).toEqual([
    expect.stringContaining("<site@example.com>"),
    expect.stringContaining("<adviser@example.com>"),
  ]);
  // tests/mails has the whole text.
  expect(mail?.text).toMatch(/^Reply-To: "?Ada Lovelace"? <ada@example\.com>\r$/m);
  expect(mail?.text).toMatch(new RegExp(`^Message-ID: <${id}@example.com>`, "m"));
});

test("a message that can be sent but not stored is accepted, else the visitor learns what to do", async () => {
  smtp.mails.length = 0;
  const withoutDatabase = { SUPABASE_URL: "http://127.0.0.1:9" };
  const sent = await send(startSender({ ...withoutDatabase, SMTP_URL: smtp.url }));
  expect([sent.status, await sent.json()]).toEqual([200, { id: null }]);
  expect(smtp.mails).toHaveLength(1);
  const sorry = "We could not take your message just now. Please try again later.";
  // Spam is not mailed.
  const spam = await startSender({ ...withoutDatabase, SMTP_URL: smtp.url }).fetch(
    "/send-email/spam",
    { method: "POST", body: JSON.stringify(visitor) },
  );
  expect(spam.status).toBe(500);
  expect(smtp.mails).toHaveLength(1);
  const lost = await send(startSender(withoutDatabase));
  expect([lost.status, await lost.json()]).toEqual([500, { error: sorry }]);
  const unset = await send(startSender({ SUPABASE_SERVICE_ROLE_KEY: "" }));
  expect([unset.status, await unset.json()]).toEqual([503, { error: sorry }]);
  const reason = "SUPABASE_SECRET_KEYS or SUPABASE_SERVICE_ROLE_KEY is not set";
  await expect.poll(() => lines.join("\n")).toContain(reason);
});

test("a function receives the request, and its response is returned", async () => {
  const headers = { "x-mine": "1", "x-runner-secret": "guessed" };
  const request = { method: "PATCH", body: "hello", headers };
  const response = await workers.get("echo")?.fetch("/echo/deeper?a=1", request);
  expect(response?.status).toBe(201);
  expect(response?.headers.get("x-own")).toBe("yes");
  const seen = await response?.json();
  expect(seen).toMatchObject({ method: "PATCH", path: "/echo/deeper?a=1", body: "hello" });
  expect(seen.headers).toMatchObject({ "x-mine": "1" });
  expect(seen.headers["x-runner-secret"]).not.toContain("guessed");
  const direct = await fetch(`http://${seen.headers.host}/echo`);
  expect([direct.status, await direct.text()]).toEqual([403, "Forbidden"]);
});

test("a function that throws responds with 500 without the reason, which is logged", async () => {
  const response = await call("throws");
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("secret detail");
  await expect.poll(() => lines.join("\n")).toMatch(/\[throws\] .*a secret detail/);
});

test("a killed function works again at the next call", async () => {
  const pid = async (): Promise<number> => (await call("pid")).json();
  const first = await pid();
  expect(await pid()).toBe(first);
  process.kill(first, "SIGKILL");
  await expect.poll(() => lines).toContain("[pid] ended (SIGKILL)");
  expect(await pid()).not.toBe(first);
});

test("an idle function is stopped without a line in the log", { tags: "long" }, async () => {
  lines.length = 0;
  const idle = createWorker({
    folder: join(folder, "pid"),
    environment: { SUPABASE_URL: project.url },
    cacheDir: join(folder, "cache"),
    idleTimeout: 100,
    log: (line) => lines.push(line),
  });
  started.push(idle);
  const pid = async (): Promise<number> => (await idle.fetch("/pid", { method: "POST" })).json();
  const first = await pid();
  await expect.poll(async () => (await pid()) !== first, { interval: 500 }).toBe(true);
  expect(lines).toEqual([]);
});

test("a function that fails to start is a relay error, and later calls back off", {
  tags: "long",
}, async () => {
  const secondsToWait = async () => {
    const { status, headers } = await call("broken");
    expect([status, headers.get("x-relay-error")]).toEqual([503, "true"]);
    return Number(headers.get("retry-after"));
  };
  await expect.poll(secondsToWait).toBeGreaterThan(1);
  expect(lines.filter((line) => line === "[broken] ended (code 1)").length).toBeLessThan(8);
});

test("a function that hangs responds with 504 and is replaced", { tags: "long" }, async () => {
  const { status, headers } = await call("hangs");
  expect([status, headers.get("x-relay-error")]).toEqual([504, "true"]);
  await expect.poll(() => lines).toContain("[hangs] ended (SIGKILL)");
});

test.each([
  ["nothing", 404],
  ["_shared", 404],
  ["..%2f..%2fbackend", 404],
  ["remove-unused-images", 403],
  ["invite-person", 403],
  ["import-images", 403],
])("a visitor's call of %s is rejected with %i", async (name, status) => {
  for (const [method, apikey] of [
    ["POST", "wrong"],
    ["POST", project.anonKey],
    ["OPTIONS", project.anonKey],
  ] as const) {
    const response = await fetch(`${project.url}/functions/v1/${name}`, {
      method,
      headers: { apikey },
    });
    expect(response.status).toBe(status);
  }
});

test.each([
  ["PGRST301", 401],
  ["PGRST303", 401],
  ["42501", 403],
])("an invitation that PostgREST rejects with %s is for owners only", async (code, status) => {
  const postgrest = await startHttpServer((_request, response) => {
    const headers = { "content-type": "application/json" };
    response.writeHead(status, headers).end(JSON.stringify({ code, message: "Rejected" }));
  });
  onTestFinished(postgrest.stop);
  const environment = { SUPABASE_URL: postgrest.url };
  const worker = start(environment, join(root, "supabase/functions/invite-person"));
  const response = await worker.fetch("/invite-person", {
    method: "POST",
    headers: { authorization: "Bearer expired" },
    body: "{}",
  });
  expect([response.status, await response.json()]).toEqual([
    403,
    { error: "Only an owner of the site may invite people." },
  ]);
});

test("a function can read, write, run and reach only what it needs", async () => {
  const { port } = new URL(project.backend?.databaseUrl ?? "");
  const body = { port: Number(port), secrets: join(project.dataDir, "secrets.json") };
  expect(await (await call("escape", { body: JSON.stringify(body) })).json()).toEqual({
    import: "TypeError",
    read: "NotCapable",
    write: "NotCapable",
    run: "NotCapable",
    database: "NotCapable",
    internet: "NotCapable",
    foreign: null,
    own: ["SUPABASE_ANON_KEY", "SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_URL"],
  });
});

test("the function that fetches images reaches public web servers only, whatever its code does", async () => {
  const { port } = new URL(project.backend?.databaseUrl ?? "");
  const { hosts, closedHosts } = embeddedConfig.functions["import-images"] ?? {};
  const worker = start({}, join(folder, "connects"), undefined, {
    hosts: hosts?.({}),
    closedHosts,
  });
  const closed = [
    ...["127.0.0.1:443", "127.0.0.1:80", "10.1.2.3:443", "172.20.0.1:80", "192.168.1.1:443"],
    ...["169.254.169.254:80", "100.100.100.200:80", "168.63.129.16:80", "0.0.0.0:443"],
    ...["[::1]:443", "[fd00::1]:443", "[fe80::1]:80", "localhost:443"],
    ...[`127.0.0.1:${port}`, "8.8.8.8:22", "8.8.8.8:5432", "example.com:443"],
  ];
  const body = JSON.stringify({ closed, open: ["8.8.8.8:443", "8.8.8.8:80"] });
  const response = await worker.fetch("/connects", { method: "POST", body });
  expect(await response.json()).toEqual({ forbidden: true, open: ["granted", "granted"] });
});

test("the function that sends mails reaches the ports of mail servers only, while the environment names none", async () => {
  const { hosts } = embeddedConfig.functions["send-email"] ?? {};
  const worker = start({}, join(folder, "connects"), undefined, { hosts: hosts?.({}) });
  const { port } = new URL(project.backend?.databaseUrl ?? "");
  const closed = [
    ...[`127.0.0.1:${port}`, "127.0.0.1:22", "169.254.169.254:80", "[::1]:587"],
    ...["8.8.8.8:22", "8.8.8.8:80", "8.8.8.8:443"],
  ];
  const body = JSON.stringify({ closed, open: ["8.8.8.8:587", "127.0.0.1:465"] });
  const response = await worker.fetch("/connects", { method: "POST", body });
  expect(await response.json()).toEqual({ forbidden: true, open: ["granted", "granted"] });
  expect(hosts?.({ SMTP_URL: smtp.url })).not.toContainEqual(expect.stringContaining("0.0.0.0/0"));
});

test("the function that fetches images responds with the reason why it fetched none", async () => {
  const fetchImage = async (request: object, origin = project.url) => {
    const { session } = (await owner.auth.getSession()).data;
    const response = await fetch(`${project.url}/functions/v1/import-images`, {
      method: "POST",
      headers: {
        apikey: project.anonKey,
        authorization: `Bearer ${session?.access_token}`,
        origin,
      },
      body: JSON.stringify(request),
    });
    const { error, reason } = await response.json();
    return [response.status, error ?? reason];
  };
  const named = { address: `${project.url}/x.png`, hosts: ["127.0.0.1"], http: true };
  expect(await fetchImage(named)).toEqual([200, "Its address has a port or a password."]);
  for (const address of ["http://127.0.0.1/x.png", "https://169.254.169.254/latest/meta-data"]) {
    const { hostname } = new URL(address);
    expect(await fetchImage({ address, hosts: [hostname], http: true })).toEqual([
      ...[200, `${hostname} is in a private network.`],
    ]);
  }
  expect(await fetchImage({ ...named, hosts: "*" })).toEqual([400, "The request is not valid."]);
  await sql`insert into private.request_limits values ('import_image', 'everyone', 1, '1 hour')`;
  await owner.rpc("count_image_import").throwOnError();
  expect(await fetchImage(named)).toEqual([429, expect.stringContaining("Please try again in")]);
  await sql`delete from private.request_limits where action = 'import_image'`;
});

test("the functions' libraries have the versions that are tested here", async () => {
  const read = async (file: string) => JSON.parse(await readFile(join(root, file), "utf8"));
  const { dependencies } = await read("package.json");
  for (const folder of ["send-email", "import-images"]) {
    const { imports } = await read(`supabase/functions/${folder}/deno.json`);
    for (const [name, specifier] of Object.entries(imports)) {
      expect(specifier).toBe(`npm:${name}@${dependencies[name]}`);
    }
  }
});
