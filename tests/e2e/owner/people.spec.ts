import type { Page } from "@playwright/test";
import { findingsOf } from "../access/axe.ts";
import { openPage, toast } from "../test.ts";
import { account, choose, expect, fillLogin, logIn, logInByForm, test } from "./owner.ts";

test.use({
  viewport: { width: 390, height: 844 },
  // Reads that are under way at a sign-out, and those of an account that was removed, are refused.
  expectedErrors: /status of 40[013]|^(Loading|Counting|Comparing) .*failed/,
});

const password = "a-password-of-ada";

/** Fills in the form by keyboard. The assistant's role is the default. */
async function invite(page: Page, email: string, name: string, role?: "Owner"): Promise<string> {
  await page.getByLabel("Email").focus();
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(name);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("radio", { name: /^Assistant/ })).toBeFocused();
  if (role) await page.getByRole("radio", { name: role }).press("Space");
  await page.keyboard.press("Enter");
  return page.getByLabel(`Link for ${email}`).inputValue();
}

test("an owner invites an assistant, who accepts, reads messages and writes no posts, and is removed", {
  tag: "@long",
}, async ({ page, browser, baseURL, owner }) => {
  const name = `Ada ${crypto.randomUUID().slice(0, 8)}`;
  const email = `${crypto.randomUUID()}@example.com`;
  await logIn(page, "/manage/people");
  await expect(page.getByText(`${account.email} (you)`)).toBeVisible();
  const link = await invite(page, email, name);
  const person = page.getByRole("listitem").filter({ hasText: email });
  await expect(person).toContainText("Invited");
  await person.getByRole("button", { name: "Change" }).press("Enter");
  await expect(person.getByRole("radio")).toHaveCount(4);
  // Another owner names her. The form that is open follows.
  const { data: people } = await owner.rpc("list_people").throwOnError();
  const id = people.find((each) => each.email === email)?.id ?? "";
  await owner.rpc("set_person", { id, role: "assistant", name: `${name} Ay` }).throwOnError();
  await expect(person.getByLabel("Name")).toHaveValue(`${name} Ay`);
  await expect(person.getByRole("heading")).toHaveText(`${name} Ay`);
  await owner.rpc("set_person", { id, role: "assistant", name }).throwOnError();
  await page.getByRole("button", { name: "Create invitation" }).press("Enter");
  await expect(page.getByText("Please enter a valid email address.")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  const context = await browser.newContext({ baseURL, viewport: { width: 390, height: 844 } });
  const assistant = await context.newPage();
  await assistant.goto(link);
  await expect(assistant.getByRole("heading", { name: "Accept your invitation" })).toBeVisible();
  await assistant.getByLabel("New password").focus();
  await assistant.keyboard.type(password);
  await assistant.keyboard.press("Enter");
  await expect(toast(assistant, "Invitation Accepted")).toContainText(
    `You are signed in as ${email}. Messages of visitors arrive here.`,
  );
  await expect(assistant).toHaveURL("/messages");
  await expect(assistant.getByRole("heading", { name: "Inbox", exact: true })).toBeVisible();
  await assistant.goto("/blog");
  await expect(assistant.getByRole("link", { name: "Messages" })).toBeVisible();
  await expect(assistant.getByRole("link", { name: "Start the setup" })).toHaveCount(0);
  await expect(assistant.getByRole("link", { name: "Create New Post" })).toHaveCount(0);
  await expect(assistant.getByRole("button", { name: /^Delete/ })).toHaveCount(0);

  await assistant.goto("/manage/people");
  await expect(assistant.getByRole("heading", { level: 1 })).toHaveText(/^Your account may not /);

  await assistant.getByRole("button", { name: "More", exact: true }).click();
  await assistant.getByRole("button", { name: "Logout" }).click();
  await expect(assistant.getByRole("heading", { name: "Admin Access" })).toBeVisible();
  await fillLogin(assistant, { email, password });
  await expect(toast(assistant, "Login Successful!")).toContainText(`Welcome back, ${name}!`);

  await assistant.goto("/messages");
  await expect(assistant.getByRole("heading", { name: "Inbox", exact: true })).toBeVisible();
  await page.reload();
  await expect(person).not.toContainText("Invited");
  await choose(person, "Remove");
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Are you absolutely sure?");
  await dialog.getByRole("button", { name: "Continue" }).press("Enter");
  await expect(toast(page, "Person Removed")).toBeVisible();
  await expect(person).toHaveCount(0);
  // Other tests invite people at the same time.
  await expect(page.getByRole("heading", { name: /^\d+ (person|people)$/ })).toBeFocused();

  // The next thing that the open page reads ends it, and it says so.
  const ended = assistant.getByText("your account was removed");
  const press = assistant.getByRole("link", { name: /^Unanswered/ }).click();
  // A change of the messages may have been read before.
  await Promise.race([press.catch(() => {}), ended.waitFor()]);
  await expect(ended).toBeVisible();
  await context.close();
});

test.describe("a person's account", () => {
  test("changes its name and password, and ends a session on another device", {
    tag: "@long",
  }, async ({ page, browser, baseURL, owner }) => {
    const email = `${crypto.randomUUID()}@example.com`;
    // Uses a session of its own, because the test ends it.
    await logInByForm(page);
    await openPage(page, "/manage/people");
    const link = await invite(page, email, "", "Owner");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("button", { name: "Logout" }).click();
    // A page that opens before the session is removed would read the role with a session that has ended.
    await expect(page.getByRole("link", { name: "Admin Login" })).toBeVisible();

    await page.goto(link);
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Accept invitation" }).click();
    await expect(toast(page, "Invitation Accepted")).toContainText("start the setup above");
    await expect(page).toHaveURL("/blog");
    const context = await browser.newContext({ baseURL });
    const other = await context.newPage();
    await other.goto("/login");
    await fillLogin(other, { email, password });
    await expect(other).toHaveURL("/blog");

    await openPage(page, "/manage/account");
    await page.getByRole("button", { name: "Save password" }).press("Enter");
    await expect(page.getByText("Please enter your current password.")).toBeVisible();
    await expect(page.getByText("This device")).toBeVisible();
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Name" }).fill("Ada Lovelace");
    await page.getByRole("button", { name: "Save name" }).click();
    await expect(toast(page, "Name Saved")).toBeVisible();
    await page.getByRole("button", { name: "End session" }).press("Enter");
    await expect(toast(page, "Session Ended")).toBeVisible();
    await expect(page.getByRole("list", { name: "Your sessions" })).toBeFocused();
    await other.goto("/messages");
    await expect(other.getByRole("heading", { name: "Admin Access" })).toBeVisible();

    await page.getByLabel("Current password").fill("not-the-password");
    await page.getByLabel("New password").fill("another-password");
    await page.getByRole("button", { name: "Save password" }).click();
    // A session that a link started requires the current password once a password was set in it.
    await expect(page.getByText("This is not your current password.")).toBeVisible();
    await expect(page.getByLabel("Current password")).toBeFocused();
    await page.getByLabel("Current password").fill(password);
    await page.getByRole("button", { name: "Save password" }).click();
    await expect(toast(page, "Password changed")).toBeVisible();

    // Without a mail service, an owner confirms a new address by a link on the page.
    await page.getByLabel("New email address").fill(`new-${email}`);
    const ownPassword = page.getByRole("region", { name: "Email address" }).getByLabel("Password");
    await ownPassword.fill("another-password");
    await page.getByRole("button", { name: "Change address" }).click();
    await expect(page.getByText("A new password ends its link")).toContainText(`new-${email}`);
    await page.getByRole("link", { name: "Confirm the new address" }).click();
    await page.getByRole("button", { name: "Confirm the address" }).click();
    await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();

    await page.goto(link);
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Accept invitation" }).click();
    await expect(page.getByText("Ask the owner of the site for a new one.")).toBeVisible();

    const { data } = await owner.rpc("list_people").throwOnError();
    const id = data.find((each) => each.email === `new-${email}`)?.id ?? "";
    await owner.rpc("remove_person", { id }).throwOnError();
    await context.close();
  });
});
