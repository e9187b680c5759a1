import { ownerAccount } from "../../prepared-data-dir.ts";
import { decodeMail } from "../../smtp-server.ts";
import { findingsOf } from "../access/axe.ts";
import { ownSiteTest } from "../own-site.ts";
import { expect, openPage, toast } from "../test.ts";

const test = ownSiteTest();

// Another environment starts another site, so this owner gets another password.
test.use({
  expectedErrors: /status of 4(00|03|22)/,
  siteEnvironment: { CONTACT_TO: "reset@example.com" },
});

test("a forgotten password is reset from the login page through the mailed link", async ({
  page,
  smtp,
}) => {
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // The login page has an email field as well.
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await page.getByLabel("Email").fill(ownerAccount.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("main").getByRole("status")).toContainText("a link is on its way");
  await expect.poll(() => smtp.mails.length).toBe(1);
  const [mail] = smtp.mails;
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
    "Please use at least 8 characters.",
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

  // By key, because the toast covers the button.
  await page.getByRole("button", { name: "Logout" }).press("Enter");
  await page.getByRole("link", { name: "Admin Login" }).click();
  await page.getByLabel("Email").fill(ownerAccount.email);
  await page.getByLabel("Password", { exact: true }).fill(ownerAccount.password);
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(toast(page, "Sign in Failed")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill("a-new-password");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL("/blog");

  await openPage(page, "/manage/account");
  await page.getByLabel("New email address").fill("new@example.com");
  await page
    .getByRole("region", { name: "Email address" })
    .getByLabel("Password")
    .fill("a-new-password");
  await page.getByRole("button", { name: "Change address" }).click();
  await expect(page.getByText("Mails go to new@example.com")).toBeVisible();
  await expect(page.getByRole("link", { name: "Confirm the new address" })).toHaveCount(0);

  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("link", { name: "Admin Login" })).toBeVisible();
  await page.goto(link ?? "");
  await page.getByLabel("New password").fill("another-password");
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByRole("heading", { name: "This link has expired" })).toBeVisible();
  await page.getByRole("link", { name: "Send a new link" }).click();
  await expect(page).toHaveURL("/forgot-password");
});
