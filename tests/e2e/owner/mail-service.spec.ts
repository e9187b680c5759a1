// How an owner sets up email in the browser.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { runNode } from "../../run-node.ts";
import { headerOf, loopbackAddress, startSmtp } from "../../smtp-server.ts";
import { stopSite } from "../../start-site.ts";
import { findingsOf } from "../access/axe.ts";
import { ownSiteTest } from "../own-site.ts";
import { expect } from "../test.ts";
import { account, logIn } from "./owner.ts";

// The tests read its log.
const test = ownSiteTest({ SMTP_URL: "" }, { readOutput: true });
test.use({
  viewport: { width: 1000, height: 900 },
  // While the site starts again.
  expectedErrors: /status of 50|ERR_CONNECTION|Failed to fetch|Loading/,
});

const password = "a mail password, and nothing else";

/** Presses the button of a task on Home. */
async function openTask(page: Page, hasText: string) {
  await page.getByRole("listitem").filter({ hasText }).getByRole("link").click();
}

/** Saves what the form has, with the password of the account. */
async function save(page: Page, confirm = "Save") {
  await page.getByRole("button", { name: confirm, exact: true }).first().click();
  const dialog = page.locator("dialog[open]");
  await dialog.getByLabel("Password").fill(account.password);
  await dialog.getByRole("button", { name: confirm, exact: true }).click();
  await expect(dialog).toBeHidden();
}

test("an owner sets up email from Home, is told what is wrong with it, and removes it", async ({
  page,
  site,
}) => {
  test.setTimeout(90_000);
  const host = loopbackAddress();
  const smtp = await startSmtp(host);
  smtp.password = password;
  await logIn(page, "/manage");
  await openTask(page, "Set up email");
  await expect(page).toHaveURL("/manage/settings/mail");
  const service = page.getByRole("region", { name: "Sending emails" });
  await service.getByRole("button", { name: "Save" }).click();
  await expect(service.getByLabel("Server", { exact: true })).toBeFocused();
  await expect(service.getByLabel("Server", { exact: true })).toHaveAccessibleDescription(
    /^Please enter the name of the server alone/,
  );
  expect(await findingsOf(page)).toEqual([]);
  await service.getByLabel("Server", { exact: true }).fill(host);
  await service.getByLabel("Port").selectOption("2525");
  await service.getByLabel("User name").fill("ada@example.com");
  await service.getByRole("textbox", { name: "Password" }).fill("not this one");
  await save(page);
  await expect(service.getByText(/^Stored by /)).toBeVisible();
  await expect(service.locator(":focus")).toHaveText(/^Server/);

  const send = service.getByRole("button", { name: "Send a test mail" });
  await send.click();
  await expect(service.getByText("refused the user name or the password")).toBeVisible();
  await expect(service.getByText("535 5.7.8 Authentication failed")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await service.getByRole("button", { name: "Change" }).click();
  await service.getByRole("textbox", { name: "Password" }).fill(password);
  await save(page);
  await send.click();
  await expect(service.getByText(`the test mail to ${account.email}.`)).toBeVisible();
  expect(smtp.mails.map((mail) => headerOf(mail, "To"))).toContain(account.email);

  await page.reload();
  await expect(service.getByText(/^Stored by /)).toBeVisible();
  expect(await page.content()).not.toContain(password);
  await page.goto("/messages");
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible();
  await expect(page.getByText("cannot send emails yet")).toHaveCount(0);

  const backup = join(site.dataDir, "../site.tar.gz");
  const { code } = await runNode(["scripts/backup.ts", backup], { DATA_DIR: site.dataDir });
  expect(code).toBe(0);
  const saved = gunzipSync(readFileSync(backup));
  expect(saved.includes("ada@example.com")).toBe(true);
  expect(saved.includes(password)).toBe(false);
  expect(site.output).not.toContain(password);
  await smtp.stopListening();

  // What the server sets comes first.
  await stopSite(site.process);
  await site.start({ SMTP_URL: "smtp://ada:a-password-of-the-server@127.0.0.1:2525" });
  await page.goto("/manage/settings/mail");
  await expect(service.getByText("Set by the server (SMTP_URL).")).toBeVisible();
  await expect(service.getByRole("button")).toHaveText(["Send a test mail"]);
  expect(await page.content()).not.toContain("a-password-of-the-server");

  await stopSite(site.process);
  // As on another machine, where a backup was restored.
  writeFileSync(join(site.dataDir, "settings.key"), "another key");
  await site.start({ SMTP_URL: "" });
  await page.goto("/manage");
  await openTask(page, "Enter the password for your emails");
  await expect(service.getByRole("alert")).toContainText("Enter it again.");
  expect(await findingsOf(page)).toEqual([]);
  await service.getByRole("textbox", { name: "Password" }).fill(password);
  await save(page);
  await expect(service.getByRole("alert")).toHaveCount(0);
  await save(page, "Remove");
  await expect(service.getByText("Your site cannot send emails yet")).toBeVisible();
});
