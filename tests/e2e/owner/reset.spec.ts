import { rm } from "node:fs/promises";
import { join } from "node:path";
import freePort from "get-port";
import { decodeMail, startSmtp } from "../../smtp-server.ts";
import { startSite, stopSite } from "../../start-site.ts";
import { createTemporaryFolder } from "../../temporary-folder.ts";
import { toast } from "../test.ts";
import { account, test as base, expect } from "./owner.ts";

type Smtp = Awaited<ReturnType<typeof startSmtp>>;

/** A separate site: these tests change the owner's password and send real mails. */
const test = base.extend<{ smtp: Smtp }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see what a fixture uses.
  smtp: async ({}, use) => {
    const smtp = await startSmtp();
    await use(smtp);
    smtp.server.close();
  },
  baseURL: async ({ smtp }, use) => {
    const folder = await createTemporaryFolder("reset");
    const port = await freePort();
    const site = await startSite(port, {
      DATA_DIR: join(folder, "data"),
      SMTP_URL: smtp.url,
      OWNER_EMAIL: account.email,
      OWNER_PASSWORD: account.password,
    });
    await use(`http://127.0.0.1:${port}`);
    await stopSite(site);
    await rm(folder, { recursive: true });
  },
});

test.use({ expectedErrors: /status of 400/ });

test("a forgotten password is reset from the login page through the mailed link", async ({
  page,
  smtp,
}) => {
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // The login page has an e-mail field as well.
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await page.getByLabel("Email").fill(account.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("main").getByRole("status")).toContainText("a link is on its way");
  await expect.poll(() => smtp.mails.length).toBe(1);
  const [mail] = smtp.mails;
  const link = mail && decodeMail(mail).match(/https?:\/\/\S+\/auth\/v1\/verify\?\S+/)?.[0];

  await page.goto(link ?? "");
  await expect(page).toHaveURL(/\/reset-password#?$/);
  await expect(page.getByText(`For ${account.email}`)).toBeVisible();
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByLabel("New password")).toHaveAccessibleDescription(
    "Please use at least 8 characters.",
  );
  await page.getByLabel("New password").fill("a-new-password");
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(toast(page, "Password changed")).toBeVisible();
  await expect(page).toHaveURL("/blog");

  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("link", { name: "Admin Login" }).click();
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(toast(page, "Sign in Failed")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill("a-new-password");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL("/blog");

  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("link", { name: "Admin Login" })).toBeVisible();
  await page.goto(link ?? "");
  await expect(page.getByRole("heading", { name: "This link has expired" })).toBeVisible();
  await page.getByRole("link", { name: "Send a new link" }).click();
  await expect(page).toHaveURL("/forgot-password");
});
