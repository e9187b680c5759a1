import type { Page } from "@playwright/test";
import { managePages } from "../../../app/manage/manage-pages.ts";
import { may } from "../../../supabase/functions/_shared/roles.ts";
import { findingsOf } from "../access/axe.ts";
import { followChanges } from "../follow-changes.ts";
import { expect, openPage } from "../test.ts";
import { test as base, logIn } from "./owner.ts";

const test = base.extend<{ noDrafts: undefined }>({
  /** Removes the drafts of the settings before and after the test. */
  noDrafts: async ({ owner }, use) => {
    const clear = () =>
      owner
        .from("site_settings_drafts")
        .delete()
        .in("section", ["firm", "adviser", "licenses"])
        .throwOnError();
    await clear();
    await use(undefined);
    await clear();
  },
});

test.use({ expectedErrors: /Failed to load resource|^Object$|Reading a value failed/ });
// The tests of the setup share the drafts.
test.describe.configure({ mode: "default" });

/** A published firm would change the site of all other tests, so publishing is answered here. */
async function interceptPublishing(page: Page): Promise<string[]> {
  const published: string[] = [];
  await page.route("**/rest/v1/rpc/publish_settings", async (route) => {
    published.push(route.request().postData() ?? "");
    await route.fulfill({ status: 204 });
  });
  return published;
}

/** Answers the counts of a table, so that the messages of other tests do not matter. */
async function answerCounts(page: Page, table: string, countOf: (url: string) => number) {
  await page.route(`**/rest/v1/${table}?*`, async (route) => {
    const request = route.request();
    if (request.method() !== "HEAD") return route.continue();
    const count = countOf(request.url());
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
  for (const path of ["/contact", "/messages"]) {
    await logIn(page, path);
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

test("a visitor sees no link to the overview, and the overview asks for the login", async ({
  page,
}) => {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await openPage(page, "/contact");
  await expect(page.getByRole("link", { name: "Manage" })).toHaveCount(0);
  await page.goto("/manage/setup");
  await expect(page).toHaveURL("/login");
  expect(requested.filter((url) => /owner-part|\/overview-[^p]|\/setup-[^p]/.test(url))).toEqual(
    [],
  );
});

test("the overview lists what needs attention and counts ten thousand messages", async ({
  page,
}) => {
  await answerCounts(page, "contact_messages", (url) =>
    url.includes("status=eq.failed") ? 1 : url.includes("read_at=is.null") ? 12 : 10_000,
  );
  await logIn(page, "/manage");
  const attention = page.getByRole("region", { name: "Needs your attention" });
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

test("a count that fails hides no other one and can be tried again", async ({ page }) => {
  await answerCounts(page, "contact_messages", () => 0);
  await page.route("**/rest/v1/posts?select=id", (route) => route.abort());
  await page.route("**/rest/v1/site_settings_drafts?*", (route) => route.abort());
  await logIn(page, "/manage");
  await expect(page.getByRole("alert")).toHaveText(/^Unpublished settings could not be loaded/);
  await page.unroute("**/rest/v1/posts?select=id");
  await page.unroute("**/rest/v1/site_settings_drafts?*");
  await page.getByRole("button", { name: "Try again", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByRole("button", { name: "Count failed. Try again to count posts" }).click();
  const posts = page.getByRole("listitem").filter({ hasText: "Create New Post" });
  await expect(posts.getByText(/^\d+ in all$/)).toBeVisible();
});

test("a message that arrives appears on the open overview", async ({ page, visitor, owner }) => {
  const name = `Ada ${crypto.randomUUID().slice(0, 8)}`;
  const changes = followChanges(page);
  await logIn(page, "/manage");
  await changes.connected("contact_messages");
  await visitor.functions.invoke("send-email", {
    body: JSON.stringify({ name, email: "ada@example.com", message: "Could we talk?" }),
  });
  await expect(page.getByRole("link", { name: /unread\.$/ })).toBeVisible();
  await owner.from("contact_messages").delete().eq("name", name).throwOnError();
});

test("an editor may open posts, an assistant messages and testimonials, and neither anything else", async ({
  page,
}) => {
  for (const [role, names] of [
    ["editor", ["Overview", "Posts", "Account"]],
    ["assistant", ["Overview", "Messages", "Testimonials", "Account"]],
  ] as const) {
    const profile = { name: null, role, email: "a@example.com", new_email: null };
    await page.route("**/rest/v1/rpc/my_profile", (route) => route.fulfill({ json: [profile] }));
    await logIn(page, "/manage");
    const links = page.getByRole("navigation", { name: "Manage" }).getByRole("link");
    await expect(links).toHaveText([...names]);
    await expect(page.getByRole("heading", { level: 3 })).toHaveText(names.slice(1));
    for (const { path, access } of managePages) {
      if (!access || may(role, access.task)) continue;
      await page.goto(path.replace("approved?", "approved").replace(/:\w+/, "firm"));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(
        `Your account may not ${access.action}`,
      );
    }
  }
});

test("after the first sign-in, the blog leads an owner to the setup once", async ({ page }) => {
  await logIn(page);
  const notice = page.getByRole("complementary", { name: "Setup" });
  await notice.getByRole("link", { name: "Set up your site" }).click();
  await expect(page).toHaveURL("/manage/setup?step=firm");
  await openPage(page, "/blog");
  await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test("the setup checks what was entered, publishes a step and goes on with the next", async ({
  page,
  owner,
  noDrafts: _,
}) => {
  const published = await interceptPublishing(page);
  await logIn(page, "/manage");
  await page.getByRole("link", { name: "Start the setup" }).click();
  await expect(page.getByRole("heading", { name: "Your firm" })).toBeVisible();
  await page.getByRole("button", { name: "Publish and continue" }).click();
  const name = page.getByLabel("Name of the firm");
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/Fill this in\.$/);
  expect(published).toEqual([]);

  await name.fill(" Byron & Daughters ");
  await page.getByRole("button", { name: "Publish and continue" }).click();
  await expect(page).toHaveURL("/manage/setup?step=adviser");
  expect(published).toEqual(['{"sections":["firm"]}']);
  const { data } = await owner
    .from("site_settings_drafts")
    .select("document")
    .eq("section", "firm")
    .single();
  expect(data?.document).toMatchObject({ name: "Byron & Daughters", mainColor: null });
});

test("the setup is left, and resumed after a reload with what was saved", async ({
  page,
  noDrafts: _,
}) => {
  await logIn(page, "/manage/setup");
  await page.getByRole("button", { name: "Skip for now" }).click();
  await expect(page).toHaveURL("/manage/setup?step=adviser");
  await page.getByLabel("Your full name").fill("Ada Byron");
  await page.getByRole("button", { name: "Save and leave" }).click();
  await expect(page).toHaveURL("/manage");
  await expect(
    page.getByRole("link", { name: /settings Adviser are not published/ }),
  ).toBeVisible();

  await page.reload();
  await page.getByRole("link", { name: "Go on with the setup" }).click();
  await expect(page).toHaveURL("/manage/setup?step=adviser");
  await expect(page.getByLabel("Your full name")).toHaveValue("Ada Byron");

  await page.getByLabel("Title (optional)").fill("Adviser");
  await page.reload();
  await expect(page.getByLabel("Title (optional)")).toHaveValue("Adviser");
});

test("licenses are added and removed in rows, and the end shows what is left", async ({
  page,
  noDrafts: _,
}) => {
  test.slow();
  await interceptPublishing(page);
  await logIn(page, "/manage/setup?step=licenses");
  const first = page.getByRole("group", { name: "License 1" });
  for (const row of [first, page.getByRole("group", { name: "License 2" })]) {
    await page.getByRole("button", { name: "Add license" }).click();
    await expect(row.getByLabel("State")).toBeFocused();
  }
  await page.getByRole("button", { name: "Remove License 1" }).click();
  await first.getByLabel("State").fill("Maine");
  await page.getByRole("button", { name: "Publish and continue" }).click();
  await expect(first.getByLabel("Type")).toBeFocused();
  expect(await findingsOf(page)).toEqual([]);
  await first.getByLabel("Type").fill("Life");
  await page.getByRole("button", { name: "Publish and continue" }).click();
  await expect(page).toHaveURL("/manage/setup?step=samples");
  await page.getByRole("button", { name: "Keep them for now" }).click();
  await expect(page).toHaveURL("/manage/setup?step=mail");

  await openPage(page, "/manage/setup?step=end");
  await expect(page.getByRole("link", { name: /Sample content\s*To do/ })).toBeVisible();
  await page.getByRole("link", { name: /How to reach you/ }).click();
  await expect(page.getByLabel("Time zone")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});
