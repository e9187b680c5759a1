import type { Page } from "@playwright/test";
import { saving } from "../../post-calls.ts";
import { findingsOf } from "../access/axe.ts";
import { followChanges } from "../follow-changes.ts";
import { expect, openPage, succeedAfterClick, toast } from "../test.ts";
import { addPost, closeAndRemoveDrafts, logIn, test, uniqueTitle } from "./owner.ts";

test.use({ expectedErrors: /Failed to load resource|^Object$|Loading .* failed/ });

/** Responds with given counts of a table, so that the messages of other tests do not matter; null for the real count. */
async function answerCounts(page: Page, table: string, countOf: (url: string) => number | null) {
  await page.route(`**/rest/v1/${table}?*`, async (route) => {
    const request = route.request();
    if (request.method() !== "HEAD") return route.continue();
    const count = countOf(request.url());
    if (count === null) return route.continue();
    await route.fulfill({
      status: 206,
      headers: {
        "content-range": `0-0/${count}`,
        "access-control-expose-headers": "content-range",
      },
    });
  });
}

const greeting = /^Good (morning|afternoon|evening)/;

test("visitors' pages and the owner's lead a signed-in owner to Home, on phones and wide screens", {
  tag: "@long",
}, async ({ page }) => {
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await logIn(page, "/contact");
    if (width < 1024) await page.locator("summary", { hasText: "Menu" }).click();
    await page.getByRole("banner").getByRole("link", { name: "Manage" }).click();
    await expect(page).toHaveURL("/manage");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(greeting);
    await openPage(page, "/messages");
    const places = page.getByRole("navigation", {
      name: width < 1024 ? "Manage, main places" : "Manage",
    });
    await places.getByRole("link", { name: "Home" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(greeting);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `at ${width} px`).toBe(0);
  }
});

test("Home lists what there is to do, recovers from failed counts, and follows new messages", {
  tag: "@long",
}, async ({ page, visitor, owner, rows }) => {
  let unread = 12;
  await answerCounts(page, "contact_messages", (url) =>
    url.includes("status=eq.failed") ? 1 : unread,
  );
  await answerCounts(page, "testimonials", (url) => (url.includes("seen_at=") ? null : 2));
  await answerCounts(page, "schedules", () => 0);
  // Not without a response: the client would repeat the request for seven seconds.
  await page.route("**/rest/v1/drafts?*", (route) =>
    route.fulfill({ status: 500, json: { message: "Out of order" } }),
  );
  const changes = followChanges(page);
  await logIn(page, "/manage");

  await test.step("a count that fails hides no other one and can be tried again", async () => {
    await expect(page.getByRole("alert")).toHaveText(/^A part of this list could not be loaded/);
    await succeedAfterClick(page, "**/rest/v1/drafts?*");
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  const toDo = page.getByRole("region", { name: "To do" });
  const places = page.getByRole("navigation", { name: "Manage", exact: true });
  await test.step("tasks and counts", async () => {
    await expect(
      toDo.getByRole("link", { name: "Read A message could not be emailed to you" }),
    ).toHaveAttribute("href", "/messages?filter=failed");
    await expect(toDo.getByRole("link", { name: "Read 2 testimonials wait" })).toBeVisible();
    await expect(places.getByRole("link", { name: "Inbox" })).toHaveAccessibleName("Inbox 12 new");
    expect(await findingsOf(page)).toEqual([]);
  });

  await test.step("what only the server's people can do is one text to send", async () => {
    const server = page.getByRole("group").filter({ hasText: "who runs your server" });
    await server.getByText(/things? for the person who runs your server/).click();
    await expect(server).toContainText("ARCHIVE_INTERVAL is off");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await server.getByRole("button", { name: "Copy as one text" }).click();
    await expect(toast(page, "Copied")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("ARCHIVE_INTERVAL");
    await expect(toDo).not.toContainText("ARCHIVE_INTERVAL");
    // The site is opened on its own machine, where it needs no other address.
    await expect(page.getByRole("main")).not.toContainText(/SITE_URL|address of your site/);
    // The setup stands for them.
    await expect(toDo).not.toContainText("sample firm");
    await expect(page.getByRole("region", { name: "Set up your site" })).toBeVisible();
  });

  await test.step("a warning ends with its cause, and a new review is told until it was seen", async () => {
    await changes.connected("posts");
    const { slug, title } = await addPost(rows, "A fictional author");
    const warning = toDo.getByRole("link", { name: title });
    await expect(warning).toBeVisible();
    await owner.from("posts").delete().eq("slug", slug).throwOnError();
    await expect(warning).toHaveCount(0);

    const name = `Ada ${crypto.randomUUID().slice(0, 8)}`;
    await rows.addTestimonial({ name, content: "Clear and patient.", rating: 5 });
    const review = toDo.getByRole("link", { name: /new testimonials? (is|are) on your site/ });
    await review.click();
    await expect(page.getByRole("article", { name: `Testimonial by ${name}` })).toBeVisible();
    await page.goBack();
    await expect(toDo.getByRole("link", { name: /could not be emailed/ })).toBeVisible();
    await expect(review).toHaveCount(0);
  });

  await test.step("a message that arrives is shown, counted on every page, and opened", async () => {
    const name = `Ada ${crypto.randomUUID().slice(0, 8)}`;
    await changes.connected("contact_messages");
    unread = 1300;
    await visitor.functions.invoke("send-email", {
      body: JSON.stringify({ name, email: "ada@example.com", message: "Could we talk?" }),
    });
    const messages = page.getByRole("region", { name: "Messages" });
    await expect(messages.getByRole("link", { name })).toContainText("Could we talk?");
    await expect(places.getByRole("link", { name: "Inbox" })).toHaveAccessibleName(/99\+/);
    await messages.getByRole("link", { name }).click();
    await expect(page).toHaveURL(/\/messages\?message=/);
    await expect(page.getByText(name).first()).toBeVisible();
    await openPage(page, "/contact");
    const manage = page.getByRole("banner").getByRole("link", { name: /^Manage/ });
    await expect(manage).toHaveAccessibleName("Manage (1,302 items need your attention)");
    await owner.from("contact_messages").delete().eq("name", name).throwOnError();
  });
});

test("a link to a page that a list no longer has shows its last page", { tag: "@long" }, async ({
  page,
  rows,
}) => {
  const name = uniqueTitle("Reviewer");
  await rows.addTestimonial({ name, content: "On the last page." });
  await logIn(page, "/manage/testimonials/approved?page=500");
  await expect(page.getByRole("article", { name: `Testimonial by ${name}` })).toBeVisible();
  await openPage(page, "/manage/posts?page=500");
  await expect(page.getByRole("main").getByRole("listitem").last()).toBeVisible();
  await openPage(page, "/manage/testimonials/requests?page=500");
  await expect(page.getByText("No links yet")).toBeVisible();
});

test("what an owner looks for is at most three presses from Home", { tag: "@long" }, async ({
  page,
  visitor,
  owner,
}) => {
  const name = uniqueTitle("Ada");
  const body = JSON.stringify({ name, email: "ada@example.com", message: "Could we talk?" });
  await visitor.functions.invoke("send-email", { body });
  const title = uniqueTitle("Half a post");
  const id = crypto.randomUUID();
  await owner
    .rpc("save_draft", { ...saving({ id, title, content: [] }), kind: "post" })
    .throwOnError();
  const places = page.getByRole("navigation", { name: "Manage", exact: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [presses, found] of [
    [[places.getByRole("link", { name: "Inbox" })], page.getByText(name).first()],
    [
      [page.getByRole("link", { name: "Change phone or hours" })],
      page.getByRole("textbox", { name: /^Phone/ }),
    ],
    [[page.getByRole("link", { name: title })], page.getByRole("textbox", { name: /^Title/ })],
    [[page.getByRole("link", { name: "Show a notice" })], page.getByLabel("Last day")],
    [
      [places.getByRole("link", { name: "Records" })],
      page.getByRole("heading", { name: "Archive", level: 1 }),
    ],
  ] as const) {
    await logIn(page, "/manage");
    for (const press of presses) await press.click();
    await expect(found).toBeVisible();
  }
  await page.goto("/robots.txt");
  await owner.rpc("discard_draft", { kind: "post", thing: id, replaced: null }).throwOnError();
  await owner.from("contact_messages").delete().eq("name", name).throwOnError();
});

test("a notice is set in three taps on a phone, and ends in seven days", { tag: "@long" }, async ({
  page,
  owner,
}) => {
  // A published notice would be on all pages of other tests.
  await page.route("**/rest/v1/rpc/publish", (route) => route.fulfill({ status: 204 }));
  await page.setViewportSize({ width: 390, height: 844 });
  await logIn(page, "/manage");
  await page.getByRole("link", { name: "Show a notice" }).click();
  await page.getByLabel("Text").click();
  await page.keyboard.type("The office is closed on Friday.");
  const dayOf = async (label: string) => Date.parse(await page.getByLabel(label).inputValue());
  expect((await dayOf("Last day")) - (await dayOf("First day"))).toBe(7 * 24 * 60 * 60_000);
  const published = page.waitForRequest("**/rest/v1/rpc/publish");
  await page.getByRole("button", { name: "Publish changes" }).click();
  expect((await published).postDataJSON()).toMatchObject({
    changes: expect.stringContaining('"notice"'),
  });
  await closeAndRemoveDrafts(page, owner, ["notice"]);
});
