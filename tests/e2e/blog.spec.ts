import { defaultSite } from "../default-site.ts";
import { findingsOf } from "./access/axe.ts";
import { delayReads, expect, openPage, test } from "./test.ts";

const policyLoan = "A Policy Loan, Step by Step";

test("the list leads to a post with all its parts, and the post to its category and services", async ({
  page,
  rows,
}) => {
  const id = crypto.randomUUID();
  const title = `Every <Block> ${id}`;
  await rows.addPost({
    slug: `older-${id}`,
    title: `Older ${id}`,
    category: "Retirement",
    created_at: new Date(Date.now() - 60_000).toISOString(),
  });
  await rows.addPost({
    slug: `every-block-${id}`,
    title,
    category: "Estate Planning",
    image_url: "/images/posts/old-oak.svg?w=2",
    alt: "An old oak",
    created_at: new Date().toISOString(),
    published_date: "2026-03-01T12:00:00Z",
    updated_at: "2026-03-01T12:00:00Z",
    content: [
      { type: "heading", text: "A heading" },
      { type: "paragraph", text: "See https://www.irs.gov/a?b=1, or <b>ask</b>." },
      { type: "list", items: ["Plain", "Or www.example.com, not ada@example.com."] },
      { type: "quote", text: "A quote" },
      { type: "video", text: "An unknown block" },
      null,
    ],
    related_services: [{ slug: "estate-planning" }, { slug: "infinite-banking" }, { slug: "gone" }],
  });
  await openPage(page, "/blog");
  const main = page.getByRole("main");
  await test.step("the list, newest first, without the owner's controls", async () => {
    await expect(main.getByRole("article").getByRole("heading").first()).toHaveText(title);
    await expect(main.getByRole("article").getByRole("heading").nth(1)).toHaveText(`Older ${id}`);
    await expect(main.getByRole("button")).toHaveText(["Search"]);
    await expect(main.getByText(/^(Edit|Delete|Create New Post)/)).toHaveCount(0);
    await expect(main.getByText(/^Loading/)).toHaveCount(0);
    const card = main.getByRole("article").first();
    await expect(card.getByText("Estate Planning")).toBeVisible();
    await expect(card.getByText(`By ${defaultSite.adviser.name}`, { exact: true })).toBeVisible();
    await expect(card.getByText("March 1, 2026")).toBeVisible();
    await expect(card.getByText("See https://www.irs.gov/a?b=1, or")).toBeVisible();
    await expect(card.getByRole("img", { name: "An old oak" })).toHaveAttribute(
      "src",
      `/images/posts/old-oak.svg?w=2&t=${Date.parse("2026-03-01T12:00:00Z")}`,
    );
    await card.getByRole("link", { name: "Read More" }).click();
  });

  await test.step("the post", async () => {
    await expect(page).toHaveURL(`/blog/every-block-${id}`);
    await expect(page).toHaveTitle(`${title} | Blog`);
    const article = page.getByRole("article");
    await expect(article.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(article.getByText(defaultSite.adviser.name)).toBeVisible();
    await expect(article.locator("header img")).toHaveAttribute("alt", "");
    await expect(page.getByText(/^\d+ min read$/)).toBeVisible();
    await expect(article.getByRole("img", { name: "An old oak" })).toBeVisible();
    await expect(article.getByRole("heading", { name: "A heading" })).toBeVisible();
    await expect(article.getByText("or <b>ask</b>.")).toBeVisible();
    await expect(article.getByRole("listitem").filter({ hasText: "Plain" })).toBeVisible();
    await expect(article.locator("blockquote")).toHaveText("A quote");
    await expect(article.getByText("An unknown block")).toHaveCount(0);
    for (const [name, href] of [
      ["https://www.irs.gov/a?b=1", "https://www.irs.gov/a?b=1"],
      ["www.example.com", "https://www.example.com"],
    ] as const) {
      const link = article.getByRole("link", { name });
      await expect(link).toHaveAttribute("href", href);
      await expect(link).toHaveAttribute("target", "_blank");
      await expect(link).toHaveAttribute("rel", /noopener/);
    }
    await expect(main.getByText(/^(Edit|Delete) Post/)).toHaveCount(0);
    const next = page.getByRole("region", { name: "Read next" });
    await expect(next.getByRole("listitem")).toHaveCount(3);
    await expect(next).not.toContainText(title);
  });

  await test.step("its sidebar", async () => {
    const related = page.getByRole("article").getByRole("complementary");
    await expect(related.getByRole("heading", { name: "Related Services" })).toBeVisible();
    await expect(related.getByRole("listitem").getByRole("link")).toHaveText([
      "Infinite Banking Concept (IBC)",
      "Estate Planning",
    ]);
    await expect(related.getByRole("heading", { name: "Ready to Talk?" })).toBeVisible();
    const schedule = related.getByRole("link", { name: "Schedule a Consultation" });
    await expect(schedule).toHaveAttribute("target", "_blank");
    await related.getByRole("link", { name: "Estate Planning" }).click();
    await expect(page).toHaveURL("/services/estate-planning");
    await page.goBack();
    await page.getByRole("link", { name: "Back to Blog" }).click();
    await page.getByRole("link", { name: "Return to Home" }).click();
    await expect(page).toHaveURL("/");
  });
});

test.describe("a post with little content", () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test("has the fallback image of its category, also when its image is missing", {
    tag: "@long",
  }, async ({ page, rows }) => {
    for (const image_url of [null, "/images/posts/gone.jpg"]) {
      const slug = `bare-${crypto.randomUUID()}`;
      const created_at = "2024-01-02T00:00:00Z";
      await rows.addPost({ slug, title: "Bare", category: "Taxes", image_url, created_at });
      await openPage(page, `/blog/${slug}`);
      const image = page.getByRole("article").locator("> span > img");
      await expect(image).toHaveAttribute("src", "/images/fallback-taxes.svg");
      await image.evaluate((element: HTMLImageElement) => element.decode());
      await expect(page.getByRole("heading", { name: "Related Services" })).toHaveCount(0);
      await expect(page.getByRole("heading", { name: "Ready to Talk?" })).toBeVisible();
    }
  });
});

test.describe("in another time zone than the site's", () => {
  test.use({ timezoneId: "Asia/Tokyo" });

  test("the published date is the site's, in long US format", { tag: "@long" }, async ({
    page,
    rows,
  }) => {
    const slug = `new-year-${crypto.randomUUID()}`;
    const published_date = "2026-01-01T03:00:00Z";
    await rows.addPost({ slug, title: `New Year ${slug}`, category: "Taxes", published_date });

    await openPage(page, `/blog/${slug}`);
    await expect(page.getByText("December 31, 2025")).toBeVisible();
    await page.getByRole("link", { name: "Back to Blog" }).click();
    await page.getByRole("article").filter({ hasText: slug }).getByText("Read More").click();
    await expect(page.getByText("December 31, 2025")).toBeVisible();
  });
});

test("loading lines are shown until posts have loaded, and never over posts that are shown", {
  tag: "@long",
}, async ({ page }) => {
  await openPage(page, "/services");
  let release = await delayReads(page, "posts");
  await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
  await expect(page.getByText("Loading articles...")).toBeVisible();
  await expect(page).toHaveTitle("Blog | Financial Insights & Strategies");
  expect(await findingsOf(page)).toEqual([]);
  release();
  await expect(page.getByRole("article").first()).toBeVisible();
  await expect(page.getByText("Loading articles...")).toHaveCount(0);
  await page.unrouteAll({ behavior: "wait" });

  release = await delayReads(page, "posts");
  await page.getByRole("article").filter({ hasText: policyLoan }).getByRole("link").click();
  await expect(page.getByText("Loading post...")).toBeVisible();
  // The link knows the title.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(policyLoan);
  await expect(page).toHaveTitle(`${policyLoan} | Blog`);
  expect(await findingsOf(page)).toEqual([]);
  release();
  await expect(page.getByText("By ").first()).toBeVisible();
  await expect(page.getByText("Loading post...")).toHaveCount(0);
  await page.unrouteAll({ behavior: "wait" });

  for (const path of ["/blog", "/blog/a-policy-loan-step-by-step"]) {
    await openPage(page, path);
    release = await delayReads(page, "posts");
    const refetch = page.waitForRequest("**/rest/v1/posts?*");
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await refetch;
    await expect(page.getByText(policyLoan).first()).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    release();
    await page.unrouteAll({ behavior: "wait" });
  }
});

test("a search shows its results, keeps the focus and the query, and Back shows all articles again", async ({
  page,
  rows,
}) => {
  const word = `zygote${crypto.randomUUID().slice(0, 8)}`;
  const text = [{ type: "paragraph", text: `Once more: ${word}.` }];
  const category = "Taxes";
  await rows.addPost({ slug: `text-${word}`, title: "In the text", category, content: text });
  await rows.addPost({ slug: `title-${word}`, title: `All about ${word}`, category });
  await openPage(page, "/blog");
  const field = page.getByRole("searchbox", { name: "Search the articles" });
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/rpc/search_posts", async (route) => {
    await promise;
    await route.continue();
  });

  await field.fill(`  ${word} `);
  await field.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Search results");
  await expect(page.getByText("Loading articles...")).toBeVisible();
  resolve();
  const result = page.getByRole("main").getByRole("status").filter({ hasText: "found" });
  await expect(result).toHaveText(`2 articles found for “${word}”`);
  await expect(page).toHaveURL(`/blog?q=${word}`);
  await expect(page).toHaveTitle(`Search results for “${word}” | Blog`);
  await expect(field).toBeFocused();
  await expect(page.getByRole("article").getByRole("heading")).toHaveText([
    `All about ${word}`,
    "In the text",
  ]);

  await field.fill(`nothing of ${word} yet`);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(result).toHaveText(`No articles found for “nothing of ${word} yet”`);
  await expect(page.getByRole("article")).toHaveCount(0);
  // The same search again needs no second Back.
  await page.getByRole("button", { name: "Search" }).click();
  await page.goBack();
  await expect(field).toHaveValue(word);
  await expect(page.getByRole("article")).toHaveCount(2);
  await page.goBack();
  await expect(field).toHaveValue("");
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Search results");
});

test("a category shows that it is loading, and follows changes of its posts", {
  tag: "@long",
}, async ({ page, rows, owner }) => {
  const category = `Live ${crypto.randomUUID().slice(0, 8)}`;
  const slug = category.toLowerCase().replace(" ", "-");
  await rows.addPost({ slug: `first-${slug}`, title: "The first", category });
  await openPage(page, `/blog/first-${slug}`);
  const release = await delayReads(page, "posts");
  await page.getByRole("link", { name: category }).click();
  await expect(page.getByText("Loading articles...")).toBeVisible();
  release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(category);
  await expect(page).toHaveTitle(`${category} | Blog`);

  await rows.addPost({ slug: `second-${slug}`, title: "The second", category });
  await expect(page.getByRole("article")).toHaveCount(2);
  await owner.from("posts").delete().eq("category", category).throwOnError();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no such category");
});

test.describe("when the backend fails", () => {
  test.use({ expectedErrors: /Failed to load resource|Loading (posts|a post) failed|right now/ });

  test("the list and a post show the site's own message and retry, and a failed refetch changes nothing", async ({
    page,
  }) => {
    const fail = () =>
      page.route("**/rest/v1/posts?*", (route) =>
        route.fulfill({ status: 500, json: { message: "Out of order" } }),
      );
    const alert = page.getByRole("main").getByRole("alert");
    const retry = page.getByRole("button", { name: "Try again" });
    await openPage(page, "/services");
    await fail();
    await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
    await expect(alert).toContainText("The articles can't be shown right now.");
    await expect(page.getByText("Loading articles...")).toHaveCount(0);
    expect(await findingsOf(page)).toEqual([]);
    await retry.click();
    await expect(retry).toBeEnabled();
    await page.unroute("**/rest/v1/posts?*");
    const release = await delayReads(page, "posts");
    await retry.click();
    await expect(page.getByRole("button", { name: "Trying again..." })).toBeDisabled();
    release();
    const card = page.getByRole("article").filter({ hasText: policyLoan });
    await expect(card).toBeVisible();
    await expect(alert).toHaveCount(0);
    await page.unrouteAll({ behavior: "wait" });

    await fail();
    await refetch();
    await expect(card).toBeVisible();
    await card.getByRole("link").click();
    await expect(alert).toContainText("This article can't be shown right now.");
    await expect(page.getByText(/Out of order|Unexpected Application Error!/)).toHaveCount(0);
    await page.unroute("**/rest/v1/posts?*");
    await retry.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(policyLoan);
    await fail();
    await refetch();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(policyLoan);

    async function refetch() {
      const failure = page.waitForEvent("console", (line) => line.text().includes(" failed"));
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await failure;
    }
  });
});
