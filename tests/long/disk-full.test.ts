// A full disk, simulated by a limit on file sizes, which works on any machine without privileges.
import { createClient } from "@supabase/supabase-js";
import { connect } from "embedded-supabase/database.ts";
import { findRunning } from "embedded-supabase/postgres/server.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { expect, onTestFinished, test } from "vitest";
import { startNewSite, startSite, stopSite } from "../start-site.ts";

/** The limit in units of 512 bytes: slightly more than a WAL segment. */
const largestFile = 36_000;

/** A text that hardly compresses. */
function longMessage() {
  const message = Array.from({ length: 120 }, () => crypto.randomUUID()).join(" ");
  return { name: "Ada", email: "ada@example.com", message };
}

/** @returns how many messages were accepted. */
async function fill(dataDir: string): Promise<number> {
  const sql = connect(findRunning(dataDir, loadSecrets(dataDir).databasePassword) ?? "", 1);
  let stored = 0;
  try {
    for (;;) {
      const rows = Array.from({ length: 100 }, longMessage);
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

test("writes that do not fit are rejected with a clear message, and no stored data is lost", {
  timeout: 120_000,
}, async () => {
  const site = await startNewSite({}, { largestFile, prepare: null });
  onTestFinished(site.stop);
  const admin = createClient(site.url, site.secretKey);
  const messages = () => admin.from("contact_messages");
  const count = async () => (await messages().select("*", { count: "exact", head: true })).count;
  const stored = await fill(site.dataDir);

  const rejected = await messages().insert(longMessage());
  expect(rejected.status).toBe(507);
  expect(rejected.error?.message).toContain("no room left");
  expect(await count()).toBe(stored);
  expect((await admin.from("posts").select("id")).error).toBe(null);

  await stopSite(site.process);
  const unlimited = await startSite(site.port, { DATA_DIR: site.dataDir });
  onTestFinished(async () => void (await stopSite(unlimited)));
  expect(await count()).toBe(stored);
  expect((await messages().insert(longMessage())).status).toBe(201);
});
