// A forgotten password without mail, and the backups of the site.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findingsOf } from "../access/axe.ts";
import { ownSiteTest } from "../own-site.ts";
import { expect, toast } from "../test.ts";
import { account, fillLogin } from "./owner.ts";

const test = ownSiteTest();
// Wrong codes and passwords, and reads with the session that the new password has ended.
test.use({ expectedErrors: /status of 40[0134]|Loading what waits failed/ });

test("an owner prints recovery codes, forgets the password, and sets a new one with a code", async ({
  page,
}) => {
  await page.goto("/login");
  await fillLogin(page);
  await page.waitForURL("/blog");
  await page.goto("/manage/account");
  await page.getByRole("button", { name: "Make recovery codes" }).click();
  const dialog = page.getByRole("dialog", { name: "Make recovery codes" });
  await dialog.getByLabel("Password").fill("not the password");
  await dialog.getByRole("button", { name: "Make codes" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("This is not your current password.");
  expect(await findingsOf(page)).toEqual([]);
  await dialog.getByLabel("Password").fill(account.password);
  await dialog.getByRole("button", { name: "Make codes" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const [code = ""] = await codes.allInnerTexts();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: /^Recovery codes, / })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your account" })).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "I have stored them" }).click();
  await expect(page.getByText("10 codes are left.")).toBeVisible();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("link", { name: "Admin Login" })).toBeVisible();

  await page.goto("/forgot-password");
  await page.getByRole("button", { name: "I have a recovery code" }).click();
  await expect(page.getByRole("heading", { name: "Use a recovery code" })).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  const password = `${crypto.randomUUID()} of mine`;
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Recovery code").fill("00000-00000-00000-00000");
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByLabel("New password")).toHaveAccessibleDescription(/at least 10/);
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByRole("alert")).toContainText("the code is wrong");
  await page.getByLabel("Recovery code").fill(code);
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(toast(page, "Password changed")).toBeVisible();

  await page.goto("/manage");
  const note = page.getByText(/used a recovery code for a new password/);
  await expect(note).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "I have seen this" }).click();
  await expect(note).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("link", { name: "Backups" })).toBeVisible();
  await expect(note).toHaveCount(0);
  account.password = password;
});

test("an owner downloads a backup after entering the password again", async ({ page, site }) => {
  test.setTimeout(180_000);
  await page.goto("/login");
  await fillLogin(page);
  await page.waitForURL("/blog");
  await page.goto("/manage");
  await expect(page.getByText("The first backup is made tonight.")).toBeVisible();
  await page.getByRole("link", { name: "Backups" }).click();
  await expect(page.getByRole("heading", { name: "Backups" })).toBeVisible();
  await page.getByRole("button", { name: "Back up now" }).click();
  const state = page.getByRole("main").getByRole("status");
  await expect(state).toHaveText("A backup is being made. You can go on with your work.");
  // The process has a low priority, so it may take long on a busy machine. The test does not wait for the trial restore after it.
  await page.getByRole("button", { name: /^Download/ }).click({ timeout: 120_000 });
  const dialog = page.getByRole("dialog", { name: "Download this backup?" });
  await dialog.getByLabel("Password").fill(account.password);
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  const download = await downloading;
  const name = download.suggestedFilename();
  const stored = join(site.dataDir, "backups", name);
  expect(existsSync(stored)).toBe(true);
  expect(readFileSync(await download.path()).equals(readFileSync(stored))).toBe(true);
  await expect(dialog).toBeHidden();

  await page.getByText("Copies elsewhere").click();
  const address = page.getByLabel("Address of the service");
  await address.fill("http://example.com");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(address).toHaveAccessibleDescription(/must look like/);
  await expect(address).toBeFocused();
  expect(await findingsOf(page)).toEqual([]);
});
