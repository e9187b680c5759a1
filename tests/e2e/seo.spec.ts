// What search engines, feed readers and social networks get: the HTML and the files as the server
// sends them.
import { request as httpRequest } from "node:http";
import type { APIRequestContext, Page } from "@playwright/test";
import { createClient } from "@supabase/supabase-js";
import { publicPages } from "../../app/seo/public-pages.ts";
import { loadSecrets } from "../../backend/secrets.ts";
import { defaultSite } from "../default-site.ts";
import { findProblems } from "../schema-org.ts";
import { expect, navigate, openPage, test } from "./test.ts";

const { firm, adviser } = defaultSite;

const titles: Record<string, string> = {
  "/": "Life Insurance & Financial Planning | Secure Your Family's Future",
  "/services": `Our Financial Services | ${firm.name}`,
  "/services/life-insurance": "Life Insurance | My Expert Financial Services",
  "/services/infinite-banking": "Infinite Banking Concept (IBC) | My Expert Financial Services",
  "/services/retirement-planning": "Retirement Planning | My Expert Financial Services",
  "/services/family-protection": "Family Protection | My Expert Financial Services",
  "/services/tax-free-growth": "Tax-Free Growth | My Expert Financial Services",
  "/services/high-cash-value-insurance":
    "High Cash Value Permanent Insurance | My Expert Financial Services",
  "/services/estate-planning": "Estate Planning | My Expert Financial Services",
  "/blog": "Blog | Financial Insights & Strategies",
  "/blog/a-policy-loan-step-by-step": "A Policy Loan, Step by Step | Blog",
  "/blog/category/life-insurance": "Life Insurance | Blog",
  "/testimonials": `Client Success Stories | ${firm.name}`,
  "/savings-calculator": `Savings Calculator | ${firm.name}`,
  "/contact": `Contact ${adviser.name} | ${firm.name}`,
};

/** The head of a document and its headings. */
function readDocument(page: Page, html: string) {
  return page.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, "text/html");
    const all = (selector: string, attribute: string) =>
      [...document.querySelectorAll(selector)].map((found) => found.getAttribute(attribute));
    const one = (name: string) => {
      const found = document.querySelectorAll(`meta[name="${name}"], meta[property="${name}"]`);
      return found.length === 1 ? found[0]?.getAttribute("content") : `${found.length} of ${name}`;
    };
    return {
      language: document.documentElement.lang,
      titles: [...document.querySelectorAll("head > title")].map(({ textContent }) => textContent),
      canonical: all("link[rel=canonical]", "href"),
      alternates: all("link[rel=alternate]", "href"),
      description: one("description"),
      robots: one("robots"),
      openGraph: ["title", "description", "url", "type", "site_name", "image"].map((name) =>
        one(`og:${name}`),
      ),
      twitter: ["card", "title", "description", "image"].map((name) => one(`twitter:${name}`)),
      imageSize: [one("og:image:width"), one("og:image:height")],
      jsonLd: [...document.querySelectorAll("script[type='application/ld+json']")].map(
        ({ textContent }) => textContent,
      ),
      headings: [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(({ tagName }) =>
        Number(tagName.slice(1)),
      ),
    };
  }, html);
}

async function read(page: Page, request: APIRequestContext, path: string) {
  return readDocument(page, await (await request.get(path)).text());
}

/** An XML document as the texts of its elements. Fails when it is not well-formed. */
async function readXml(page: Page, request: APIRequestContext, path: string) {
  const response = await request.get(path);
  expect(response.status()).toBe(200);
  return page.evaluate(
    (text) => {
      const document = new DOMParser().parseFromString(text, "application/xml");
      const error = document.querySelector("parsererror")?.textContent;
      if (error) throw new Error(error);
      const texts = (parent: Element | Document, name: string) =>
        [...parent.getElementsByTagName(name)].map(({ textContent }) => textContent ?? "");
      return {
        root: document.documentElement.tagName,
        addresses: texts(document, "loc"),
        items: [...document.querySelectorAll("item, entry")].map((item) => ({
          id: texts(item, "guid")[0] ?? texts(item, "id")[0] ?? "",
          title: texts(item, "title")[0] ?? "",
          link: texts(item, "link")[0] || (item.querySelector("link")?.getAttribute("href") ?? ""),
          category:
            item.querySelector("category")?.getAttribute("domain") ??
            item.querySelector("category")?.getAttribute("scheme"),
          published: texts(item, "pubDate")[0] ?? texts(item, "published")[0] ?? "",
          html: texts(item, "content:encoded")[0] ?? texts(item, "content")[0] ?? "",
        })),
        self: document.querySelector("link[rel=self]")?.getAttribute("href"),
      };
    },
    await response.text(),
  );
}

test("the expected titles cover all public pages", () => {
  const paths = publicPages(defaultSite).map(({ path }) => path);
  expect(paths.filter((path) => !(path in titles))).toEqual([]);
});

test("the head of every public page has its title, description and canonical address", async ({
  page,
  request,
  baseURL,
}) => {
  const heads = [];
  for (const [path, title] of Object.entries(titles)) {
    const head = await read(page, request, path);
    heads.push(head);
    const url = baseURL + path;

    expect(head.language).toBe("en");
    expect(head.titles).toEqual([title]);
    expect(head.description?.length).toBeGreaterThan(50);
    expect(head.description?.length).toBeLessThanOrEqual(170);
    expect(head.canonical).toEqual([url]);
    expect(head.robots).not.toContain("noindex");
    expect(head.alternates).toEqual(["/rss.xml", "/atom.xml"]);

    const [ogTitle, ogDescription, ogUrl, ogType, ogSite, image] = head.openGraph;
    expect([ogTitle, ogDescription, ogUrl, ogSite]).toEqual([
      title,
      head.description,
      url,
      firm.name,
    ]);
    expect(ogType).toBe(/^\/blog\/[^/]+$/.test(path) ? "article" : "website");
    expect(head.twitter).toEqual(["summary_large_image", title, head.description, image]);

    expect(head.headings.filter((level) => level === 1)).toHaveLength(1);
    expect(head.headings[0]).toBe(1);
    const skipped = head.headings.filter(
      (level, index) => level > (head.headings[index - 1] ?? 0) + 1,
    );
    expect(skipped, `headings ${head.headings}`).toEqual([]);

    const imageFile = await request.get(image ?? "");
    expect(imageFile.status()).toBe(200);
    expect(imageFile.headers()["content-type"]).toBe("image/png");
    const bytes = await imageFile.body();
    expect([String(bytes.readUInt32BE(16)), String(bytes.readUInt32BE(20))]).toEqual(
      head.imageSize,
    );
    expect(head.imageSize).toEqual(["1200", "630"]);

    expect(head.jsonLd).toHaveLength(1);
    expect(findProblems(JSON.parse(head.jsonLd[0] ?? ""))).toEqual([]);
    expect(head.jsonLd[0]).not.toMatch(/AggregateRating|reviewRating/);
  }
  // No two pages share a title or a description.
  expect(new Set(heads.map(({ titles: [title] }) => title)).size).toBe(heads.length);
  expect(new Set(heads.map(({ description }) => description)).size).toBe(heads.length);
});

test("the JSON-LD describes the firm, its services and its posts", async ({ page, request }) => {
  const typesOf = async (path: string) => {
    const { jsonLd } = await read(page, request, path);
    const { "@graph": graph } = JSON.parse(jsonLd[0] ?? "") as { "@graph": { "@type": string }[] };
    return graph.map((node) => node["@type"]);
  };
  expect(await typesOf("/")).toEqual(["InsuranceAgency", "Person", "WebSite"]);
  expect((await typesOf("/services")).filter((type) => type === "Service")).toHaveLength(7);
  expect(await typesOf("/services/estate-planning")).toEqual(["Service", "BreadcrumbList"]);
  expect(await typesOf("/blog/category/taxes")).toEqual(["BreadcrumbList"]);
  expect(await typesOf("/blog/a-policy-loan-step-by-step")).toEqual([
    "BlogPosting",
    "BreadcrumbList",
  ]);
});

for (const path of [
  "/login",
  "/forgot-password",
  "/confirm",
  "/blog/new",
  "/blog/a-policy-loan-step-by-step/edit",
  "/nothing-here",
]) {
  test(`${path} is excluded from search engines`, async ({ page, request }) => {
    const head = await read(page, request, path);
    expect(head.robots).toBe("noindex");
    expect(head.canonical).toEqual([]);
    expect((await (await request.get("/sitemap.xml")).text()).includes(`${path}<`)).toBe(false);
  });
}

test("no request header changes a page's addresses", async ({ baseURL }) => {
  const { hostname, port } = new URL(baseURL ?? "");
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
  for (const path of ["/", "/sitemap.xml", "/robots.txt", "/rss.xml", "/atom.xml"]) {
    const text = await new Promise<string>((resolve, reject) => {
      httpRequest({ hostname, port, path, headers }, async (response) => {
        let body = "";
        for await (const piece of response.setEncoding("utf8")) body += piece;
        resolve(body);
      })
        .on("error", reject)
        .end();
    });
    expect(text).toContain(baseURL);
    expect(text).not.toContain("evil.example");
  }
});

test("each page of a list is its own canonical page, whatever query requested it", async ({
  page,
  request,
  baseURL,
}) => {
  for (const list of ["/blog", "/testimonials"]) {
    const canonical = async (query: string) =>
      (await read(page, request, list + query)).canonical[0]?.replace(baseURL ?? "", "");
    expect(await canonical("?page=1")).toBe(list);
    expect(await canonical("?page=zero&utm_source=mail")).toBe(list);
    expect(await canonical("?utm_source=mail&page=02")).toBe(`${list}?page=2`);
    expect((await request.get(`${list}?page=99999`)).status()).toBe(404);
  }
});

test("robots.txt allows all crawlers and names the sitemap", async ({ request, baseURL }) => {
  const response = await request.get("/robots.txt");
  expect(response.headers()["content-type"]).toContain("text/plain");
  const lines = (await response.text()).trim().split("\n");
  expect(lines).toEqual(["User-agent: *", "Allow: /", "", `Sitemap: ${baseURL}/sitemap.xml`]);
});

test("the sitemap lists the public pages and the posts, and its fixed pages respond with 200", async ({
  page,
  request,
  baseURL,
}) => {
  const { root, addresses } = await readXml(page, request, "/sitemap.xml");
  expect(root).toBe("urlset");
  expect(addresses).toEqual(expect.arrayContaining(Object.keys(titles).map((p) => baseURL + p)));
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const { path } of publicPages(defaultSite))
    expect((await request.get(path)).status()).toBe(200);
});

const hostileTexts = `</title></script><script>alert(1)</script> & "quotes" 'too' ]]> \u0001`;

test("a post's text stays text in its page's head, the feeds and its share image", async ({
  page,
  request,
  rows,
  baseURL,
}) => {
  const slug = `nasty-${crypto.randomUUID()}`;
  await rows.addPost({
    slug,
    title: `${hostileTexts} ${slug}`,
    category: hostileTexts,
    content: [
      { type: "heading", text: hostileTexts },
      { type: "paragraph", text: `${hostileTexts} https://example.com/?a=1&b=2` },
      { type: "list", items: [hostileTexts] },
      { type: "unknown", text: hostileTexts },
    ],
    image_url: "/images/posts/old-oak.svg",
    alt: hostileTexts,
  });

  const head = await read(page, request, `/blog/${slug}`);
  expect(head.titles).toEqual([`${hostileTexts} ${slug} | Blog`]);
  const document = JSON.parse(head.jsonLd[0] ?? "");
  expect(document["@graph"][0].headline).toBe(`${hostileTexts} ${slug}`);
  expect(findProblems(document)).toEqual([]);
  expect((await request.get(head.openGraph[5] ?? "")).status()).toBe(200);

  for (const path of ["/rss.xml", "/atom.xml"]) {
    const { items } = await readXml(page, request, path);
    const item = items.find(({ link }) => link === `${baseURL}/blog/${slug}`);
    expect(item?.title.trim()).toBe(`${hostileTexts.replace("\u0001", "")} ${slug}`.trim());
    const elements = await page.evaluate((html) => {
      const { body } = new DOMParser().parseFromString(html, "text/html");
      return [...body.querySelectorAll("*")].map(({ localName }) => localName);
    }, item?.html ?? "");
    expect(elements).toEqual(["p", "img", "h2", "p", "a", "ul", "li"]);
    expect(item?.html).toContain('<a href="https://example.com/?a=1&amp;b=2">');
    expect(item?.html).toContain(`${baseURL}/images/posts/old-oak.svg?t=`);
  }
});

test("the feeds hold the full newest posts, newest first, and their own address", async ({
  page,
  request,
  rows,
  baseURL,
}) => {
  const slug = `fresh-${crypto.randomUUID()}`;
  await rows.addPost({
    slug,
    title: `Fresh ${slug}`,
    category: "Taxes",
    content: [
      { type: "paragraph", text: "The first paragraph." },
      { type: "paragraph", text: "The last paragraph." },
    ],
  });
  for (const [path, type] of [
    ["/rss.xml", "application/rss+xml"],
    ["/atom.xml", "application/atom+xml"],
  ] as const) {
    expect((await request.get(path)).headers()["content-type"]).toBe(`${type}; charset=utf-8`);
    const { items, self } = await readXml(page, request, path);
    expect(self).toBe(baseURL + path);
    expect(items.length).toBeGreaterThan(5);
    expect(items.length).toBeLessThanOrEqual(20);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    for (const { id, published } of items) {
      expect(id).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
      expect(Date.parse(published)).toBeGreaterThan(0);
    }
    const item = items.find(({ link }) => link === `${baseURL}/blog/${slug}`);
    expect(item?.html).toBe("<p>The first paragraph.</p>\n<p>The last paragraph.</p>");
    expect(item?.category).toBe(`${baseURL}/blog/category/taxes`);
  }
  expect(await (await request.get("/sitemap.xml")).text()).toContain(`/blog/${slug}<`);
});

test("an edit removes the old text from page, feeds and sitemap", async ({
  request,
  rows,
  owner,
}) => {
  const old = `before-${crypto.randomUUID()}`;
  const fresh = old.replace("before", "after");
  await rows.addPost({ slug: old, title: old, category: "Taxes" });
  for (const path of ["/blog", "/rss.xml", "/atom.xml", "/sitemap.xml"]) {
    await expect.poll(async () => (await request.get(path)).text()).toContain(old);
  }

  const { error } = await owner
    .from("posts")
    .update({ slug: fresh, title: fresh, updated_at: new Date().toISOString() })
    .eq("slug", old);
  expect(error).toBeNull();

  for (const path of ["/blog", "/rss.xml", "/atom.xml", "/sitemap.xml"]) {
    await expect.poll(async () => (await request.get(path)).text()).not.toContain(old);
  }
  await owner.from("posts").delete().eq("slug", fresh).throwOnError();
});

test("a former address of a post redirects with 301 to the current one, also in client-side navigation", async ({
  page,
  request,
  rows,
  owner,
  baseURL,
}) => {
  const old = `old-name-${crypto.randomUUID()}`;
  const slug = old.replace("old", "new");
  await rows.addPost({ slug: old, title: "The same article", category: "Taxes" });
  await owner.from("posts").update({ slug }).eq("slug", old);

  await expect
    .poll(async () =>
      (await request.get(`/blog/${old}?utm_source=mail`, { maxRedirects: 0 })).status(),
    )
    .toBe(301);
  const response = await request.get(`/blog/${old}?utm_source=mail`, { maxRedirects: 0 });
  expect(response.headers().location).toBe(`/blog/${slug}?utm_source=mail`);
  const imageFile = await request.get(`/share/blog/${old}.png`);
  expect([imageFile.status(), imageFile.url()]).toEqual([200, `${baseURL}/share/blog/${slug}.png`]);

  await openPage(page, "/contact");
  await navigate(page, `/blog/${old}`);
  await expect(page).toHaveURL(`/blog/${slug}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The same article");
  await page.goBack();
  await expect(page).toHaveURL("/contact");
  await owner.from("posts").delete().eq("slug", slug).throwOnError();
  expect((await request.get(`/blog/${slug}`, { maxRedirects: 0 })).headers().location).toBe(
    "/blog",
  );
});

test("share images exist for existing pages only, and only the current version is cached for long", async ({
  page,
  request,
}) => {
  for (const path of [
    "/share/Buy%20now.png",
    "/share/login.png",
    "/share/blog/new.png",
    "/share/blog/no-such-post.png",
    "/share/blog/category/none.png",
    "/share/blog/a-policy-loan-step-by-step",
    "/share/services/none.png",
  ]) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
  const { openGraph } = await read(page, request, "/blog/a-policy-loan-step-by-step");
  const newest = await request.get(openGraph[5] ?? "");
  expect(newest.headers()["cache-control"]).toBe("public, max-age=31536000, immutable");
  const other = await request.get((openGraph[5] ?? "").replace(/t=\d+/, "t=1"));
  expect(other.headers()["cache-control"]).toBe("public, max-age=300");
});

test("without scripts the oldest review is reached by paging, with the samples first", async ({
  browser,
  site,
  rows,
}) => {
  const mark = crypto.randomUUID();
  const oldest = `${mark} 0`;
  const reviews = Array.from({ length: 24 }, (_, index) => ({
    name: `${mark} ${index}`,
    content: "Clear and kind.",
    // Older than all others, so that they fill the last pages.
    created_at: new Date(Date.UTC(2001, 0, 1, 0, index)).toISOString(),
  }));
  for (const { name } of reviews) rows.removeTestimonialsBy(name);
  // The database sets the time of what others write.
  const { secretKey } = loadSecrets(site.dataDir);
  await createClient(site.url, secretKey).from("testimonials").insert(reviews).throwOnError();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/testimonials");
  const names = page.locator("figcaption > :first-child");
  await expect(names.first()).toHaveText("Marisol & Dean Okafor");
  await expect(names).toHaveCount(24);
  await expect(names.filter({ hasText: oldest })).toHaveCount(0);

  const older = page.getByRole("link", { name: "Older stories" });
  while ((await older.count()) > 0) await older.click();
  await expect(page).toHaveURL(/[?]page=\d+$/);
  await expect(names.last()).toHaveText(oldest);
  await expect(names.filter({ hasText: "Marisol" })).toHaveCount(0);

  const newer = page.getByRole("link", { name: "Newer stories" });
  while ((await newer.count()) > 0) await newer.click();
  await expect(page).toHaveURL("/testimonials");
  await context.close();
});
