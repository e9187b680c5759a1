import { createClient } from "@supabase/supabase-js";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { ownerAccount } from "../../prepared-data-dir.ts";
import { decodeMail } from "../../smtp-server.ts";
import { findingsOf } from "../access/axe.ts";
import { ownSiteTest } from "../own-site.ts";
import { expect, toast } from "../test.ts";
import { logIn } from "./owner.ts";

const test = ownSiteTest();

// One site for all: the list has its first mails only, and the last test changes the owner's password.
test.describe.configure({ mode: "default" });
test.use({ expectedErrors: /status of 4(00|03|22)/ });

// Too narrow for the preview, which nothing here looks at.
test.use({ viewport: { width: 1000, height: 900 } });

test("the owner sees who got which mail, only what failed on request, and nothing of its words", {
  tag: "@long",
}, async ({ page, site }) => {
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
  await expect(mails.filter({ hasText: "sent@" })).toContainText(/Sent \w+ \d/);
  await expect(mails.filter({ hasText: "waits@" })).toContainText("Waits to be sent.");
  await expect(outbox).not.toContainText("hidden");
  await outbox.getByRole("button", { name: "Show only what failed (2)" }).click();
  await expect(mails).toHaveCount(2);
  await expect(mails.filter({ hasText: "later@" })).toContainText("The reason: 451 later");
  await expect(mails.filter({ hasText: "never@" })).toContainText(
    "Could not be sent. The reason: 550",
  );
  await outbox.getByRole("button", { name: "Show all emails" }).click();
  await expect(mails).toHaveCount(4);
});

test("a test mail tells what DNS says of the sender, or that it was not asked", {
  tag: "@long",
}, async ({ page, smtp }) => {
  const before = smtp.mails.length;
  await logIn(page, "/manage/settings/mail");
  const send = page.getByRole("button", { name: "Send a test mail" });
  const status = page.getByRole("main").getByRole("status");
  await send.click();
  await expect(status.filter({ hasText: "accepted the test mail to" })).toBeVisible();
  expect(smtp.mails).toHaveLength(before + 1);
  for (const [sender, words] of [
    [null, "could not be found out just now"],
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

test("a forgotten password is reset from the login page through the mailed link", {
  tag: "@long",
}, async ({ page, smtp }) => {
  const before = smtp.mails.length;
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // The login page has an email field as well.
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await page.getByLabel("Email").fill(ownerAccount.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("main").getByRole("status")).toContainText("a link is on its way");
  await expect.poll(() => smtp.mails.length).toBe(before + 1);
  const mail = smtp.mails.at(-1);
  const link = mail && decodeMail(mail).match(/https?:\/\/\S+\/confirm#\S+/)?.[0];

  // Opens the link as a mail scanner with a browser does. Only the button uses the link.
  await page.goto(link ?? "");
  await expect(page.getByRole("heading", { name: "Set a new password" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("owner-session"))).toBeNull();
  await page.goto("/login");
  await page.goto(link ?? "");
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByLabel("New password")).toHaveAccessibleDescription(
    "Please use at least 10 characters.",
  );
  expect(await findingsOf(page)).toEqual([]);
  // The token has been used, and the page still accepts another password.
  await page.getByLabel("New password").fill(ownerAccount.password);
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByLabel("New password")).toHaveAccessibleDescription(
    "New password should be different from the old password.",
  );
  await page.getByLabel("New password").fill("a-new-password");
  // A hosted project would let the session of the link set another password at any time.
  const ended = page.waitForResponse(/logout\?scope=others/);
  await page.getByRole("button", { name: "Save password" }).click();
  expect((await ended).status()).toBe(204);
  await expect(toast(page, "Password changed")).toBeVisible();
  await expect(page).toHaveURL("/blog");

  // By key, because the toast covers both.
  await page.getByRole("button", { name: "Logout" }).press("Enter");
  await page.getByRole("link", { name: "Admin Login" }).press("Enter");
  await page.getByLabel("Email").fill(ownerAccount.email);
  await page.getByLabel("Password", { exact: true }).fill(ownerAccount.password);
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(toast(page, "Sign in Failed")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill("a-new-password");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL("/blog");

  await page.goto(link ?? "");
  await page.getByLabel("New password").fill("another-password");
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByRole("heading", { name: "This link has expired" })).toBeVisible();
  await page.getByRole("link", { name: "Send a new link" }).click();
  await expect(page).toHaveURL("/forgot-password");
});
