// What search engines, feed readers and social networks receive: HTML and files as the server sends them.
import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { publicPages } from "../../app/seo/public-pages.ts";
import { defaultSite } from "../default-site.ts";
import { newPost } from "../post-calls.ts";
import { findProblems } from "../schema-org.ts";
import { setUpSite } from "./site.ts";

const { siteUrl, owner, open } = await setUpSite();

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

/** The things that the JSON-LD of a page describes. */
const typesOf: Record<string, string[]> = {
  "/": ["InsuranceAgency", "Person", "WebSite"],
  "/services/estate-planning": ["Service", "BreadcrumbList"],
  "/blog/category/life-insurance": ["BreadcrumbList"],
  "/blog/a-policy-loan-step-by-step": ["BlogPosting", "BreadcrumbList"],
};

/** The head of a page and its headings. */
async function read(path: string) {
  const { document } = await open(path);
  const all = (selector: string, attribute: string) =>
    [...document.querySelectorAll(selector)].map((found) => found.getAttribute(attribute));
  const one = (name: string) => {
    const found = all(`meta[name="${name}"], meta[property="${name}"]`, "content");
    return found.length === 1 ? found[0] : `${found.length} of ${name}`;
  };
  return {
    language: document.documentElement.lang,
    titles: [...document.querySelectorAll("head > title")].map(({ textContent }) => textContent),
    canonical: all("link[rel=canonical]", "href"),
    alternates: all("link[rel=alternate]", "href"),
    description: one("description") ?? "",
    robots: one("robots"),
    openGraph: ["title", "description", "url", "type", "site_name"].map((name) =>
      one(`og:${name}`),
    ),
    image: one("og:image") ?? "",
    imageSize: [one("og:image:width"), one("og:image:height")],
    twitter: ["card", "title", "description", "image"].map((name) => one(`twitter:${name}`)),
    jsonLd: [...document.querySelectorAll("script[type='application/ld+json']")].map(
      ({ textContent }) => JSON.parse(textContent),
    ),
    images: [...document.querySelectorAll("img")].map((image) =>
      Object.fromEntries([...image.attributes].map(({ name, value }) => [name, value])),
    ),
    text: document.querySelector("main")?.textContent,
    headings: [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(({ tagName }) =>
      Number(tagName.slice(1)),
    ),
  };
}

test("the HTML of every public page is complete, with its title, description, addresses, images and JSON-LD", {
  timeout: 60_000,
}, async () => {
  const paths = publicPages(defaultSite).map(({ path }) => path);
  expect(paths.filter((path) => !(path in titles))).toEqual([]);
  const descriptions = new Set<string>();
  for (const [path, title] of Object.entries(titles)) {
    const head = await read(path);
    const { description, image } = head;
    const url = siteUrl + path;
    const type = /^\/blog\/[^/]+$/.test(path) ? "article" : "website";
    expect(head).toMatchObject({
      language: "en",
      titles: [title],
      canonical: [url],
      alternates: ["/rss.xml", "/atom.xml"],
      openGraph: [title, description, url, type, firm.name],
      twitter: ["summary_large_image", title, description, image],
      imageSize: ["1200", "630"],
    });
    expect(description.length).toBeGreaterThan(50);
    expect(description.length).toBeLessThanOrEqual(170);
    descriptions.add(description);
    expect(head.robots).not.toContain("noindex");

    const skipped = head.headings.filter(
      (level, index) => level > (head.headings[index - 1] ?? 0) + 1,
    );
    expect(skipped, `headings ${head.headings}`).toEqual([]);
    expect(head.headings.filter((level) => level === 1)).toHaveLength(1);

    const file = await fetch(image);
    expect(file.headers.get("content-type")).toBe("image/png");
    const bytes = Buffer.from(await file.arrayBuffer());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);

    expect(head.text).not.toMatch(/Loading/);
    for (const { src, width, height } of head.images) {
      expect((await fetch(new URL(src ?? "", siteUrl))).status, src ?? "").toBe(200);
      expect([width, height]).toEqual([
        expect.stringMatching(/^\d+$/),
        expect.stringMatching(/^\d+$/),
      ]);
    }

    expect(head.jsonLd).toHaveLength(1);
    expect(findProblems(head.jsonLd[0])).toEqual([]);
    expect(JSON.stringify(head.jsonLd)).not.toMatch(/AggregateRating|reviewRating/);
    const nodes: { "@type": string }[] = head.jsonLd[0]["@graph"];
    const types = nodes.map((node) => node["@type"]);
    if (path in typesOf) expect(types).toEqual(typesOf[path]);
    if (path === "/services") expect(types.filter((node) => node === "Service")).toHaveLength(7);
  }
  // The largest image of the first screen alone.
  const urgent = (await read("/")).images.filter(({ loading }) => loading !== "lazy");
  expect(urgent).toEqual([expect.objectContaining({ fetchpriority: "high" })]);
  expect(descriptions.size).toBe(Object.keys(titles).length);
});

test("pages that are not public are excluded from search engines", async () => {
  const sitemap = (await open("/sitemap.xml")).html;
  for (const path of [
    ...["/login", "/forgot-password", "/confirm", "/blog/new", "/nothing-here"],
    "/blog/a-policy-loan-step-by-step/edit",
  ]) {
    const { robots, canonical } = await read(path);
    expect({ path, robots, canonical }).toEqual({ path, robots: "noindex", canonical: [] });
    expect(sitemap).not.toContain(`${path}<`);
  }
});

test("no request header changes a page's addresses", async () => {
  const { hostname, port } = new URL(siteUrl);
  const host = "evil.example";
  const headers = {
    ...{ host, "x-forwarded-host": host, "x-forwarded-proto": "https", forwarded: `host=${host}` },
  };
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
    expect(text).toContain(siteUrl);
    expect(text).not.toContain(host);
  }
});

test("each page of a list is its own canonical page, whatever query requested it", async () => {
  for (const list of ["/blog", "/testimonials"]) {
    const canonical = async (query: string) =>
      (await read(list + query)).canonical[0]?.replace(siteUrl, "");
    expect(await canonical("?page=1")).toBe(list);
    expect(await canonical("?page=zero&utm_source=mail")).toBe(list);
    expect(await canonical("?utm_source=mail&page=02")).toBe(`${list}?page=2`);
    expect((await open(`${list}?page=99999`)).status).toBe(404);
  }
});

test("robots.txt allows all crawlers, and the sitemap lists the public pages and the posts", async () => {
  const { headers, html } = await open("/robots.txt");
  expect(headers.get("content-type")).toContain("text/plain");
  const lines = html.trim().split("\n");
  expect(lines).toEqual(["User-agent: *", "Allow: /", "", `Sitemap: ${siteUrl}/sitemap.xml`]);

  const sitemap = (await open("/sitemap.xml")).html;
  const addresses = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
  expect(addresses).toEqual(expect.arrayContaining(Object.keys(titles).map((p) => siteUrl + p)));
  expect(new Set(addresses).size).toBe(addresses.length);
});

test("the feeds hold the full newest posts, newest first, and their own address", async () => {
  const content = [
    { type: "paragraph", text: "The first paragraph." },
    { type: "paragraph", text: "The last paragraph." },
  ];
  const { slug, ...post } = newPost({ category: "Taxes", content });
  await owner
    .from("posts")
    .insert({ slug, ...post })
    .throwOnError();
  for (const [path, type] of [
    ["/rss.xml", "application/rss+xml"],
    ["/atom.xml", "application/atom+xml"],
  ] as const) {
    const { headers, html } = await open(path);
    expect(headers.get("content-type")).toBe(`${type}; charset=utf-8`);
    const [head = "", ...items] = html.split(/<(?:item|entry)>/);
    expect(head).toContain(`href="${siteUrl}${path}"`);
    expect(items.length).toBeGreaterThan(5);
    expect(items.length).toBeLessThanOrEqual(20);
    const ids = items.map((item) => /urn:uuid:[0-9a-f-]{36}/.exec(item)?.[0]);
    expect(new Set(ids).size).toBe(items.length);
    expect(items[0]).toContain(`${siteUrl}/blog/${slug}`);
    expect(items[0]).toContain(`${siteUrl}/blog/category/taxes`);
    expect(items[0]).toMatch(/The first paragraph\.[\s\S]*The last paragraph\./);
  }
});

test("a former address of a post redirects with 301 to the current one", async () => {
  const post = newPost();
  await owner.from("posts").insert(post).throwOnError();
  const slug = `new-${post.slug}`;
  await owner.from("posts").update({ slug }).eq("id", post.id).throwOnError();

  const former = await open(`/blog/${post.slug}?utm_source=mail`, { redirect: "manual" });
  expect(former.status).toBe(301);
  expect(former.headers.get("location")).toBe(`/blog/${slug}?utm_source=mail`);
  const imageFile = await open(`/share/blog/${post.slug}.png`);
  expect([imageFile.status, imageFile.path]).toEqual([200, `/share/blog/${slug}.png`]);

  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  const deleted = await open(`/blog/${slug}`, { redirect: "manual" });
  expect(deleted.headers.get("location")).toBe("/blog");
});

test("share images exist for existing pages only, and only the current version is cached for long", async () => {
  for (const path of [
    ...["/share/Buy%20now.png", "/share/login.png", "/share/blog/new.png"],
    ...["/share/blog/no-such-post.png", "/share/blog/category/none.png"],
    ...["/share/blog/a-policy-loan-step-by-step", "/share/services/none.png"],
  ]) {
    expect((await open(path)).status, path).toBe(404);
  }
  const { image } = await read("/blog/a-policy-loan-step-by-step");
  const newest = await fetch(image);
  expect(newest.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const other = await fetch(image.replace(/t=\d+/, "t=1"));
  expect(other.headers.get("cache-control")).toBe("public, max-age=300");
});
