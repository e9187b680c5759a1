import { defaultSite } from "../default-site.ts";
import { delayReads, expect, navigate, openPage, test } from "./test.ts";

test("the list shows every post with image, category, title, author and a Read More link", async ({
  page,
  rows,
}) => {
  const slug = `a-picture-and-a-name-${crypto.randomUUID()}`;
  await rows.addPost({
    slug,
    title: `A Picture and a Name ${slug}`,
    category: "Estate Planning",
    image_url: "/images/posts/old-oak.svg?w=2",
    alt: "An old oak",
    updated_at: "2026-03-01T12:00:00Z",
  });

  await page.goto("/blog");

  const card = page.getByRole("article").filter({ hasText: slug });
  await expect(card.getByRole("heading")).toHaveText(`A Picture and a Name ${slug}`);
  await expect(card.getByText("Estate Planning")).toBeVisible();
  await expect(card.getByText(`By ${defaultSite.adviser.name}`, { exact: true })).toBeVisible();
  await expect(card.getByRole("img", { name: "An old oak" })).toHaveAttribute(
    "src",
    `/images/posts/old-oak.svg?w=2&t=${Date.parse("2026-03-01T12:00:00Z")}`,
  );
  await card.getByRole("link", { name: "Read More" }).click();
  await expect(page).toHaveURL(`/blog/${slug}`);
});

test("a post without an image shows a placeholder image that loads", async ({ page }) => {
  await page.goto("/blog");

  const image = page.getByRole("article").filter({ hasText: "Term or Permanent" }).locator("img");
  await image.scrollIntoViewIfNeeded();
  await expect(image).toHaveAttribute("src", /^\/images\/fallback-/);
  await expect
    .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
});

test("the newest post comes first", async ({ page, rows }) => {
  const id = crypto.randomUUID();
  await rows.addPost({
    slug: `older-${id}`,
    title: `Older ${id}`,
    category: "Taxes",
    created_at: new Date(Date.now() - 60_000).toISOString(),
  });
  await rows.addPost({
    slug: `newer-${id}`,
    title: `Newer ${id}`,
    category: "Taxes",
    created_at: new Date().toISOString(),
  });

  await page.goto("/blog");

  const titles = await page.getByRole("article").getByRole("heading").allInnerTexts();
  const places = [
    `Newer ${id}`,
    `Older ${id}`,
    "Eight Questions to Ask Before You Sign",
    "Your Beneficiary Form Outranks Your Will",
    "How Much Life Insurance Is Enough?",
  ].map((title) => titles.indexOf(title));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
});

test("web addresses in a post become links, including their brackets, without trailing punctuation", async ({
  page,
  rows,
}) => {
  const slug = `links-${crypto.randomUUID()}`;
  await rows.addPost({
    slug,
    title: "Links",
    category: "Taxes",
    content: [
      { type: "paragraph", text: "Read https://en.wikipedia.org/wiki/Term_(insurance)." },
      { type: "list", items: ["Or www.example.com, not ada@example.com."] },
    ],
    created_at: "2024-01-04T00:00:00Z",
  });

  await openPage(page, `/blog/${slug}`);

  const body = page.getByRole("article");
  await expect(body.getByRole("link", { name: /Term_|example/ })).toHaveText([
    /^https:\/\/en\.wikipedia\.org\/wiki\/Term_\(insurance\) \(opens/,
    /^www\.example\.com \(opens/,
  ]);
  await expect(body.getByRole("link", { name: /^www/ })).toHaveAttribute(
    "href",
    "https://www.example.com",
  );
});

test("visitors see no owner controls", async ({ page }) => {
  await openPage(page, "/blog");
  const main = page.getByRole("main");
  await expect(main.getByRole("article").first()).toBeVisible();
  await expect(main.getByRole("button")).toHaveText(["Search"]);
  await expect(main.getByText(/^(Edit|Delete|Create New Post)/)).toHaveCount(0);

  await main.getByRole("article").filter({ hasText: "A Policy Loan" }).getByRole("link").click();
  await expect(main.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(main.getByRole("button")).toHaveCount(0);
  await expect(main.getByText(/^(Edit|Delete) Post/)).toHaveCount(0);
});

test("Return to Home opens the home page", async ({ page }) => {
  await page.goto("/blog");

  await page.getByRole("link", { name: "Return to Home" }).click();

  await expect(page).toHaveURL("/");
});

test("a post shows its four block types and skips unknown blocks", async ({ page, rows }) => {
  const slug = `every-block-${crypto.randomUUID()}`;
  await rows.addPost({
    slug,
    title: "Every <Block>",
    category: "Retirement",
    image_url: "/images/posts/lighthouse.svg",
    alt: "A lighthouse",
    content: [
      { type: "heading", text: "A heading" },
      { type: "paragraph", text: "See https://www.irs.gov/a?b=1, or <b>ask</b>." },
      { type: "list", items: ["Plain", "Read (https://naic.org)"] },
      { type: "quote", text: "A quote" },
      { type: "video", text: "An unknown block" },
      { text: "A block without a type" },
      null,
    ],
    related_services: [{ slug: "estate-planning" }, { slug: "infinite-banking" }, { slug: "gone" }],
  });

  await page.goto(`/blog/${slug}`);

  await expect(page).toHaveTitle("Every <Block> | Blog");
  const article = page.getByRole("article");
  await expect(article.getByRole("heading", { level: 1 })).toHaveText("Every <Block>");
  await expect(article.getByText("Retirement", { exact: true })).toBeVisible();
  await expect(article.getByText(defaultSite.adviser.name)).toBeVisible();
  await expect(article.getByRole("img", { name: "A lighthouse" })).toHaveAttribute(
    "src",
    /^\/images\/posts\/lighthouse\.svg\?t=\d+$/,
  );
  await expect(article.getByRole("heading", { name: "A heading" })).toBeVisible();
  await expect(article.getByText("or <b>ask</b>.")).toBeVisible();
  await expect(article.getByRole("listitem").filter({ hasText: "Plain" })).toBeVisible();
  await expect(article.locator("blockquote")).toHaveText("A quote");
  await expect(article.getByText("An unknown block")).toHaveCount(0);
  await expect(article.getByText("A block without a type")).toHaveCount(0);

  for (const [name, href] of [
    ["https://www.irs.gov/a?b=1", "https://www.irs.gov/a?b=1"],
    ["https://naic.org", "https://naic.org"],
  ] as const) {
    const link = article.getByRole("link", { name });
    await expect(link).toHaveAttribute("href", href);
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toHaveAttribute("rel", /noopener/);
  }

  const related = article.getByRole("complementary");
  await expect(related.getByRole("heading", { name: "Related Services" })).toBeVisible();
  await expect(related.getByRole("listitem").getByRole("link")).toHaveText([
    "Infinite Banking Concept (IBC)",
    "Estate Planning",
  ]);
  await expect(related.getByRole("heading", { name: "Ready to Talk?" })).toBeVisible();
  await expect(related.getByRole("link", { name: "Schedule a Consultation" })).toHaveAttribute(
    "target",
    "_blank",
  );
  await related.getByRole("link", { name: "Estate Planning" }).click();
  await expect(page).toHaveURL("/services/estate-planning");
});

test("a post without image, blocks and related services renders completely", async ({
  page,
  rows,
}) => {
  const slug = `bare-${crypto.randomUUID()}`;
  await rows.addPost({ slug, title: "Bare", category: "Taxes", image_url: null });

  await page.goto(`/blog/${slug}`);

  const article = page.getByRole("article");
  await expect(article.locator("img")).toHaveAttribute("src", "/images/fallback-taxes.svg");
  await expect(article.getByRole("heading", { name: "Related Services" })).toHaveCount(0);
  await expect(article.getByRole("heading", { name: "Ready to Talk?" })).toBeVisible();
  await page.getByRole("link", { name: "Back to Blog" }).click();
  await expect(page).toHaveURL("/blog");
});

for (const timezoneId of ["Asia/Tokyo", "America/Los_Angeles"]) {
  test.describe(`in ${timezoneId}`, () => {
    test.use({ timezoneId });

    test("the published date is in the site's time zone and in long US format", async ({
      page,
      rows,
    }) => {
      const slug = `new-year-${crypto.randomUUID()}`;
      await rows.addPost({
        slug,
        title: `New Year ${slug}`,
        category: "Taxes",
        published_date: "2026-01-01T03:00:00Z",
      });

      await openPage(page, `/blog/${slug}`);
      await expect(page.getByText("December 31, 2025")).toBeVisible();

      await page.getByRole("link", { name: "Back to Blog" }).click();
      await expect(page.getByRole("link", { name: "Return to Home" })).toBeVisible();
      await page.getByRole("article").filter({ hasText: slug }).getByRole("link").click();
      await expect(page.getByText("December 31, 2025")).toBeVisible();
      await expect(page).toHaveTitle(`New Year ${slug} | Blog`);
    });
  });
}

test("an unknown post redirects to the blog and replaces the history entry", async ({ page }) => {
  await page.goto("/contact");
  await page.goto("/blog/unknown");

  await expect(page).toHaveURL("/blog");
  await page.goBack();
  await expect(page).toHaveURL("/contact");
});

test("an unknown post redirects to the blog in client-side navigation as well", async ({
  page,
}) => {
  await openPage(page, "/contact");

  await navigate(page, "/blog/unknown");

  await expect(page).toHaveURL("/blog");
  await page.goBack();
  await expect(page).toHaveURL("/contact");
});

test("'Loading articles...' is shown until the posts have loaded", async ({ page }) => {
  await openPage(page, "/services");
  const release = await delayReads(page, "posts");

  await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();

  await expect(page.getByText("Loading articles...")).toBeVisible();
  await expect(page).toHaveTitle("Blog | Financial Insights & Strategies");
  release();
  await expect(page.getByRole("article").first()).toBeVisible();
  await expect(page.getByText("Loading articles...")).toHaveCount(0);
});

test("'Loading post...' is shown until the post has loaded", async ({ page }) => {
  await openPage(page, "/blog");
  const release = await delayReads(page, "posts");

  await page.getByRole("article").filter({ hasText: "A Policy Loan" }).getByRole("link").click();

  await expect(page.getByText("Loading post...")).toBeVisible();
  await expect(page).toHaveTitle("Blog");
  release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A Policy Loan, Step by Step");
  await expect(page.getByText("Loading post...")).toHaveCount(0);
});

test("no loading line covers posts that are already shown", async ({ page }) => {
  for (const path of ["/blog", "/blog/a-policy-loan-step-by-step"]) {
    await openPage(page, path);
    const release = await delayReads(page, "posts");

    const refetch = page.waitForRequest("**/rest/v1/posts?*");
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await refetch;

    await expect(page.getByText("A Policy Loan, Step by Step").first()).toBeVisible();
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
  await rows.addPost({
    slug: `text-${word}`,
    title: "In the text",
    category: "Taxes",
    content: text,
  });
  await rows.addPost({
    slug: `title-${word}`,
    title: `All about ${word}`,
    category: "Taxes",
    created_at: "2024-01-01T00:00:00Z",
  });
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
  await page.goBack();
  await expect(field).toHaveValue(word);
  await expect(page.getByRole("article")).toHaveCount(2);
  await page.goBack();
  await expect(field).toHaveValue("");
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Search results");
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false, expectedErrors: /status of 404/ });

  test("a search has pages, and a visitor reaches a category, its neighbors and the blog", async ({
    page,
    rows,
  }) => {
    const word = `quagga${crypto.randomUUID().slice(0, 8)}`;
    const time = (minute: number) => new Date(Date.UTC(2023, 0, 1, 0, minute)).toISOString();
    await Promise.all(
      Array.from({ length: 26 }, (_, index) =>
        rows.addPost({
          slug: `${word}-${index}`,
          title: `${word} number ${index}`,
          category: `Kept ${word}`,
          created_at: time(index),
        }),
      ),
    );
    await page.goto("/blog");
    await page.getByRole("searchbox").fill(word);
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page.getByRole("main").getByRole("status")).toHaveText(
      `26 articles found for “${word}”`,
    );
    await page.getByRole("link", { name: "Older articles" }).click();
    await expect(page).toHaveURL(`/blog?q=${word}&page=2`);
    await expect(page.getByRole("searchbox")).toHaveValue(word);
    await expect(page.getByRole("article")).toHaveCount(2);

    await page.getByRole("link", { name: `Read More about ${word} number 1`, exact: true }).click();
    const neighbors = page.getByRole("navigation", { name: "Newer and older articles" });
    await expect(neighbors.locator("[rel=prev]")).toHaveText(`Newer article${word} number 2`);
    await neighbors.getByRole("link", { name: "Older article" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} number 0`);

    await page.getByRole("link", { name: `Kept ${word}` }).click();
    await expect(page).toHaveURL(`/blog/category/kept-${word}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Kept ${word}`);
    await expect(page.getByText("26 articles", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Older articles" }).click();
    await expect(page).toHaveURL(`/blog/category/kept-${word}?page=2`);
    await expect(page.getByRole("article")).toHaveCount(1);

    expect((await page.goto("/blog/category/no-such-category"))?.status()).toBe(404);
    await page.getByRole("main").getByRole("link", { name: "All articles" }).last().click();
    await expect(page).toHaveURL("/blog");
  });
});

test("a category shows that it is loading, and follows changes of its posts", async ({
  page,
  rows,
  owner,
}) => {
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

test("a search that anyone makes up is neither cached nor indexed", async ({ request }) => {
  const response = await request.get('/blog?q="><script>%00');
  const html = await response.text();
  expect(response.status()).toBe(200);
  expect(response.headers()["cache-control"]).toBe("private, no-cache");
  expect(response.headers()["cache-status"]).toBeUndefined();
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).toMatch(/<link rel="canonical" href="[^"]+\/blog"\/>/);
  expect(html).not.toContain('"><script>');
  expect((await request.get(`/blog?q=${"a".repeat(10_000)}`)).status()).toBe(414);
});

test.describe("when the backend fails", () => {
  test.use({ expectedErrors: /Failed to load resource|Loading (posts|a post) failed/ });

  test("the list shows the error and its button retries", async ({ page }) => {
    await openPage(page, "/services");
    await page.route("**/rest/v1/posts?*", (route) =>
      route.fulfill({ status: 500, json: { message: "Out of order" } }),
    );
    await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
    await expect(page.getByRole("alert")).toContainText("The articles can't be shown right now.");
    await expect(page.getByText("Loading articles...")).toHaveCount(0);

    const retry = page.getByRole("button", { name: "Try again" });
    await retry.click();
    await expect(retry).toBeEnabled();
    await page.unroute("**/rest/v1/posts?*");
    const release = await delayReads(page, "posts");
    await retry.click();
    await expect(page.getByRole("button", { name: "Trying again..." })).toBeDisabled();
    release();

    await expect(page.getByRole("article").first()).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  test("a failed refetch leaves the loaded posts in place", async ({ page }) => {
    for (const path of ["/blog", "/blog/a-policy-loan-step-by-step"]) {
      await openPage(page, path);
      await page.route("**/rest/v1/posts?*", (route) =>
        route.fulfill({ status: 500, json: { message: "Out of order" } }),
      );

      const refetch = page.waitForResponse("**/rest/v1/posts?*");
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await refetch;
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));

      await expect(page.getByText("A Policy Loan, Step by Step").first()).toBeVisible();
      await page.unrouteAll({ behavior: "wait" });
    }
  });
});
