// What an installation reveals to other users of the machine, in its log and on its network addresses.
import { existsSync, watch } from "node:fs";
import { mkdir, readdir, readFile, readlink, stat } from "node:fs/promises";
import { connect as openSocket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { connect } from "embedded-supabase/database.ts";
import { findRunning } from "embedded-supabase/postgres/server.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { afterAll, expect, test } from "vitest";
import { sendRaw } from "../fuzz/raw-request.ts";
import { ownerAccount as owner } from "../prepared-data-dir.ts";
import { setUpFolder } from "../set-up.ts";
import { openClient, setUpSmtp } from "../start-project.ts";
import { startNewSite } from "../start-site.ts";

const visitor = "ada.lovelace@example.org";
const words = "Please tell nobody that I asked.";

const smtp = await setUpSmtp();
const temporaryDir = join(await setUpFolder("installation"), "tmp");
await mkdir(temporaryDir, { mode: 0o1777 });
/** Entries that were added to the folder for temporary files. */
const temporary = new Set<string>();
const watcher = watch(temporaryDir, (_event, name) => temporary.add(String(name)));
const site = await startNewSite(
  { TMPDIR: temporaryDir, SMTP_URL: smtp.url },
  { readOutput: true, prepare: null },
);
afterAll(() => site.stop());
watcher.close();
const { dataDir, url, port } = site;
const secrets = loadSecrets(dataDir);

test("the start leaves nothing in the folder for temporary files, such as the database's password", () => {
  expect([...temporary]).toEqual([]);
});

test("PostgreSQL receives nothing of the site's environment", async () => {
  const [pid] = (await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
  const file = `/proc/${pid}/environ`;
  const environment = existsSync(file) ? await readFile(file, "utf8") : "";
  expect(environment).not.toContain(owner.password);
  expect(environment).not.toContain("SMTP_URL");
});

test.each(["", "postgres", "password", owner.password])(
  "the database rejects the password %j",
  async (password) => {
    const address = new URL(findRunning(dataDir, secrets.databasePassword) ?? "");
    address.password = encodeURIComponent(password);
    const sql = connect(address.href, 1);
    await expect(sql`select 1`).rejects.toThrow(/password|SASL/i);
    await sql.end();
  },
);

test("the database listens on loopback only", async () => {
  const address = findRunning(dataDir, secrets.databasePassword) ?? "";
  const sql = connect(address, 1);
  const [setting] = await sql`
    select current_setting('listen_addresses') as addresses,
           current_setting('unix_socket_directories') as sockets`;
  await sql.end();
  expect(setting).toEqual({ addresses: "127.0.0.1", sockets: "" });

  const others = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4");
  for (const { address: host } of others) {
    const socket = openSocket(Number(new URL(address).port), host);
    const outcome = await new Promise((resolve) => {
      socket.once("connect", () => resolve("connected"));
      socket.once("error", () => resolve("refused"));
    });
    socket.destroy();
    expect(`${host} ${outcome}`).toBe(`${host} refused`);
  }
});

/** The TCP ports that a process listens on, as Linux lists them. */
async function listeningPorts(pid: number): Promise<number[]> {
  const folder = `/proc/${pid}/fd`;
  const files = await Promise.all(
    (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => "")),
  );
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8")),
  );
  return tables
    .flatMap((table) => table.split("\n").map((line) => line.trim().split(/\s+/)))
    .filter(
      ([, , , state, , , , , , inode]) => state === "0A" && files.includes(`socket:[${inode}]`),
    )
    .map(([, local = ""]) => Number.parseInt(local.split(":")[1] ?? "", 16));
}

test("the site's other listeners reject callers with only the public key", async () => {
  const ports = (await listeningPorts(site.process.pid ?? 0)).filter((found) => found !== port);
  expect(ports.length).toBeGreaterThan(0);
  for (const other of ports) {
    for (const path of ["/auth/v1/token?grant_type=password", "/rest/v1/testimonials"]) {
      const response = await fetch(`http://127.0.0.1:${other}${path}`, {
        method: "POST",
        headers: { apikey: secrets.publishableKey, "content-type": "application/json" },
        body: JSON.stringify(owner),
      });
      expect([response.status, await response.text()]).toEqual([404, "Not found"]);
    }
  }
});

test.each([
  "/storage/v1/object/public/images/../../../secrets.json",
  "/storage/v1/object/public/images/..%2f..%2f..%2fsecrets.json",
  "/storage/v1/object/public/images/%2e%2e/%2e%2e/secrets.json",
  "/storage/v1/object/public/..%2f..%2fsecrets.json",
  "/storage/v1/object/public/images/..%5c..%5csecrets.json",
  "/storage/v1/object/public/images/%00/../../secrets.json",
  "/../secrets.json",
  "/..%2f.data%2fsecrets.json",
  "/assets/..%2f..%2f..%2fpackage.json",
  "/%2e%2e/%2e%2e/package.json",
  "/functions/v1/..%2f..%2f..%2fserver%2fmain",
])("the address %s leads to no file", async (path) => {
  // Sends the path unchanged; fetch would resolve the dots.
  const headers = [["apikey", secrets.publishableKey]] as const;
  const { status, text } = await sendRaw(port, { method: "GET", path, headers, body: "" });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(text).not.toContain("sb_secret_");
  expect(text).not.toContain('"dependencies"');
});

test.each(["/rest/v1/posts", "/rest/v1/", "/_admin", "/_admin/tables", "/auth/v1/admin/users"])(
  "without a key access is denied: %s",
  async (path) => {
    const response = await fetch(`${url}${path}`);
    expect([401, 404]).toContain(response.status);
    expect(await response.text()).not.toContain("sb_secret_");
  },
);

test("pages and scripts contain the public key and no other", async () => {
  const html = await (await fetch(url)).text();
  const login = await (await fetch(`${url}/login`)).text();
  const scripts = [...new Set(html.match(/\/assets\/[\w.-]+\.js/g))];
  expect(html).toContain(secrets.publishableKey);
  expect(scripts.length).toBeGreaterThan(0);
  const sent = [html, login];
  for (const path of scripts) sent.push(await (await fetch(`${url}${path}`)).text());
  for (const forbidden of secretValues()) {
    expect(sent.filter((content) => content.includes(forbidden))).toEqual([]);
  }
});

test("the log is JSON lines, without addresses, messages, passwords and keys", async () => {
  smtp.fault = "rejects permanently";
  const client = openClient({ url, anonKey: secrets.publishableKey });
  await client.auth.signInWithPassword({ email: visitor, password: "wrong" });
  await client.auth.resetPasswordForEmail(owner.email);
  await client.from("testimonials").insert({ name: words, content: words, rating: 9 });
  await client.from("posts").select("*").eq("id", words);
  const { error } = await client.functions.invoke("send-email", {
    body: { name: "Ada Lovelace", email: visitor, message: words },
  });
  expect(error).toBe(null);
  // By now the attempt to send has failed.
  await expect.poll(() => smtp.commands.join("\n"), { timeout: 20_000 }).toContain("MAIL");
  await expect.poll(() => site.output, { timeout: 20_000 }).toContain("send-email");

  const lines = site.output.split("\n").filter((line) => line.startsWith("{"));
  for (const line of lines) {
    expect(JSON.parse(line)).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: expect.stringMatching(/^(debug|info|warning|error)$/),
      message: expect.any(String),
    });
  }
  const log = lines.join("\n");
  expect(log).not.toContain("@");
  for (const forbidden of [words, "Lovelace", ...secretValues()])
    expect(site.output).not.toContain(forbidden);
});

// This test must be the last one: by now the site has created all of its files.
test("no other user of the machine can read DATA_DIR", async () => {
  const open: string[] = [];
  for (const name of await readdir(dataDir)) {
    const { mode } = await stat(join(dataDir, name));
    if (mode & 0o077) open.push(`${name} ${(mode & 0o777).toString(8)}`);
  }
  expect(open).toEqual([]);
  // As root, PostgreSQL is another user, who can enter the folder but not list it.
  expect((await stat(dataDir)).mode & 0o066).toBe(0);
});

function secretValues(): string[] {
  const { secretKey, jwtSecret, databasePassword } = secrets;
  return [secretKey, jwtSecret, databasePassword, owner.password];
}
