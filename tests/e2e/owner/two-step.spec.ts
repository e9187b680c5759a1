import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { decodeMail } from "../../smtp-server.ts";
import { findingsOf } from "../access/axe.ts";
import { ownSiteTest } from "../own-site.ts";
import { connect, expect, openPage, toast } from "../test.ts";
import { fillLogin } from "./owner.ts";

const test = ownSiteTest();
// Wrong codes, and the check whether the session has ended.
test.use({ expectedErrors: /status of (401|403|422)/ });

/** @param step in periods of 30 seconds from now: each code works once */
function codeOf(secret: string, step: number): string {
  const timestamp = Date.now() + step * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

async function enter(page: Page, code: string) {
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: /^(Confirm|Continue)$/ }).click();
}

async function logOut(page: Page) {
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("link", { name: "Admin Login" })).toBeVisible();
}

test("an owner turns on the second step, signs in with it, resets the password, and uses a recovery code", {
  tag: "@long",
}, async ({ page, context, owner, siteUrl, smtp }) => {
  const account = { email: `${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() };
  const invitation = { email: account.email, role: "owner", name: "Grace" };
  await owner.functions.invoke("invite-person", { body: invitation });
  const linkIn = (mails: typeof smtp.mails) =>
    mails
      .map((mail) => decodeMail(mail).match(/https?:\/\/\S+\/confirm#\S+/)?.[0])
      .findLast(Boolean);
  await expect.poll(() => linkIn(smtp.mails)).toBeDefined();
  const hash = new URL(linkIn(smtp.mails) ?? "").hash.slice(1);
  const token_hash = new URLSearchParams(hash).get("token_hash") ?? "";
  const { auth } = await connect(siteUrl);
  await auth.verifyOtp({ type: "invite", token_hash });
  await auth.updateUser({ password: account.password });

  await page.goto("/login");
  await fillLogin(page, account);
  await page.waitForURL("/blog");
  await page.goto("/manage/account");
  await page.getByRole("button", { name: "Make recovery codes" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password").fill(account.password);
  await dialog.getByRole("button", { name: "Make codes" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const [recovery = ""] = await codes.allInnerTexts();
  await page.getByRole("button", { name: "I have stored them" }).click();

  await test.step("turn it on", async () => {
    await page.getByRole("button", { name: "Turn on" }).click();
    await expect(page.getByRole("img", { name: /^QR code/ })).toHaveJSProperty("complete", true);
    expect(
      await page.getByRole("img", { name: /^QR code/ }).evaluate((image: HTMLImageElement) => {
        return image.naturalWidth;
      }),
    ).toBeGreaterThan(0);
    expect(await findingsOf(page)).toEqual([]);
  });
  const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
  await enter(page, "12345");
  await expect(page.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(
    "The code has six digits.",
  );
  const used = codeOf(secret, -1);
  await enter(page, used);
  await expect(page.getByText("It is on.")).toBeVisible();

  await test.step("the first step alone is signed out", async () => {
    await logOut(page);
    await page.goto("/login");
    await fillLogin(page, account);
    await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
    await expect(page.getByLabel("Code", { exact: true })).toHaveAttribute(
      "autocomplete",
      "one-time-code",
    );
    expect(await findingsOf(page)).toEqual([]);
    await openPage(page, "/blog");
    await expect(page.getByRole("link", { name: "Admin Login" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Create New Post" })).toHaveCount(0);
    await page.goto("/manage/account");
    await expect(page).toHaveURL("/login");
    await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  });

  await test.step("a code leads to the page that asked for it, in all tabs", async () => {
    const second = await context.newPage();
    await second.goto("/login");
    await expect(second.getByRole("heading", { name: "Enter your code" })).toBeVisible();
    await enter(page, used);
    await expect(page.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(
      "This code is wrong, or was used already. Enter the one that the app shows now.",
    );
    await expect(page.getByLabel("Code", { exact: true })).not.toHaveValue("");
    await enter(page, codeOf(secret, 0));
    await expect(toast(page, "Login Successful!")).toContainText("Welcome back, Grace!");
    await expect(page).toHaveURL("/manage/account");
    await expect(second).toHaveURL("/blog");
    await second.close();
    await logOut(page);
  });

  await test.step("a new password needs the second step", async () => {
    const before = smtp.mails.length;
    await auth.resetPasswordForEmail(account.email);
    await expect.poll(() => linkIn(smtp.mails.slice(before))).toBeDefined();
    await page.goto(linkIn(smtp.mails.slice(before)) ?? "");
    account.password = crypto.randomUUID();
    await page.getByLabel("New password").fill(account.password);
    await page.getByRole("button", { name: "Save password" }).click();
    await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
    await enter(page, codeOf(secret, 1));
    await expect(toast(page, "Password changed")).toBeVisible();
    await logOut(page);
  });

  await test.step("a recovery code turns it off", async () => {
    await page.goto("/login");
    await fillLogin(page, account);
    await page.getByRole("button", { name: "Sign in with another account" }).click();
    await fillLogin(page, account);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill("00000-00000-00000-00000");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByLabel("Recovery code")).toHaveAccessibleDescription(
      "This recovery code is wrong or was used already.",
    );
    await page.getByLabel("Recovery code").fill(recovery);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(toast(page, "Two-step sign-in is off")).toBeVisible();
    await expect(page).toHaveURL("/blog");
    await page.goto("/manage/account");
    await expect(page.getByRole("button", { name: "Turn on" })).toBeVisible();
  });
});
