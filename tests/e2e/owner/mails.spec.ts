import { createClient } from "@supabase/supabase-js";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { ownSiteTest } from "../own-site.ts";
import { expect } from "../test.ts";
import { logIn } from "./owner.ts";

const test = ownSiteTest();

// Too narrow for the preview, which nothing here looks at.
test.use({ viewport: { width: 1000, height: 900 } });

test("the owner sees who got which mail, only what failed on request, and nothing of its words", async ({
  page,
  site,
}) => {
  const options = { auth: { persistSession: false } };
  const admin = createClient(site.url, loadSecrets(site.dataDir).secretKey, options);
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const queue = (kind: string, recipient: string, changes: object) =>
    admin
      .from("mails")
      .insert({ kind, recipient, data: { token: "hidden" }, next_attempt_at: soon, ...changes })
      .throwOnError();
  await queue("recovery", "sent@example.com", { status: "sent", sent_at: "2026-11-26T09:00:00Z" });
  await queue("invite", "later@example.com", { attempts: 1, last_error: "451 later" });
  await queue("confirmation", "never@example.com", { status: "failed", last_error: "550 unknown" });
  await queue("warning", "waits@example.com", {});
  await logIn(page, "/manage/settings/mail");
  const outbox = page.getByRole("region", { name: "Emails of the last 30 days" });
  const mails = outbox.getByRole("listitem");
  await expect(mails).toHaveCount(4);
  await expect(mails.filter({ hasText: "sent@" })).toContainText("Accepted by the mail service");
  await expect(mails.filter({ hasText: "waits@" })).toContainText("Waits to be sent.");
  await expect(outbox).not.toContainText("hidden");
  await outbox.getByRole("button", { name: "Show only what failed (2)" }).click();
  await expect(mails).toHaveCount(2);
  await expect(mails.filter({ hasText: "later@" })).toContainText("The reason: 451 later");
  await expect(mails.filter({ hasText: "never@" })).toContainText("Given up. The reason: 550");
  await outbox.getByRole("button", { name: "Show all emails" }).click();
  await expect(mails).toHaveCount(4);
});

test("a test mail tells what DNS says of the sender, or that it was not asked", async ({
  page,
  smtp,
}) => {
  await logIn(page, "/manage/settings/mail");
  const send = page.getByRole("button", { name: "Send a test mail" });
  const status = page.getByRole("main").getByRole("status");
  await send.click();
  await expect(status.filter({ hasText: "accepted the test mail to" })).toBeVisible();
  expect(smtp.mails).toHaveLength(1);
  for (const [sender, words] of [
    [null, "(SPF, DKIM, DMARC) were not checked"],
    [[{ state: "wrong", text: "There is no SPF record" }], "The person who manages your domain"],
  ] as const) {
    await page.route("**/send-email/test", (route) =>
      route.fulfill({ json: { accepted: true, text: "Accepted.", sender } }),
    );
    await send.click();
    await expect(status.filter({ hasText: words })).toBeVisible();
  }
  await expect(status.filter({ hasText: "There is no SPF record." })).toBeVisible();
});
