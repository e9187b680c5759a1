// The settings pages. The tests publish only what no visitor's page shows, because other tests use the same site.
import type { Page } from "@playwright/test";
import type { SupabaseClient } from "@supabase/supabase-js";
import { defaultSettings } from "../../../app/config/site.ts";
import { defaultSite } from "../../default-site.ts";
import { publishSettings, saveSettings } from "../../other-firm.ts";
import { findingsOf } from "../access/axe.ts";
import { followChanges } from "../follow-changes.ts";
import { openPage, toast } from "../test.ts";
import { account, test as base, closeAndRemoveDrafts, expect, logIn } from "./owner.ts";

const test = base.extend<{ drafts: SupabaseClient }>({
  // Removes the drafts of a test, also after a failure. settings-images.spec.ts runs at the same time and uses other
  // sections.
  drafts: async ({ owner, page }, use) => {
    await use(owner);
    await closeAndRemoveDrafts(page, owner, [
      ...["adviser", "blog", "contact", "mail", "testimonials"],
    ]);
  },
});

// These tests run serially, because each section has one draft.
test.describe.configure({ mode: "default" });
// Too narrow for the preview, which loads a page of its own.
test.use({ viewport: { width: 1000, height: 900 } });

async function draftOf(owner: SupabaseClient, section: string) {
  const { data } = await owner
    .from("drafts")
    .select("document")
    .eq("thing", section)
    .maybeSingle()
    .throwOnError();
  return data?.document ?? null;
}

const saved = (page: Page) => page.getByText("Saved as a draft");

test("a draft survives a reload, is in the preview, and can be discarded", {
  tag: "@long",
}, async ({ page, drafts }) => {
  await logIn(page, "/manage/settings");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole("link", { name: "You", exact: true }).click();
  const name = page.getByLabel("Your full name");
  const before = await name.inputValue();
  await name.fill("Ada Byron Lovelace");
  await page.getByLabel("Title").fill("Adviser to families");
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(name).toHaveValue("Ada Byron Lovelace");
  await expect(page.getByLabel("Title")).toHaveValue("Adviser to families");
  const preview = page.frameLocator('iframe[title^="Preview"]');
  await expect(preview.getByText("Ada Byron Lovelace").first()).toBeVisible();
  expect(await draftOf(drafts, "adviser")).toMatchObject({ name: "Ada Byron Lovelace" });

  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard draft" }).click();
  await expect(toast(page, "Draft discarded")).toBeVisible();
  await expect(name).toHaveValue(before);
  expect(await draftOf(drafts, "adviser")).toBeNull();
});

test("by keyboard alone, a list is changed, published, and restored from its history", {
  tag: ["@long", "@translated"],
}, async ({ page, drafts }) => {
  const authors = async () => {
    const { data } = await drafts.from("site_settings").select("document").eq("section", "blog");
    const document: unknown = data?.[0]?.document;
    return Object(document).authors ?? [];
  };
  async function press(name: string | RegExp) {
    await page.getByRole("button", { name }).last().focus();
    await page.keyboard.press("Enter");
  }
  async function publish() {
    await expect(saved(page)).toBeVisible();
    await press("Publish changes");
    await expect(page.getByText(/^Published \w+ \d/)).toBeVisible();
  }
  await publishSettings(drafts, { blog: { authors: ["Ada Byron"] } });
  await logIn(page, "/blog/new");
  await expect(page.getByLabel("Author").getByRole("option")).toHaveText([
    defaultSite.adviser.name,
    "Ada Byron",
  ]);
  await openPage(page, "/manage/settings/blog");

  await press("Add author");
  await expect(page.getByLabel("Author 2", { exact: true })).toBeFocused();
  await page.keyboard.type("Grace Hopper");
  await press("Move Author 2 up");
  await expect(page.getByRole("button", { name: "Move Author 1 down" })).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: "place 1 of 2" })).toBeAttached();
  await publish();
  await expect.poll(authors).toEqual(["Grace Hopper", "Ada Byron"]);

  await press("Earlier versions");
  const versions = page.getByRole("listitem").filter({ hasText: `by ${account.email}` });
  await expect(versions.first()).toContainText("on the site now");
  await expect(versions.first()).toContainText("More authors: “Grace Hopper”: added");
  await versions.nth(1).getByRole("button", { name: "Restore" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Author 1", { exact: true })).toHaveValue("Ada Byron");
  await expect(page.getByLabel("Author 2", { exact: true })).toHaveCount(0);
  await press("Remove Author 1");
  await expect(page.getByRole("button", { name: "Add author" })).toBeFocused();
  await publish();
  await expect.poll(authors).toEqual([]);
  expect(await draftOf(drafts, "blog")).toBeNull();
});

test("invalid values are not published, and each field says what to do", { tag: "@long" }, async ({
  page,
  drafts,
}) => {
  await logIn(page, "/manage/settings/contact");
  const phone = page.getByRole("textbox", { name: /^Phone/ });
  await phone.fill("(503) 555-0142 ext. 12");
  await expect(page.getByText("Phones will dial +1 503 555 0142 ext. 12")).toBeVisible();
  await phone.fill("5");
  const email = page.getByLabel("Public email address");
  const problem = page.getByText("Enter a number that can be dialed");
  await email.hover();
  await page.mouse.down();
  // It would move what is pressed.
  await expect(problem).toHaveCount(0);
  await page.mouse.up();
  await expect(problem).toBeVisible();
  await email.fill("ada@");
  await expect(saved(page)).toBeVisible();
  await page.getByRole("button", { name: "Publish changes" }).click();
  await expect(phone).toBeFocused();
  await expect(page.getByText("Enter an email address such as")).toBeVisible();
  await expect(page.getByText("Please check 2 answers:")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  const scheduling = page.getByLabel(/^Scheduling page/);
  await scheduling.fill("calendly.com/ada");
  await page.getByRole("button", { name: "Add profile" }).click();
  const profile = page
    .getByRole("main")
    .getByRole("group", { name: /^Profile \d+$/ })
    .last();
  await expect(profile.getByLabel("Address")).toBeFocused();
  await page.keyboard.type("linkedin.com/in/ada");
  await page.keyboard.press("Tab");
  await expect(scheduling).toHaveValue("https://calendly.com/ada");
  await expect(profile.getByLabel("Address")).toHaveValue("https://linkedin.com/in/ada");
  await expect(profile.getByLabel("Name")).toHaveValue("LinkedIn");
  await expect(page.getByText("Enter a web address")).toHaveCount(0);

  await phone.fill("55");
  await page.getByRole("link", { name: "Email", exact: true }).click();
  await expect(page.getByText("Changed and not public yet: Contact")).toBeVisible();
  await page.getByRole("button", { name: "Publish all changes" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Nothing was published." });
  await expect(alert.getByRole("link", { name: "Contact" })).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  expect(await draftOf(drafts, "contact")).toMatchObject({ phone: "55" });
});

test.describe("without a connection", () => {
  test.use({ expectedErrors: /net::ERR|Not saved|Failed to fetch|WebSocket/ });

  test("what was to be published is announced, and published once the connection is back", {
    tag: "@long",
  }, async ({ page, context, drafts }) => {
    const authors = async () => {
      const { data } = await drafts.from("site_settings").select("document").eq("section", "blog");
      return Object(data?.[0]?.document).authors ?? [];
    };
    await publishSettings(drafts, { blog: { authors: ["Ada Byron"] } });
    await logIn(page, "/manage/settings/blog");
    const author = page.getByLabel("Author 1", { exact: true });
    await author.fill("Grace Hopper");
    await expect(saved(page)).toBeVisible();
    await context.setOffline(true);
    await page.getByRole("button", { name: "Publish changes" }).click();
    await expect(page.getByText("There is no connection.").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Waiting..." })).toBeDisabled();
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Do not publish" }).click();
    await expect(page.getByRole("button", { name: "Publish changes" })).toBeEnabled();
    await page.getByRole("button", { name: "Publish changes" }).click();
    await context.setOffline(false);
    await expect(toast(page, "Published")).toBeVisible();
    await expect.poll(authors).toEqual(["Grace Hopper"]);
    expect(await draftOf(drafts, "blog")).toBeNull();
    await publishSettings(drafts, { blog: { authors: [] } });
  });
});

test.describe("when the database rejects a publication", () => {
  test.use({ expectedErrors: /status of 4(00|22)/ });

  test("a page that stays open shows what another one publishes, does not put back the old text, and publishes after the correction", {
    tag: "@long",
  }, async ({ page, drafts }) => {
    await publishSettings(drafts, { mail: { sender: "old@example.com", recipients: [] } });
    await logIn(page, "/manage/settings/mail");
    const sender = page.getByLabel("Sender");
    await expect(sender).toHaveValue("old@example.com");
    const feed = followChanges(page);
    await page.reload();
    await feed.connected("section_drafts");

    await publishSettings(drafts, { mail: { sender: "phone@example.com", recipients: [] } });
    await expect(sender).toHaveValue("phone@example.com");
    const news = page.getByRole("status").filter({ hasText: "Changed in another window" });
    await expect(news).toContainText("“old@example.com” became “phone@example.com”");
    expect(await findingsOf(page)).toEqual([]);
    await news.getByRole("button", { name: "OK" }).click();
    await expect(news).toHaveCount(0);
    await page.getByLabel("Tell me about new testimonials").check();
    await expect(saved(page)).toBeVisible();
    const message = "mail.sender must have at most 5 characters";
    const rejection = { status: 422, json: { code: "PT422", message, hint: "mail.sender" } };
    await page.route("**/rpc/publish", (route) => route.fulfill(rejection), { times: 1 });
    const publish = page.getByRole("button", { name: "Publish changes" });
    await publish.click();
    await expect(sender).toBeFocused();
    await expect(sender).toHaveAccessibleDescription(/must have at most 5 characters/);
    await publish.click();
    await expect(toast(page, "Published")).toBeVisible();
    const { data } = await drafts.from("site_settings").select("document").eq("section", "mail");
    expect(data?.[0]?.document).toMatchObject({
      sender: "phone@example.com",
      notifyTestimonials: true,
    });
  });
});

test.describe("when two windows edit one section", () => {
  test.use({ expectedErrors: /status of (400|409)|Not published|was not published/ });

  test("a page without Realtime merges when it saves, asks where both changed a field, and publishes only what it has shown", {
    tag: "@long",
  }, async ({ page, drafts }) => {
    await page.routeWebSocket(/realtime/, (socket) => socket.close());
    await logIn(page, "/manage/settings/testimonials");
    const introduction = page.getByLabel("Introduction");
    const invitation = page.getByLabel("Invitation");
    await introduction.waitFor();
    const elsewhere = { ...defaultSettings.testimonials, lead: "Written there." };
    await saveSettings(drafts, {
      testimonials: { ...elsewhere, invitation: "Only written there." },
    });

    await introduction.fill("Written here.");
    const conflict = page.getByRole("region", { name: "Another window changed this as well" });
    await expect(conflict.getByRole("region", { name: "Yours" })).toHaveText("Written here.");
    await expect(conflict.getByRole("region", { name: "The other" })).toHaveText("Written there.");
    await expect(invitation).toHaveValue("Only written there.");
    const publish = page.getByRole("button", { name: "Publish changes" });
    await expect(publish).toBeDisabled();
    expect(await draftOf(drafts, "testimonials")).toMatchObject({ lead: "Written there." });
    expect(await findingsOf(page)).toEqual([]);
    // What both wrote survives a reload.
    page.once("dialog", (dialog) => dialog.accept());
    await page.reload();
    await conflict.getByRole("button", { name: "Keep mine" }).click();
    await expect(saved(page)).toBeVisible();
    const mine = { lead: "Written here.", invitation: "Only written there." };
    expect(await draftOf(drafts, "testimonials")).toMatchObject(mine);

    await saveSettings(drafts, {
      testimonials: { ...elsewhere, ...mine, invitation: "Written later." },
    });
    await publish.click();
    await expect(page.getByText("another window made changes.")).toBeVisible();
    await expect(invitation).toHaveValue("Written later.");
    expect(await draftOf(drafts, "testimonials")).toMatchObject({ invitation: "Written later." });
  });
});

test("on a phone, the bar with the publish button does not cover the line that is written", {
  tag: "@long",
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await logIn(page, "/manage/settings/adviser");
  const text = page.getByLabel("Opening of your message");
  await text.focus();
  await text.evaluate((field) => {
    const { top } = field.getBoundingClientRect();
    window.scrollBy({ top: top - window.innerHeight + 150, behavior: "instant" });
  });
  await page.keyboard.press("Control+End");
  await expect
    .poll(() =>
      text.evaluate((field) => {
        const bar = document.querySelector(".publish-bar")?.getBoundingClientRect().top ?? 0;
        return field.getBoundingClientRect().bottom <= bar;
      }),
    )
    .toBe(true);
});
