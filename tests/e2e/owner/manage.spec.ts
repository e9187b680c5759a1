import type { Page } from "@playwright/test";
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

test("the header of every page leads a signed-in owner to the overview, on phones and wide screens", {
  tag: "@long",
}, async ({ page }) => {
  for (const path of ["/contact", "/messages"]) {
    await logIn(page, path);
    // Each page has one Logout: in the footer of visitors' pages, at the top of the owner's.
    const place = path === "/contact" ? "contentinfo" : "navigation";
    const logout = page.getByRole("button", { name: "Logout" });
    await expect(logout).toHaveCount(1);
    await expect(page.getByRole(place).filter({ has: logout }).first()).toBeVisible();
    await expect(page.getByRole("contentinfo")).toHaveCount(path === "/contact" ? 1 : 0);
    const link = page.getByRole("banner").getByRole("link", { name: "Manage" });
    for (const width of [1024, 390]) {
      await page.setViewportSize({ width, height: 800 });
      if (width < 1024) await page.locator("summary", { hasText: "Menu" }).click();
      await expect(link).toBeVisible();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${path} at ${width} px`).toBe(0);
    }
    await link.click();
    await expect(page).toHaveURL("/manage");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Welcome back/);
  }
});

test("the overview lists what needs attention, recovers from failed counts, and follows new messages", {
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
    await expect(page.getByRole("alert")).toHaveText(/^Unpublished settings could not be loaded/);
    await succeedAfterClick(page, "**/rest/v1/drafts?*");
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  const attention = page.getByRole("region", { name: "Needs your attention" });
  await test.step("attention and counts", async () => {
    await expect(
      attention.getByRole("link", { name: "1 message could not be emailed to you." }),
    ).toHaveAttribute("href", "/messages?filter=failed");
    await expect(attention.getByRole("link", { name: "12 messages are unread." })).toHaveAttribute(
      "href",
      "/messages",
    );
    expect(await findingsOf(page)).toEqual([]);
  });

  await test.step("what only the server's people can fix is one text to send", async () => {
    const server = page.getByRole("region", { name: "For whoever runs your server" });
    await expect(server).toContainText("SITE_URL is");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await server.getByRole("button", { name: "Copy as one text" }).click();
    await expect(toast(page, "Copied")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("- SITE_URL");
    await expect(attention).not.toContainText("SITE_URL");
    // The setup stands for them.
    await expect(attention).not.toContainText("fictional firm");
  });

  await test.step("a message that arrives", async () => {
    const name = `Ada ${crypto.randomUUID().slice(0, 8)}`;
    await changes.connected("contact_messages");
    const manage = page.getByRole("banner").getByRole("link", { name: /^Manage/ });
    await expect(manage).toHaveAccessibleName("Manage (14 items need your attention)");
    const tabs = page.getByRole("banner").getByRole("navigation");
    const place = await tabs.boundingBox();
    unread = 1300;
    await visitor.functions.invoke("send-email", {
      body: JSON.stringify({ name, email: "ada@example.com", message: "Could we talk?" }),
    });
    await expect(page.getByRole("link", { name: "1,300 messages are unread." })).toBeVisible();
    await expect(manage).toHaveAccessibleName("Manage (1,302 items need your attention)");
    expect(await tabs.boundingBox()).toEqual(place);
    await owner.from("contact_messages").delete().eq("name", name).throwOnError();
  });

  await test.step("a warning ends with its cause, and a new review is told until it was seen", async () => {
    await changes.connected("posts");
    const { slug, title } = await addPost(rows, "A fictional author");
    const warning = attention.getByRole("link", { name: title });
    await expect(warning).toBeVisible();
    await owner.from("posts").delete().eq("slug", slug).throwOnError();
    await expect(warning).toHaveCount(0);

    const name = `Ada ${crypto.randomUUID().slice(0, 8)}`;
    await rows.addTestimonial({ name, content: "Clear and patient.", rating: 5 });
    const review = attention.getByRole("link", { name: /new testimonials? (is|are) on your site/ });
    await review.click();
    await expect(page.getByRole("article", { name: `Testimonial by ${name}` })).toBeVisible();
    await page.goBack();
    await expect(attention.getByRole("link", { name: /unread/ })).toBeVisible();
    await expect(review).toHaveCount(0);
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
