import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { callSentence } from "../../consent-sentences.ts";
import { findingsOf } from "../access/axe.ts";
import { followChanges } from "../follow-changes.ts";
import { fillContactForm, sendContactForm } from "../forms.ts";
import { openPage, succeedAfterClick, toast } from "../test.ts";
import { test as base, choose, expect, logIn, logInByForm } from "./owner.ts";

interface Fixtures {
  /** Sends messages as visitors do and deletes them after the test. */
  send(...names: string[]): Promise<void>;
}

const searches = "**/rest/v1/rpc/search_messages";

const text = "Dear adviser,\n\ncould we talk next week?\n  Ada";

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

/** Press it by keyboard: messages of other tests move the list, so a pointer could miss it. */
function rowOf(page: Page, name: string) {
  return page.getByRole("list", { name: "Messages, newest first" }).getByRole("link", { name });
}

function openMessage(page: Page) {
  return page.getByRole("article");
}

// These tests run serially: the messages of one could push those of another off the first page.
test.describe.configure({ mode: "default" });

test("a message from the contact page appears on the owner's open page, is read, answered, deleted and restored", {
  tag: "@translated",
}, async ({ page: visitor, browser, baseURL, owner }) => {
  const name = uniqueName();
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  const changes = followChanges(page);
  await logInByForm(page);
  // A click would wait for the toast above the link.
  await page.getByRole("contentinfo").getByRole("link", { name: "Messages" }).press("Enter");
  await expect(page).toHaveURL("/messages");
  await changes.connected("contact_messages");

  await openPage(visitor, "/contact");
  await sendContactForm(visitor, { name, phone: "(503) 555-0199", message: text });

  const row = rowOf(page, name);
  const message = openMessage(page);
  await expect(row).toBeVisible();
  await expectCount(page);
  await expect(row).toHaveAccessibleName(/^Unread: /);

  await row.press("Enter");
  await expect(message.getByRole("heading", { name })).toBeFocused();
  await expect(row).toHaveAttribute("aria-current", "true");
  await expect(row).not.toHaveAccessibleName(/Unread/);
  await expectCount(page);
  const whole = message.getByRole("paragraph").filter({ hasText: "Dear adviser" });
  await expect(whole).toHaveCSS("white-space-collapse", "preserve");
  expect(await whole.textContent()).toBe(text);
  const reply = /^mailto:ada@example\.com\?subject=Re.*&body=.*wrote%3A%0D%0A%3E%20Dear%20adviser/;
  for (const link of ["ada@example.com", "Reply"]) {
    await expect(message.getByRole("link", { name: link })).toHaveAttribute("href", reply);
  }
  for (const link of ["(503) 555-0199", "Call"]) {
    await expect(message.getByRole("link", { name: link })).toHaveAttribute(
      "href",
      "tel:+15035550199",
    );
  }

  await choose(openMessage(page), "Mark as answered");
  await expect(toast(page, "Message Updated")).toContainText("is marked as answered");
  await expect(row).toHaveAccessibleName(/Answered/);
  await choose(openMessage(page), "Mark as not answered");
  await expect(row).not.toHaveAccessibleName(/Answered/);

  await choose(openMessage(page), "Delete");
  await expect(toast(page, "Message Deleted")).toContainText("You can restore it for 30 days");
  await expect(row).toHaveCount(0);
  await expectCount(page);
  await toast(page, "Message Deleted").getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, "Message Restored")).toBeVisible();
  await expect(row).toBeVisible();

  await row.press("Enter");
  await expect(message.getByRole("heading", { name })).toBeFocused();
  await choose(openMessage(page), "Delete");
  await expect(row).toHaveCount(0);
  const deleted = page.getByRole("link", { name: /^Deleted \d+$/ });
  await deleted.press("Enter");
  await expect(page).toHaveURL("/messages?filter=deleted");
  await row.press("Enter");
  await message.getByRole("button", { name: "Restore" }).press("Enter");
  await expect(row).toHaveCount(0);
  const all = page.getByRole("link", { name: /^All \d+$/ });
  await all.press("Enter");
  await expect(row).toBeVisible();

  await row.press("Enter");
  await expect(message.getByRole("heading", { name })).toBeFocused();
  await choose(openMessage(page), "Delete");
  await expect(row).toHaveCount(0);
  await deleted.press("Enter");
  await row.press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Are you absolutely sure?" });
  await message.getByRole("button", { name: "Delete for good" }).press("Enter");
  await expect(dialog).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page, "Message Deleted")).toContainText("permanently removed");
  await expect(row).toHaveCount(0);
  const { data } = await owner.from("contact_messages").select("id").eq("name", name);
  expect(data).toEqual([]);

  // The browser of a visitor filled in the honeypot.
  await openPage(visitor, "/contact");
  await fillContactForm(visitor, { name });
  await visitor.locator("input[name=subject]").evaluate((field: HTMLInputElement) => {
    field.value = "Ada";
  });
  await visitor.getByRole("button", { name: "Send Message" }).click();
  await expect(toast(visitor, "Message Sent!")).toBeVisible();
  await page.getByRole("link", { name: "Spam 1" }).press("Enter");
  await expect(page.getByText(/deleted 30 days after they came/)).toBeVisible();
  await row.press("Enter");
  await expect(message.getByRole("button", { name: "Delete for good" })).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await message.getByRole("button", { name: "Not spam" }).press("Enter");
  await expect(toast(page, "Message Moved")).toContainText("with the other messages");
  await expect(page.getByRole("heading", { name: "No spam" })).toBeVisible();
  await all.press("Enter");
  await expect(row).toBeVisible();
  await owner.from("contact_messages").delete().eq("name", name).throwOnError();
  await context.close();

  /** Reads the expected count from the database, because other tests send messages at the same time. */
  async function expectCount(page: Page) {
    await expect
      .poll(async () => {
        const { data } = await owner
          .from("contact_messages")
          .select("deleted_at")
          .is("read_at", null);
        const count = data?.filter((row) => row.deleted_at === null).length;
        const status = await page.getByRole("main").getByRole("status").textContent();
        return (Number.parseInt(status ?? "", 10) || 0) - (count ?? Number.NaN);
      })
      .toBe(0);
  }
});

test("everything works by keyboard, and focus is never lost", { tag: "@long" }, async ({
  page,
  send,
}) => {
  const name = uniqueName();
  await send(uniqueName(), name);
  await logIn(page, "/messages");
  const message = openMessage(page);
  await rowOf(page, name).focus();
  await page.keyboard.press("ArrowDown");
  await expect(rowOf(page, name)).not.toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(message.getByRole("heading", { name })).toBeFocused();
  for (const control of ["ada@example.com", "(503) 555-0199", "Reply", "Call"]) {
    await page.keyboard.press("Tab");
    await expect(message.getByRole("link", { name: control })).toBeFocused();
  }
  const menu = message.getByRole("button", { name: /^More actions/ });
  await page.keyboard.press("Tab");
  await expect(menu).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Mark as answered" })).toBeFocused();
  expect(await findingsOf(page)).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(rowOf(page, name)).toHaveAccessibleName(/Flagged/);
  await expect(menu).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(message.getByRole("textbox", { name: /^Note/ })).toBeFocused();
  await page.keyboard.type("Call on Thursday");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(toast(page, "Note Saved")).toBeVisible();
  await expect(message.getByRole("button", { name: "Save note" })).toBeFocused();

  await menu.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Mark as answered" })).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(rowOf(page, name)).toHaveCount(0);
  await expect(message.locator("h2:focus")).toHaveCount(1);
  // The browser's key for moving to the notifications.
  await page.keyboard.press("F6");
  expect(await findingsOf(page)).toEqual([]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(rowOf(page, name)).toBeVisible();
});

test("on a phone the open message has the place of the list, and Back leads to its row", {
  tag: "@long",
}, async ({ page, send, owner }) => {
  const name = uniqueName();
  await send(name, uniqueName());
  await page.setViewportSize({ width: 390, height: 844 });
  await logIn(page, "/messages");
  const heading = openMessage(page).getByRole("heading", { name });
  await rowOf(page, name).press("Enter");
  await expect(heading).toBeFocused();
  await expect(rowOf(page, name)).toBeHidden();
  await page.goBack();
  await expect(rowOf(page, name)).toBeFocused();
  await page.goForward();
  await expect(heading).toBeFocused();
  await page.getByRole("link", { name: "Back to the list" }).click();
  await expect(rowOf(page, name)).toBeFocused();
  await rowOf(page, name).press("Enter");
  await choose(openMessage(page), "Delete");
  await expect(openMessage(page)).toHaveCount(0);
  await expect(page.getByRole("list", { name: "Messages, newest first" })).toBeVisible();

  // A link to a message that the list does not have.
  const { data } = await owner.from("contact_messages").select("id").eq("name", name);
  await openPage(page, `/messages?message=${data?.[0]?.id}`);
  await expect(heading).toBeFocused();
  await expect(openMessage(page).getByRole("button", { name: "Restore" })).toBeVisible();
  await openPage(page, `/messages?message=${crypto.randomUUID()}`);
  await expect(page.getByText("This message is not here any more.")).toBeVisible();
});

test("messages are loaded, searched, filtered, read and exported, and Back leads through the list", {
  tag: "@long",
}, async ({ page, send }) => {
  const name = uniqueName();
  const other = `=1+1 ${name}`;
  await send(other, name);
  const rows = page.getByRole("list", { name: "Messages, newest first" }).getByRole("link");
  const field = page.getByRole("searchbox", { name: "Search messages" });
  const filters = page.getByRole("navigation", { name: "Filters of messages" });
  const filter = (text: string) => filters.getByRole("link", { name: text });

  await test.step("loading, and an empty list", async () => {
    const letGo = Promise.withResolvers<void>();
    await page.route(searches, async (route) => {
      await letGo.promise;
      await route.fulfill({ json: { rows: [], counts: {} } });
    });
    await logIn(page, "/messages");
    await expect(page.getByText("Loading messages...")).toBeVisible();
    letGo.resolve();
    await expect(page.getByRole("heading", { name: "No messages yet" })).toBeVisible();
    await page.unroute(searches);
  });

  await test.step("a search without results, and one with two", async () => {
    await page.goto("/messages");
    await field.fill(`  ${name.toUpperCase()} thu%`);
    await field.press("Enter");
    await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
    await expect(field).toBeFocused();
    expect(await findingsOf(page)).toEqual([]);
    await field.fill(name.toUpperCase());
    await field.press("Enter");
    await expect(page).toHaveURL(`/messages?q=${name.toUpperCase().replace(" ", "+")}`);
    await expect(page.getByRole("main").getByRole("status")).toHaveText("2 messages found");
    await expect(rows).toHaveCount(2);
  });

  await test.step("the export", async () => {
    const download = page.waitForEvent("download");
    await choose(page.getByRole("main"), "Export as CSV", /^More actions for the messages/);
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^messages-\d{4}-\d\d-\d\d\.csv$/);
    const csv = await readFile(await file.path(), "utf8");
    expect(csv).toContain(`,'${other},ada@example.com,(503) 555-0199,,,"${text}",`);
    await expect(toast(page, "Messages Exported")).toContainText("2 messages are in the file.");
  });

  await test.step("a message that is read under 'Unread' stays until the list is left", async () => {
    await filter("Flagged").click();
    await expect(page.getByText("No message under 'Flagged' contains")).toBeVisible();
    await expect(filter("Flagged")).toHaveAttribute("aria-current", "page");
    await expect(filter("Flagged")).toHaveText("Flagged");
    await page.getByRole("link", { name: "Show 2 in all messages" }).click();
    await filter("Unread 2").click();
    await expect(filter("Unread 2")).toHaveAttribute("aria-current", "page");
    // The list shows the previous result until then.
    await expect(page.getByRole("main").getByRole("status")).toHaveText("2 messages found");
    await rows.first().press("Enter");
    await expect(filter("Unread 1")).toBeVisible();
    await expect(rows).toHaveCount(2);
    await choose(openMessage(page), "Flag");
    await expect(rows.first()).toHaveAccessibleName(/Flagged/);
    await filter("Flagged 1").click();
    await expect(rows).toHaveCount(1);
    await expect(openMessage(page)).toHaveCount(0);
    // What was changed in this list is not added to the next one.
    const letGo = Promise.withResolvers<void>();
    await page.route("**/rest/v1/contact_messages?*", async (route) => {
      const response = await route.fetch();
      await letGo.promise;
      await route.fulfill({ response });
    });
    await rows.first().press("Enter");
    await choose(openMessage(page), "Remove flag");
    await filter("Unread 1").click();
    await expect(rows.first()).toHaveAccessibleName(/^Unread: /);
    letGo.resolve();
    await expect(filter("Flagged")).toHaveText("Flagged");
    await expect(rows).toHaveCount(1);
    await page.unrouteAll({ behavior: "wait" });
  });

  await test.step("Back", async () => {
    for (let step = 1; step <= 7; step++) await page.goBack();
    await expect(filter("All 2")).toHaveAttribute("aria-current", "page");
    await page.goBack();
    await expect(field).toHaveValue(`${name.toUpperCase()} thu%`);
  });
});

test("a save over a note that changed unnoticed shows the conflict", async ({
  page,
  owner,
  send,
}) => {
  const name = uniqueName();
  await send(name);
  // Opening an unread message would read it anew, and show the other note before the save.
  const read = { read_at: new Date().toISOString() };
  await owner.from("contact_messages").update(read).eq("name", name).throwOnError();
  // From here on Realtime does not work.
  await page.routeWebSocket("**/realtime/**", (socket) => void socket.close());
  await logIn(page, `/messages?q=${name}`);
  const message = openMessage(page);
  await rowOf(page, name).press("Enter");
  await message.getByRole("textbox", { name: /^Note/ }).fill("Mine");
  // Nor does a reading of the list notice the change.
  await page.route(searches, () => {});
  await owner.from("contact_messages").update({ note: "Theirs" }).eq("name", name).throwOnError();
  await message.getByRole("button", { name: "Save note" }).press("Enter");
  await expect(message.getByRole("alert")).toContainText("Saving replaces it:Theirs");
  await expect(message.getByRole("textbox", { name: /^Note/ })).toHaveValue("Mine");
  expect(await findingsOf(page)).toEqual([]);
  await owner.from("contact_messages").update({ note: "Newer" }).eq("name", name).throwOnError();
  await message.getByRole("button", { name: "Save note" }).press("Enter");
  await expect(message.getByRole("alert")).toContainText("Newer");
  await message.getByRole("button", { name: "Discard changes" }).press("Enter");
  await expect(message.getByRole("textbox", { name: /^Note/ })).toHaveValue("Newer");
});

test.describe("when the backend fails", () => {
  test.use({
    expectedErrors:
      /Failed to load resource|Loading (messages|what waits) failed|note could not be saved|(Update|Deletion) Failed/,
  });

  test("the list can be retried, a failed change is reported, and a note stays in the browser", {
    tag: "@long",
  }, async ({ page, send }) => {
    const name = uniqueName();
    await send(name);
    await page.route(searches, (route) =>
      route.fulfill({ status: 500, json: { message: "The database is away." } }),
    );
    await logIn(page, `/messages?q=${name}`);
    const message = openMessage(page);
    const row = rowOf(page, name);
    const note = message.getByRole("textbox", { name: /^Note/ });
    const writes = "**/rest/v1/contact_messages?*";

    await test.step("the list", async () => {
      const alert = page.getByRole("main").getByRole("alert");
      await expect(alert).toContainText("The messages can't be shown right now.");
      await succeedAfterClick(page, searches);
      await alert.getByRole("button", { name: "Try again" }).click();
      await expect(row).toBeVisible();
    });

    await test.step("a change that affected no row", async () => {
      await page.route(writes, (route) =>
        ["PATCH", "DELETE"].includes(route.request().method())
          ? route.fulfill({ json: [] })
          : route.fallback(),
      );
      const failure = (reason: string) => toast(page, "Update Failed").filter({ hasText: reason });
      await row.press("Enter");
      await expect(failure("Could not mark the message as read.")).toBeVisible();
      await expect(row).toHaveAccessibleName(/^Unread: /);
      await choose(openMessage(page), "Mark as answered");
      await expect(failure("Could not update the message.")).toBeVisible();
      await choose(openMessage(page), "Delete");
      await expect(toast(page, "Deletion Failed")).toContainText("Could not delete the message.");
      await expect(message).toBeVisible();
    });

    await test.step("a note that could not be saved, also after a reload", async () => {
      await page.route(writes, (route) => route.abort());
      await note.fill("Her sister is a client");
      await message.getByRole("button", { name: "Save note" }).press("Enter");
      await expect(message.getByRole("alert")).toContainText("The note could not be saved.");
      await page.unrouteAll({ behavior: "wait" });
      await page.reload();
      await expect(row).toHaveAccessibleName(/Note not saved/);
      await expect(note).toHaveValue("Her sister is a client");
      await message.getByRole("button", { name: "Save note" }).press("Enter");
      await expect(toast(page, "Note Saved")).toBeVisible();
      await expect(message.getByText("Not saved yet")).toHaveCount(0);
    });
  });
});

test("what a visitor left is found by address, exported and erased, but for what must be kept", async ({
  page,
  visitor,
}) => {
  const name = uniqueName();
  const email = `${crypto.randomUUID()}@example.com`;
  const message = {
    name,
    email,
    phone: "555 0100",
    call_consent: callSentence,
    message: text,
  };
  await visitor.functions.invoke("send-email", { body: JSON.stringify(message) });
  await logIn(page, `/messages?q=${encodeURIComponent(email)}`);
  await rowOf(page, name).press("Enter");
  await expect(page.getByText(/^Agreed to calls and texts on .*: I agree that/)).toBeVisible();

  await openPage(page, "/manage/personal-data");
  const main = page.getByRole("main");
  const entries = main
    .getByRole("region", { name: email })
    .getByRole("list")
    .filter({ has: page.getByRole("time") })
    .getByRole("listitem");
  const search = page.getByLabel("Email Address");
  await search.fill("nobody@example.com");
  await search.press("Enter");
  await expect(main.getByRole("status")).toHaveText("Nothing is stored about this address.");
  await search.fill(` ${email.toUpperCase()} `);
  await search.press("Enter");
  await expect(entries).toHaveCount(2);
  expect(await findingsOf(page)).toEqual([]);
  const download = page.waitForEvent("download");
  const copy = main.getByRole("link", { name: "Copy to send or print" });
  const html = decodeURIComponent((await copy.getAttribute("href")) ?? "");
  expect(html).toContain(`stores about ${email}</h1>`);
  expect(html).toContain("<h2>Consent to calls and texts</h2>");
  await main.getByRole("link", { name: "Data file (JSON)" }).click();
  const exported = JSON.parse(await readFile(await (await download).path(), "utf8"));
  expect(exported).toMatchObject({
    email,
    entries: [
      { kind: "calls", text: message.call_consent },
      { kind: "message", data: message },
    ],
  });

  await expect(entries.first()).toContainText(/If erased, kept until .* 20\d\d.*: it proves/);
  await main.getByRole("button", { name: "Erase" }).click();
  const dialog = page.getByRole("alertdialog");
  const kept = dialog.getByRole("checkbox", { name: "It has a consent to calls and texts." });
  await expect(kept).toBeChecked();
  expect(await findingsOf(page)).toEqual([]);
  await kept.uncheck();
  await dialog.getByRole("button", { name: "Erase" }).click();
  await expect(toast(page, "Request Done")).toBeVisible();
  const outcome = main.getByRole("region", { name: email }).getByRole("note");
  await expect(outcome).toContainText("Erased: 1 message.");
  await expect(outcome).toContainText(/Kept: consent to calls and texts until .* 20\d\d\./);
  const log = main.getByRole("region", { name: "Requests" }).getByRole("listitem");
  await expect(log.first()).toContainText("Kept: consent to calls and texts until");
  await expect(entries).toHaveText([/^Consent to calls and texts.*Kept until/s]);
  await expect(main.getByRole("button", { name: "Erase" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: email })).toBeFocused();
});
