// A full disk, simulated by a limit on file sizes, which works on any machine without privileges.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import freePort from "get-port";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "../../backend/database.ts";
import { findRunning } from "../../backend/postgres/server.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
/** In units of 512 bytes: slightly more than a WAL segment. */
const largestFile = 36_000;

let folder: string;
let dataDir: string;
let port: number;
let site: ChildProcess | undefined;

beforeEach(async () => {
  folder = await createTemporaryFolder("disk-full");
  dataDir = join(folder, "data");
  port = await freePort();
});

afterEach(async () => {
  if (site) await stopSite(site);
  await rm(folder, { recursive: true, force: true });
});

async function openAdmin(): Promise<SupabaseClient> {
  const { secretKey } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  return createClient(`http://127.0.0.1:${port}`, secretKey);
}

/** Barely compressible. */
function longMessage(): string {
  return Array.from({ length: 120 }, () => crypto.randomUUID()).join(" ");
}

/** @returns how many messages were accepted. */
async function fill(): Promise<number> {
  const { databasePassword } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  const sql = connect(findRunning(dataDir, databasePassword) ?? "", 1);
  let stored = 0;
  try {
    for (;;) {
      const rows = Array.from({ length: 100 }, () => ({
        name: "Ada",
        email: "ada@example.com",
        message: longMessage(),
      }));
      await sql`insert into contact_messages ${sql(rows)}`;
      stored += rows.length;
    }
  } catch (error) {
    expect(String(error)).toContain("File too large");
    return stored;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

async function count(admin: SupabaseClient): Promise<number | null> {
  return (await admin.from("contact_messages").select("*", { count: "exact", head: true })).count;
}

test("writes that do not fit are rejected with a clear message, and no stored data is lost", {
  timeout: 120_000,
}, async () => {
  site = await startSite(port, { DATA_DIR: dataDir, RATE_LIMITS: "off" }, { largestFile });
  const admin = await openAdmin();
  const message = { name: "Ada", email: "ada@example.com", message: longMessage() };
  const stored = await fill();

  const rejected = await admin.from("contact_messages").insert(message);
  expect(rejected.status).toBe(507);
  expect(rejected.error?.message).toContain("no room left");
  expect(await count(admin)).toBe(stored);
  expect((await admin.from("posts").select("id")).error).toBe(null);

  await stopSite(site);
  site = await startSite(port, { DATA_DIR: dataDir, RATE_LIMITS: "off" });
  expect(await count(admin)).toBe(stored);
  expect((await admin.from("contact_messages").insert(message)).status).toBe(201);
});

test("a DATA_DIR without write access ends the start with code 1 and a sentence", async () => {
  // Root can write anywhere but here; other users cannot create a top-level folder.
  const unwritable = process.getuid?.() === 0 ? "/sys/data" : "/data-of-the-site";
  const child = spawn(process.execPath, ["server/main.ts"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", PORT: String(port), DATA_DIR: unwritable },
  });
  const complaint = text(child.stderr);
  expect(await once(child, "exit")).toEqual([1, null]);
  expect(await complaint).toContain(`DATA_DIR ${unwritable} cannot be`);
  expect(await complaint).not.toContain("    at ");
});
