// A restored copy sends no mail until it is declared the live site.
import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "@supabase/supabase-js";
import freePort from "get-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { headerOf, type SmtpServer, startSmtp } from "../smtp-server.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const owner = { OWNER_EMAIL: "owner@example.com", OWNER_PASSWORD: "a-password-for-tests" };
const longTimeout = { timeout: 60_000, interval: 100 };

let folder: string;
let smtp: SmtpServer;
let port: number;
let site: Awaited<ReturnType<typeof startSite>> | undefined;
/** The site's output. */
let output = "";

beforeAll(async () => {
  folder = await createTemporaryFolder("restored-mail");
  smtp = await startSmtp();
  port = await freePort();
});

afterAll(async () => {
  if (site) await stopSite(site);
  smtp.server.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(name: string, environment: Record<string, string> = {}) {
  output = "";
  const settings = { DATA_DIR: join(folder, name), ...owner, ...environment };
  site = await startSite(port, settings, { readOutput: true });
  for (const stream of [site.stdout, site.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  }
}

async function stop() {
  if (site) await stopSite(site);
}

async function openClients(name: string) {
  const keys = JSON.parse(await readFile(join(folder, name, "secrets.json"), "utf8"));
  const url = `http://127.0.0.1:${port}`;
  const options = { auth: { persistSession: false } };
  return {
    visitor: createClient(url, keys.publishableKey, options),
    admin: createClient(url, keys.secretKey, options),
  };
}

async function sendMessage(name: string, message: string) {
  const { visitor } = await openClients(name);
  const body = { name: "Ada", email: "ada@example.com", message };
  const { error } = await visitor.functions.invoke("send-email", { body });
  expect(error).toBe(null);
}

async function listMessages(name: string) {
  const { admin } = await openClients(name);
  const { data } = await admin
    .from("contact_messages")
    .select("id, message, status, attempts")
    .order("created_at");
  return data ?? [];
}

async function run(script: string, name: string, ...parameters: string[]) {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...parameters], {
    cwd: root,
    env: { ...process.env, DATA_DIR: join(folder, name), INIT_CWD: folder },
  });
  const [code, ...printed] = await Promise.all([
    new Promise((resolve) => child.once("exit", resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  expect(code, printed.join("")).toBe(0);
  return printed.join("");
}

test("a restored copy holds its mail, says so, and sends it once it is the live site", {
  timeout: 300_000,
}, async () => {
  await start("live");
  await sendMessage("live", "Queued before the backup");
  await stop();
  await run("backup", "live", "site.backup");
  expect(await run("restore", "copy", "site.backup")).toContain("Outgoing mail is held");

  await start("copy", { SMTP_URL: smtp.url, CONTACT_CONFIRMATION: "on" });
  await expect.poll(() => output, longTimeout).toContain("npm run restore -- --live");
  // Each of these would send mail at once, along with the queue.
  await sendMessage("copy", "Sent to the copy");
  const { visitor } = await openClients("copy");
  expect((await visitor.auth.resetPasswordForEmail(owner.OWNER_EMAIL)).error).toBe(null);
  await expect.poll(() => output, longTimeout).toMatch(/is stored; outgoing mail is held/);
  await expect.poll(() => output, longTimeout).toMatch(/about an account was not sent/);
  expect(await listMessages("copy")).toMatchObject([
    { message: "Queued before the backup", status: "stored", attempts: 0 },
    { message: "Sent to the copy", status: "stored", attempts: 0 },
  ]);
  expect(output).not.toContain("Sent to the copy");
  expect(smtp.connections).toBe(0);

  expect(await run("restore", "copy", "--live")).toContain("Restart the site");
  await stop();
  await start("copy", { SMTP_URL: smtp.url });
  await expect
    .poll(async () => (await listMessages("copy")).map(({ status }) => status), longTimeout)
    .toEqual(["sent", "sent"]);
  const ids = smtp.mails.map((mail) => headerOf(mail, "Message-ID")?.replace(/[<>]|@.*/g, ""));
  expect(ids.sort()).toEqual((await listMessages("copy")).map(({ id }) => id).sort());
  expect(output).not.toContain("is held");
  expect(await run("restore", "copy", "--live")).toContain("is not held");
});
