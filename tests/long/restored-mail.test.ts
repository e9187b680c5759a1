// A restored copy sends no mail until it is declared the live site.
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { expect, onTestFinished, test } from "vitest";
import { runNode } from "../run-node.ts";
import { headerOf, startSmtp } from "../smtp-server.ts";
import { openClient } from "../start-project.ts";
import { type NewSite, startNewSite, stopSite } from "../start-site.ts";

const longTimeout = { timeout: 60_000, interval: 100 };

async function sendMessage(site: NewSite, message: string) {
  const body = { name: "Ada", email: "ada@example.com", message };
  const { error } = await openClient(site).functions.invoke("send-email", {
    body,
  });
  expect(error).toBe(null);
}

async function listMessages(site: NewSite) {
  const { data } = await createClient(site.url, site.secretKey)
    .from("contact_messages")
    .select("id, message, status")
    .order("created_at");
  return data ?? [];
}

/** Runs a script on the site's data. @returns what it printed */
async function run(script: string, dataDir: string, ...parameters: string[]) {
  const environment = { DATA_DIR: dataDir };
  const { code, output } = await runNode([`scripts/${script}.ts`, ...parameters], environment);
  expect(code, output).toBe(0);
  return output;
}

test("a restored copy holds its mail, says so, and sends it once it is the live site", {
  timeout: 300_000,
}, async () => {
  const smtp = await startSmtp();
  onTestFinished(() => void smtp.server.close());
  const live = await startNewSite();
  onTestFinished(live.stop);
  await sendMessage(live, "Queued before the backup");
  await stopSite(live.process);
  const file = join(live.dataDir, "../site.backup");
  await run("backup", live.dataDir, file);

  const copy = await startNewSite(
    { SMTP_URL: smtp.url, CONTACT_CONFIRMATION: "on" },
    {
      async prepare(dataDir) {
        expect(await run("restore", dataDir, file)).toContain("Outgoing mail is held");
      },
      readOutput: true,
    },
  );
  onTestFinished(copy.stop);
  await expect.poll(() => copy.output, longTimeout).toContain("npm run restore -- --live");
  // Each of these would send mail at once, together with the queue.
  await sendMessage(copy, "Sent to the copy");
  const { auth } = openClient(copy);
  expect((await auth.resetPasswordForEmail(copy.owner.email)).error).toBe(null);
  await expect
    .poll(() => copy.output, longTimeout)
    .toMatch(/is stored and not mailed: outgoing mail is held/);
  await expect.poll(() => copy.output, longTimeout).toMatch(/about an account was not sent/);
  expect(await listMessages(copy)).toMatchObject([
    { message: "Queued before the backup", status: "stored" },
    { message: "Sent to the copy", status: "stored" },
  ]);
  expect(copy.output).not.toContain("Sent to the copy");
  expect(smtp.connections).toBe(0);

  expect(await run("restore", copy.dataDir, "--live")).toContain("Restart the site");
  await stopSite(copy.process);
  await copy.start({ SMTP_URL: smtp.url });
  await expect
    .poll(async () => (await listMessages(copy)).map(({ status }) => status), longTimeout)
    .toEqual(["sent", "sent"]);
  const ids = smtp.mails.map((mail) => headerOf(mail, "Message-ID")?.replace(/[<>]|@.*/g, ""));
  expect(ids.sort()).toEqual((await listMessages(copy)).map(({ id }) => id).sort());
  expect(copy.output).not.toContain("is held");
  expect(await run("restore", copy.dataDir, "--live")).toContain("is not held");
});
