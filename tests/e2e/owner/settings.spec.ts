// The settings pages. The tests publish only what no visitor's page shows, because other tests use the same site.
import type { Page } from "@playwright/test";
import type { SupabaseClient } from "@supabase/supabase-js";
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
      ...["adviser", "blog", "contact", "licenses", "mail", "testimonials"],
    ]);
  },
});

// These tests run serially, because each section has one draft.
test.describe.configure({ mode: "default" });
// Too narrow for the preview, which loads a page of its own.
test.use({ viewport: { width: 1000, height: 900 } });

async function draftOf(owner: SupabaseClient, section: string) {
  const { data } = await owner
    .from("site_settings_drafts")
    .select("document")
    .eq("section", section)
    .maybeSingle()
    .throwOnError();
  return data?.document ?? null;
}

const saved = (page: Page) => page.getByText("Saved as a draft");

test("a draft survives a reload, is in another window and in the preview, and can be discarded", async ({
  page,
  visitor,
  drafts,
}) => {
  await logIn(page, "/manage/settings");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole("link", { name: "Adviser", exact: true }).click();
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

  const other = await page.context().newPage();
  await other.goto("/manage/settings/adviser");
  await expect(other.getByLabel("Your full name")).toHaveValue("Ada Byron Lovelace");
  await other.close();
  expect(await draftOf(drafts, "adviser")).toMatchObject({ name: "Ada Byron Lovelace" });
  const { data } = await visitor.from("site_settings_drafts").select("section");
  expect(data ?? []).toEqual([]);

  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard draft" }).click();
  await expect(toast(page, "Draft discarded")).toBeVisible();
  await expect(name).toHaveValue(before);
  expect(await draftOf(drafts, "adviser")).toBeNull();
});

test("by keyboard alone, a list is changed, published, and restored from its history", async ({
  page,
  drafts,
}) => {
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
    await expect(page.getByText(/^Published /)).toBeVisible();
  }
  await logIn(page, "/manage/settings/blog");
  await press("Add author");
  await page.keyboard.type("Ada Byron");
  await publish();
  await expect.poll(authors).toEqual(["Ada Byron"]);
  await openPage(page, "/blog/new");
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
  await expect(versions.first()).toContainText("More authors: 1 added (“Grace Hopper”)");
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

test("invalid values are not published, and each field says what to do", async ({
  page,
  drafts,
}) => {
  test.slow();
  await logIn(page, "/manage/settings/contact");
  const phone = page.getByRole("textbox", { name: /^Phone/ });
  await phone.fill("(503) 555-0142 ext. 12");
  await expect(page.getByText("tel:+15035550142;ext=12")).toBeVisible();
  await phone.fill("5");
  await page.getByLabel("Public email address").fill("ada@");
  await expect(page.getByText("Enter a number that can be dialed")).toBeVisible();
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
  await page.getByRole("link", { name: "All settings" }).click();
  const sections = page.getByRole("list", { name: "Sections" });
  const contact = sections.getByRole("listitem").filter({ hasText: "Contact" });
  await expect(contact).toContainText("Draft");
  await page.getByRole("button", { name: "Publish all changes" }).click();
  await expect(page.getByText("Complete these sections first")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  expect(await draftOf(drafts, "contact")).toMatchObject({ phone: "55" });
});

test("a page that stays open shows what another one publishes, and does not put back the old text", async ({
  page,
  drafts,
}) => {
  await publishSettings(drafts, { mail: { sender: "old@example.com", recipients: [] } });
  await logIn(page, "/manage/settings/mail");
  const sender = page.getByLabel("Sender");
  await expect(sender).toHaveValue("old@example.com");
  const feed = followChanges(page);
  await page.reload();
  await feed.connected("site_settings_drafts");

  await publishSettings(drafts, { mail: { sender: "phone@example.com", recipients: [] } });
  await expect(sender).toHaveValue("phone@example.com");
  const news = page.getByRole("status").filter({ hasText: "Changed in another window" });
  await expect(news).toContainText("“old@example.com” became “phone@example.com”");
  expect(await findingsOf(page)).toEqual([]);
  await news.getByRole("button", { name: "OK" }).click();
  await expect(news).toHaveCount(0);
  await page.getByLabel("Tell me about new testimonials").check();
  await expect(saved(page)).toBeVisible();
  await page.getByRole("button", { name: "Publish changes" }).click();
  await expect(toast(page, "Published")).toBeVisible();
  const { data } = await drafts.from("site_settings").select("document").eq("section", "mail");
  expect(data?.[0]?.document).toMatchObject({
    sender: "phone@example.com",
    notifyTestimonials: true,
  });
});

test.describe("when two windows edit one section", () => {
  test.use({ expectedErrors: /status of (400|409)|Not published|was not published/ });

  test("a page without a connection to Realtime merges when it saves, and publishes only what it has shown", async ({
    page,
    drafts,
  }) => {
    await page.routeWebSocket(/realtime/, (socket) => socket.close());
    await publishSettings(drafts, { mail: { sender: "old@example.com", recipients: [] } });
    await logIn(page, "/manage/settings/mail");
    await expect(page.getByLabel("Sender")).toHaveValue("old@example.com");
    await publishSettings(drafts, { mail: { sender: "phone@example.com", recipients: [] } });
    await page.getByLabel("Tell me about new testimonials").check();
    await expect(page.getByLabel("Sender")).toHaveValue("phone@example.com");
    await expect(saved(page)).toBeVisible();

    const document = { sender: "later@example.com", recipients: [], notifyTestimonials: true };
    await saveSettings(drafts, { mail: document });
    await page.getByRole("button", { name: "Publish changes" }).click();
    await expect(page.getByText("another window made changes.")).toBeVisible();
    await expect(page.getByLabel("Sender")).toHaveValue("later@example.com");
    expect(await draftOf(drafts, "mail")).toMatchObject({ sender: "later@example.com" });
  });

  test("where both changed a field, the one that saves later shows both and chooses", async ({
    page,
    drafts,
  }) => {
    await page.routeWebSocket(/realtime/, (socket) => socket.close());
    await logIn(page, "/manage/settings/testimonials");
    await page.getByLabel("Introduction").waitFor();
    const other = await page.context().newPage();
    await other.goto("/manage/settings/testimonials");
    await other.getByLabel("Introduction").fill("Written there.");
    await other.getByLabel("Invitation").fill("Only written there.");
    await expect(saved(other)).toBeVisible();

    await page.getByLabel("Introduction").fill("Written here.");
    const conflict = page.getByRole("region", { name: "Another window changed this as well" });
    await expect(conflict.getByRole("region", { name: "Yours" })).toHaveText("Written here.");
    await expect(conflict.getByRole("region", { name: "The other" })).toHaveText("Written there.");
    await expect(page.getByLabel("Invitation")).toHaveValue("Only written there.");
    await expect(page.getByRole("button", { name: "Publish changes" })).toBeDisabled();
    expect(await draftOf(drafts, "testimonials")).toMatchObject({ lead: "Written there." });
    expect(await findingsOf(page)).toEqual([]);
    // What both wrote survives a reload.
    page.once("dialog", (dialog) => dialog.accept());
    await page.reload();
    await conflict.getByRole("button", { name: "Keep mine" }).click();
    await expect(saved(page)).toBeVisible();
    expect(await draftOf(drafts, "testimonials")).toMatchObject({
      lead: "Written here.",
      invitation: "Only written there.",
    });
    await expect(other.getByLabel("Introduction")).toHaveValue("Written here.");
  });
});

test.describe("without a connection", () => {
  test.use({ expectedErrors: /Failed to load resource|Failed to fetch|ERR_INTERNET/ });

  test("what was typed is kept, leaving asks, and it is saved later", async ({ page, drafts }) => {
    await logIn(page, "/manage/settings/adviser");
    await page.getByLabel("Credentials").waitFor();
    await page.route("**/rest/v1/site_settings_drafts*", (route) => route.abort());
    await page.getByLabel("Credentials").fill("CFP®");
    await expect(page.getByText(/^Not saved: there is no connection/)).toBeVisible();
    await page.getByRole("link", { name: "All settings" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Leave before this is saved?" });
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    await expect(page.getByLabel("Credentials")).toHaveValue("CFP®");

    page.once("dialog", (dialog) => dialog.accept());
    await page.unroute("**/rest/v1/site_settings_drafts*");
    await page.reload();
    await expect(page.getByLabel("Credentials")).toHaveValue("CFP®");
    await expect(saved(page)).toBeVisible();
    expect(await draftOf(drafts, "adviser")).toMatchObject({ credentials: "CFP®" });
  });
});

test.describe("when the database rejects a draft", () => {
  test.use({ expectedErrors: /status of 400/ });

  test("its message appears at the field, and the history names who published which version", async ({
    page,
    drafts: _,
  }) => {
    const published_at = "2026-11-20T10:00:00Z";
    const grace = { by_name: "Grace Hopper", by_email: "grace@example.com" };
    const versions = [grace, { by_name: null, by_email: null }].map((signature, index) => {
      return { id: 2 - index, document: { npn: String(index) }, published_at, ...signature };
    });
    await page.route("**/site_settings_versions?*", (route) => route.fulfill({ json: versions }));
    await page.route("**/rpc/publish_settings", (route) =>
      route.fulfill({
        status: 400,
        json: { code: "23514", message: "licenses.npn must have at most 5 characters" },
      }),
    );
    await logIn(page, "/manage/settings/licenses");
    const npn = page.getByLabel("National Producer Number");
    await npn.fill("12345678");
    await expect(saved(page)).toBeVisible();
    await page.getByRole("button", { name: "Publish changes" }).click();
    await expect(npn).toBeFocused();
    await expect(npn).toHaveAccessibleDescription(/must have at most 5 characters/);

    await page.getByRole("button", { name: "Earlier versions" }).click();
    const shown = page.getByRole("listitem").filter({ hasText: "Nov 20, 2026" });
    await expect(shown.first()).toContainText("by Grace Hopper (grace@example.com)");
    await expect(shown.last()).not.toContainText(" by ");
  });
});

test("on a phone, the bar with the publish button does not cover the line that is written", async ({
  page,
}) => {
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
