import type { Page } from "@playwright/test";
import { findingsOf } from "../access/axe.ts";
import { followChanges } from "../follow-changes.ts";
import { expect, openPage, succeedAfterClick, toast } from "../test.ts";
import {
  account,
  addPost,
  test as base,
  closeAndRemoveDrafts,
  logIn,
  logInByForm,
  uniqueTitle,
} from "./owner.ts";

const test = base.extend<{ noDrafts: undefined }>({
  /** Removes the drafts of the settings before and after the test. */
  noDrafts: async ({ owner, page }, use) => {
    const sections = ["firm", "adviser", "licenses"];
    await owner.from("site_settings_drafts").delete().in("section", sections).throwOnError();
    await use(undefined);
    await closeAndRemoveDrafts(page, owner, sections);
  },
});

test.use({ expectedErrors: /Failed to load resource|^Object$|Reading a value failed/ });

/** Responds to the publication in place of the backend: a published firm would change the site of all other tests. */
async function interceptPublishing(page: Page): Promise<string[]> {
  const published: string[] = [];
  await page.route("**/rest/v1/rpc/publish_settings", async (route) => {
    published.push(route.request().postData() ?? "");
    await route.fulfill({ status: 204 });
  });
  return published;
}

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

test("the header of every page leads a signed-in owner to the overview, on phones and wide screens", async ({
  page,
}) => {
  for (const path of ["/contact", "/messages", "/blog/new"]) {
    await logIn(page, path);
    // Each page has one Logout: in the footer of visitors' pages, at the top of the owner's.
    const place = path === "/contact" ? "contentinfo" : "navigation";
    const logout = page.getByRole("button", { name: "Logout" });
    await expect(logout).toHaveCount(1);
    await expect(page.getByRole(place).filter({ has: logout }).first()).toBeVisible();
    await expect(page.getByRole("contentinfo")).toHaveCount(path === "/contact" ? 1 : 0);
    for (const width of [390, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      if (width < 1024) await page.locator("summary", { hasText: "Menu" }).click();
      const link = page.getByRole("banner").getByRole("link", { name: "Manage" });
      await expect(link).toBeVisible();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${path} at ${width} px`).toBe(0);
      await link.click();
      await expect(page).toHaveURL("/manage");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Welcome back/);
      await page.goBack();
      await expect(page).toHaveURL(path);
    }
  }
});

test("the overview lists what needs attention, recovers from failed counts, and follows new messages", async ({
  page,
  visitor,
  owner,
  rows,
}) => {
  let unread = 12;
  await answerCounts(page, "contact_messages", (url) =>
    url.includes("status=eq.failed") ? 1 : url.includes("read_at=is.null") ? unread : 10_000,
  );
  await answerCounts(page, "testimonials", (url) => (url.includes("seen_at=") ? null : 2));
  await answerCounts(page, "scheduled_posts", () => 0);
  // Not without a response: the client would repeat the request for seven seconds.
  for (const counted of ["posts?select=id", "site_settings_drafts?*"]) {
    await page.route(`**/rest/v1/${counted}`, (route) =>
      route.fulfill({ status: 500, json: { message: "Out of order" } }),
    );
  }
  const changes = followChanges(page);
  await logIn(page, "/manage");

  await test.step("a count that fails hides no other one and can be tried again", async () => {
    await expect(page.getByRole("alert")).toHaveText(/^Unpublished settings could not be loaded/);
    await succeedAfterClick(page, "**/rest/v1/site_settings_drafts?*");
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await succeedAfterClick(page, "**/rest/v1/posts?select=id");
    await page.getByRole("button", { name: "Count failed. Try again to count posts" }).click();
    const posts = page.getByRole("listitem").filter({ hasText: "Create New Post" });
    await expect(posts.getByText(/^\d+ in all$/)).toBeVisible();
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
    const messages = page.getByRole("listitem").filter({ hasText: "through the contact forms" });
    await expect(messages).toContainText("10,000");
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
    await expect(manage).toHaveAccessibleName("Manage (14 things wait for you)");
    const tabs = page.getByRole("banner").getByRole("navigation");
    const place = await tabs.boundingBox();
    unread = 1300;
    await visitor.functions.invoke("send-email", {
      body: JSON.stringify({ name, email: "ada@example.com", message: "Could we talk?" }),
    });
    await expect(page.getByRole("link", { name: "1,300 messages are unread." })).toBeVisible();
    await expect(manage).toHaveAccessibleName("Manage (1,302 things wait for you)");
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

test("a link to a page that a list no longer has shows its last page", async ({ page, rows }) => {
  const name = uniqueTitle("Reviewer");
  await rows.addTestimonial({ name, content: "On the last page." });
  await logIn(page, "/manage/testimonials/approved?page=500");
  await expect(page.getByRole("article", { name: `Testimonial by ${name}` })).toBeVisible();
  await openPage(page, "/manage/posts?page=500");
  await expect(page.getByRole("main").getByRole("listitem").last()).toBeVisible();
  await openPage(page, "/manage/testimonials/requests?page=500");
  await expect(page.getByText("No links yet")).toBeVisible();
});

test("a notice is set in three taps on a phone, and ends in seven days", async ({
  page,
  noDrafts: _,
}) => {
  const published = await interceptPublishing(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await logInByForm(page);
  await openPage(page, "/manage");
  await page.getByRole("link", { name: "Show a notice" }).click();
  await page.getByLabel("Text").click();
  await page.keyboard.type("The office is closed on Friday.");
  const dayOf = async (label: string) => Date.parse(await page.getByLabel(label).inputValue());
  expect((await dayOf("Last day")) - (await dayOf("First day"))).toBe(7 * 24 * 60 * 60_000);
  await page.getByRole("button", { name: "Publish changes" }).click();
  await expect.poll(() => published).toEqual([expect.stringContaining('"sections":["notice"]')]);
});

test("the setup checks and publishes a step, is left and resumed, and shows at its end what is left", async ({
  page,
  owner,
  noDrafts: _,
}) => {
  test.slow();
  const published = await interceptPublishing(page);
  const publish = page.getByRole("button", { name: "Publish and continue" });

  await test.step("a step is checked and published", async () => {
    await logInByForm(page);
    await page.getByRole("main").getByRole("link", { name: "Start the setup" }).click();
    await expect(page.getByRole("heading", { name: "Your firm" })).toBeVisible();
    await publish.click();
    const name = page.getByLabel("Name of the firm");
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription(/Fill this in\.$/);
    expect(published).toEqual([]);
    await name.fill(" Byron & Daughters ");
    await publish.click();
    await expect(page).toHaveURL("/manage/setup?step=adviser");
    expect(published).toEqual([expect.stringContaining('"sections":["firm"]')]);
    const drafts = owner.from("site_settings_drafts").select("document").eq("section", "firm");
    const { data } = await drafts.single();
    expect(data?.document).toMatchObject({ name: "Byron & Daughters", mainColor: null });
  });

  await test.step("it is left, and resumed with what was saved", async () => {
    await expect(page.getByText("Starting text, not read yet")).toBeVisible();
    const warning =
      /not read: Opening of your message, Paragraphs, Bullet points\. You can publish/;
    await expect(page.getByText(warning)).toBeVisible();
    await page.getByLabel("Your full name").fill("Ada Byron");
    await page.getByRole("button", { name: "Save and leave" }).click();
    await expect(page).toHaveURL("/manage");
    await expect(page.getByRole("link", { name: /settings .*Adviser/ })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      `Welcome back, ${account.email}`,
    );
    for (const path of ["/manage", "/blog"]) {
      await openPage(page, path);
      await page.getByRole("link", { name: "Go on with the setup" }).click();
      await expect(page).toHaveURL("/manage/setup?step=adviser");
    }
    await expect(page.getByLabel("Your full name")).toHaveValue("Ada Byron");
    await page.getByLabel("Title (optional)").fill("Adviser");
    await page.reload();
    await expect(page.getByLabel("Title (optional)")).toHaveValue("Adviser");
  });

  await test.step("licenses are added and removed in rows", async () => {
    await openPage(page, "/manage/setup?step=licenses");
    const first = page.getByRole("group", { name: "License 1" });
    for (const row of [first, page.getByRole("group", { name: "License 2" })]) {
      await page.getByRole("button", { name: "Add license" }).click();
      await expect(row.getByLabel("State")).toBeFocused();
    }
    await page.getByRole("button", { name: "Remove License 1" }).click();
    await first.getByLabel("State").fill("Maine");
    await publish.click();
    await expect(first.getByLabel("Type")).toBeFocused();
    expect(await findingsOf(page)).toEqual([]);
    await first.getByLabel("Type").fill("Life");
    await publish.click();
    await expect(page).toHaveURL("/manage/setup?step=samples");
    await page.getByRole("button", { name: "Keep them for now" }).click();
    await expect(page).toHaveURL("/manage/setup?step=testimonials");
    await expect(page.getByRole("radio", { name: "After I have read them" })).toBeChecked();
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Skip for now" }).click();
    await expect(page).toHaveURL("/manage/setup?step=mail");
  });

  await test.step("the end", async () => {
    await openPage(page, "/manage/setup?step=end");
    await expect(page.getByRole("link", { name: /Sample content\s*To do/ })).toBeVisible();
    await page.getByRole("link", { name: /How to reach you/ }).click();
    await expect(page.getByLabel("Time zone")).toBeVisible();
    expect(await findingsOf(page)).toEqual([]);
  });
});
