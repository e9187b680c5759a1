import type { Page } from "@playwright/test";
import { followChanges } from "../follow-changes.ts";
import { sendContactForm } from "../forms.ts";
import { delayReads, openPage, toast } from "../test.ts";
import { test as base, expect, logIn } from "./owner.ts";

interface Fixtures {
  /** Sends messages as visitors do and deletes them after the test. */
  send(...names: string[]): Promise<void>;
}

const text = "Dear Nora,\n\ncould we talk next week?\n  Ada";

const test = base.extend<Fixtures>({
  send: async ({ visitor, owner }, use) => {
    const all: string[] = [];
    await use(async (...names) => {
      all.push(...names);
      for (const name of names) {
        const message = { name, email: "ada@example.com", phone: "(503) 555-0199", message: text };
        const { error } = await visitor.functions.invoke("send-email", {
          body: JSON.stringify(message),
        });
        if (error) throw error;
      }
    });
    await owner.from("contact_messages").delete().in("name", all).throwOnError();
  },
});

function uniqueName(): string {
  return `Ada ${crypto.randomUUID().slice(0, 8)}`;
}

/**
 * Other tests send messages at the same time, which moves the list. So the buttons are pressed by
 * keyboard: a pointer could miss them.
 */
function messageFrom(page: Page, name: string) {
  return page.getByRole("article").filter({ hasText: name });
}

// Serial: a page of messages from one test would push another test's message off the first page.
test.describe.configure({ mode: "default" });

test("a visitor who opens the messages is redirected to the login, and back after it", async ({
  page,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/messages?page=2");
  await expect(page).toHaveURL("/login");
  expect(asked.filter((url) => /contact_messages|\/(inbox|load-messages)-/.test(url))).toEqual([]);

  await page.getByLabel("Email").fill("owner@example.com");
  await page.getByLabel("Password").fill("a-password-for-tests");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("heading", { name: "Messages", level: 1 })).toBeVisible();
  await expect(page).toHaveURL("/messages?page=2");
});

test("visitors receive neither a link to the messages nor their code", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await openPage(page, "/contact");
  await expect(page.getByRole("link", { name: "Admin Login" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Messages/ })).toHaveCount(0);
  expect(asked.filter((url) => /messages|inbox|unread/.test(url))).toEqual([]);
});

test("a message from the contact page appears on the owner's open page, is read, answered and deleted", async ({
  page: visitor,
  browser,
  baseURL,
  owner,
}) => {
  const name = uniqueName();
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  const changes = followChanges(page);
  await logIn(page);
  await page.getByRole("contentinfo").getByRole("link", { name: "Messages" }).click();
  await expect(page).toHaveURL("/messages");
  await changes.connected("contact_messages");

  await openPage(visitor, "/contact");
  await sendContactForm(visitor, { name, phone: "(503) 555-0199", message: text });

  const message = messageFrom(page, name);
  await expect(message).toBeVisible({ timeout: 15_000 });
  await expectCount(page);
  const header = message.getByRole("heading").getByRole("button");
  await expect(header).toHaveAccessibleName(/^Unread: /);
  await expect(header).toHaveAttribute("aria-expanded", "false");

  await header.press("Enter");
  await expect(header).toHaveAttribute("aria-expanded", "true");
  await expect(header).not.toHaveAccessibleName(/Unread/);
  await expectCount(page);
  const whole = message.getByRole("paragraph").filter({ hasText: "Dear Nora" });
  await expect(whole).toHaveCSS("white-space-collapse", "preserve");
  expect(await whole.textContent()).toBe(text);
  await expect(message.getByRole("link", { name: "ada@example.com" })).toHaveAttribute(
    "href",
    /^mailto:ada@example\.com\?subject=Re/,
  );
  await expect(message.getByRole("link", { name: "(503) 555-0199" })).toHaveAttribute(
    "href",
    "tel:5035550199",
  );

  await message.getByRole("button", { name: "Mark as answered" }).press("Enter");
  await expect(toast(page, "Message Updated")).toContainText("is marked as answered");
  await expect(header).toContainText("Answered");
  await message.getByRole("button", { name: "Mark as not answered" }).press("Enter");
  await expect(header).not.toContainText("Answered");

  await message.getByRole("button", { name: "Delete" }).press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Are you absolutely sure?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(message).toBeVisible();
  await message.getByRole("button", { name: "Delete" }).press("Enter");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page, "Message Deleted")).toContainText("successfully removed");
  await expect(message).toHaveCount(0);
  const { data } = await owner.from("contact_messages").select("id").eq("name", name);
  expect(data).toEqual([]);
  await context.close();

  /**
   * Other tests send messages at the same time, so the expected count is read from the database.
   */
  async function expectCount(page: Page) {
    await expect
      .poll(async () => {
        const { count } = await owner
          .from("contact_messages")
          .select("*", { count: "exact", head: true })
          .is("read_at", null);
        const status = await page.getByRole("main").getByRole("status").textContent();
        const footer = page.getByRole("contentinfo");
        const link = await footer.getByRole("link", { name: /^Messages/ }).textContent();
        const shown = [
          Number.parseInt(status ?? "", 10) || 0,
          Number(link?.match(/\d+/)?.[0] ?? 0),
        ];
        return shown.map((number) => number - (count ?? Number.NaN));
      })
      .toEqual([0, 0]);
  }
});

test("a change in one of the owner's tabs appears in the other", async ({
  page,
  context,
  send,
}) => {
  const name = uniqueName();
  await send(name);
  await logIn(page, "/messages");
  const second = await context.newPage();
  const changes = followChanges(second);
  await second.goto("/messages");
  await changes.connected("contact_messages");
  await messageFrom(second, name)
    .getByRole("button", { name: /^Unread: / })
    .waitFor();

  changes.startAnew();
  await messageFrom(page, name).getByRole("button", { name }).press("Enter");
  await expect(messageFrom(second, name).getByRole("button")).not.toHaveAccessibleName(/Unread/);
  await changes.expectOneReadPerChange("contact_messages");
  await messageFrom(page, name).getByRole("button", { name: "Mark as answered" }).press("Enter");
  await expect(messageFrom(second, name)).toContainText("Answered");
});

test("everything works by keyboard, and focus is never lost", async ({ page, send }) => {
  const name = uniqueName();
  await send(uniqueName(), name);
  await logIn(page, "/messages");
  await messageFrom(page, name).getByRole("button", { name }).focus();
  await page.keyboard.press("Enter");
  for (const control of ["ada@example.com", "(503) 555-0199", "Reply by e-mail"]) {
    await page.keyboard.press("Tab");
    await expect(
      messageFrom(page, name).getByRole("link", { name: control }).first(),
    ).toBeFocused();
  }
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(messageFrom(page, name)).toContainText("Answered");
  await expect(
    messageFrom(page, name).getByRole("button", { name: "Mark as not answered" }),
  ).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(messageFrom(page, name).getByRole("button", { name: "Delete" })).toBeFocused();

  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  await expect(messageFrom(page, name)).toHaveCount(0);
  await expect(page.getByRole("article").locator("h2 button:focus")).toHaveCount(1);
});

test("older messages are on the next page", async ({ page, send }) => {
  const names = Array.from({ length: 21 }, uniqueName);
  const [oldest = "", newest = ""] = [names[0], names.at(-1)];
  await send(...names);
  await logIn(page, "/messages");
  await expect(messageFrom(page, newest)).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(20);
  await expect(messageFrom(page, oldest)).toHaveCount(0);

  await page.getByRole("link", { name: "Older messages" }).click();
  await expect(page).toHaveURL("/messages?page=2");
  await expect(messageFrom(page, oldest)).toBeVisible();
  await page.getByRole("link", { name: "Newer messages" }).click();
  await expect(page).toHaveURL("/messages");
  await expect(messageFrom(page, newest)).toBeVisible();

  await page.goto("/messages?page=100000");
  await expect(page.getByText("There are no messages on this page.")).toBeVisible();
});

test("the page shows that it is loading, and that there are no messages yet", async ({ page }) => {
  await logIn(page);
  const letGo = await delayReads(page, "contact_messages");
  await page.goto("/messages");
  await expect(page.getByText("Loading messages...")).toBeVisible();
  letGo();
  await expect(page.getByText("Loading messages...")).toHaveCount(0);
  await page.route("**/rest/v1/contact_messages?*", (route) => route.fulfill({ json: [] }));
  await page.goto("/messages");
  await expect(page.getByRole("heading", { name: "No messages yet" })).toBeVisible();
});

test.describe("when the backend fails", () => {
  test.use({
    expectedErrors:
      /Failed to load resource|Loading messages failed|Counting unread|the message.* failed/,
  });

  test("the list shows an error and can be retried", async ({ page, send }) => {
    const name = uniqueName();
    await send(name);
    await logIn(page);
    const outage = (url: URL) => url.pathname === "/rest/v1/contact_messages";
    await page.route(outage, (route) =>
      route.fulfill({ status: 500, json: { message: "The database is away." } }),
    );
    await page.goto("/messages");
    const alert = page.getByRole("main").getByRole("alert");
    await expect(alert).toContainText("The messages can't be shown right now.");
    await page.unroute(outage);
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(messageFrom(page, name)).toBeVisible();
  });

  test("a change that affected no row is reported as a failure", async ({ page, send }) => {
    const name = uniqueName();
    await send(name);
    await logIn(page, "/messages");
    await page.route("**/rest/v1/contact_messages?*", (route) =>
      ["PATCH", "DELETE"].includes(route.request().method())
        ? route.fulfill({ json: [] })
        : route.fallback(),
    );
    const message = messageFrom(page, name);
    await message.getByRole("button", { name }).press("Enter");
    await expect(
      toast(page, "Update Failed").filter({ hasText: "Could not mark the message as read." }),
    ).toBeVisible();
    await expect(message.getByRole("button", { name: /^Unread: / })).toBeVisible();
    await message.getByRole("button", { name: "Mark as answered" }).press("Enter");
    await expect(
      toast(page, "Update Failed").filter({ hasText: "Could not update the message." }),
    ).toBeVisible();
    await expect(message.getByRole("button", { name: "Mark as answered" })).toBeEnabled();
    await message.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(toast(page, "Deletion Failed")).toContainText("Could not delete the message.");
    await expect(message).toBeVisible();
  });
});
