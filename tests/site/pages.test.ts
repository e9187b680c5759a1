// Pages as the server sends them: their HTML, their links, and what they show after a change.
import { randomUUID } from "node:crypto";
import type { Element } from "happy-dom";
import { HtmlValidate } from "html-validate";
import { expect, test } from "vitest";
import { defaultSite } from "../default-site.ts";
import { newPost } from "../post-calls.ts";
import { png } from "../small-files.ts";
import { find, named, type Page, setUpSite, textOf } from "./site.ts";

const { owner, visitor, open } = await setUpSite();
const validator = new HtmlValidate({ root: true, extends: ["html-validate:standard"] });
const { firm, services } = defaultSite;

function heading({ document }: Page): string {
  return textOf(find(document, "h1"));
}

function follow(link: Element): Promise<Page> {
  return open(link.getAttribute("href") ?? "");
}

async function errorsOf({ headers, html }: Page): Promise<string[]> {
  expect(headers.get("content-type")).toContain("text/html");
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId} at ${selector}: ${message}`),
  );
}

test("every served page is valid HTML", { tags: "long" }, async () => {
  const sitemap = (await open("/sitemap.xml")).html;
  const others = ["/login", "/forgot-password", "/confirm", "/blog/new", "/no-such-page"];
  const listed = [...sitemap.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(
    ([, path]) => path || "/",
  );
  expect(listed).toContain("/services/life-insurance");
  for (const path of [...listed, ...others, "/contact?sent"]) {
    expect(await errorsOf(await open(path)), path).toEqual([]);
  }
});

test("the response to a form posted without JavaScript is valid HTML", async () => {
  for (const [path, form] of [
    ["/contact", { name: 'A" <b>', email: "", message: "" }],
    ["/savings-calculator", { calculator: "coverage" }],
    ["/savings-calculator", { calculator: "retirement" }],
  ] as const) {
    const response = await open(path, { method: "POST", body: new URLSearchParams(form) });
    expect(await errorsOf(response), path).toEqual([]);
  }
});

test("the whole site can be read by following its links", async () => {
  let page = await open("/");
  expect(page.document.querySelector("#testimonials blockquote")).not.toBeNull();
  for (const [link, title] of [
    ["Services", "My Services"],
    ["Testimonials", "Client Success Stories"],
    ["Contact", "Get in Touch"],
    ["Blog", "Financial insights and strategies"],
  ] as const) {
    page = await follow(named(find(page.document, "header"), "details a", link));
    expect(heading(page)).toBe(title);
  }
  page = await follow(find(page.document, "article a[href='/blog/a-policy-loan-step-by-step']"));
  expect(page.document.querySelector("blockquote")).not.toBeNull();
  page = await follow(find(page.document, "aside li a"));
  expect(page.path).toMatch(/^\/services\/./);
  page = await follow(named(page.document, "main a", "All Services"));
  const cards = [...find(page.document, "main").querySelectorAll("li")];
  expect(cards.map((card) => textOf(find(card, "h2, h3")))).toEqual(
    services.map(({ cardTitle }) => cardTitle),
  );
  for (const [index, { slug, title }] of services.entries()) {
    const card = cards[index];
    if (!card) throw new Error("A service has no card");
    expect(textOf(find(card, "p"))).toMatch(/\w{3}/);
    expect(card.querySelector("svg")).not.toBeNull();
    const service = await follow(find(card, "a"));
    expect([service.path, heading(service)]).toEqual([`/services/${slug}`, title]);
    const main = find(service.document, "main");
    expect(main.querySelector("header svg")).not.toBeNull();
    expect(textOf(find(main, "header p"))).toMatch(/\w{3}/);
    expect(main.querySelectorAll("h2").length).toBeGreaterThanOrEqual(3);
    expect(main.querySelectorAll("li").length).toBeGreaterThanOrEqual(3);
    const schedule = [...main.querySelectorAll("a")].find((link) =>
      textOf(link).startsWith("Schedule a Consultation"),
    );
    expect(schedule?.getAttribute("target")).toBe("_blank");
    expect(schedule?.getAttribute("rel")).toContain("noopener");
  }
  const testimonials = named(find(page.document, "footer"), "a", "Testimonials");
  expect(testimonials.getAttribute("href")).toBe("/#testimonials");
});

test("a search has pages, and a visitor reaches a category, its neighbors and the blog", async () => {
  const word = `quagga${randomUUID().slice(0, 8)}`;
  const posts = Array.from({ length: 26 }, (_, index) =>
    newPost({
      slug: `${word}-${index}`,
      title: `${word} number ${index}`,
      category: `Kept ${word}`,
    }),
  );
  await owner.from("posts").insert(posts).throwOnError();
  const { document } = await open("/blog");
  const search = find(document, "search form");
  const field = find(search, "input[type=search]").getAttribute("name");
  let page = await open(`${search.getAttribute("action")}?${field}=${word}`);
  expect(textOf(find(page.document, "main [role=status]"))).toBe(`26 articles found for “${word}”`);
  page = await follow(named(page.document, "a", "Older articles"));
  expect(page.path).toBe(`/blog?q=${word}&page=2`);
  expect(find(page.document, "input[type=search]").getAttribute("value")).toBe(word);
  expect(page.document.querySelectorAll("article")).toHaveLength(2);

  page = await follow(find(page.document, `article a[href='/blog/${word}-1']`));
  expect(textOf(find(page.document, "nav [rel=prev]"))).toBe(`Newer article${word} number 2`);
  page = await follow(find(page.document, "nav [rel=next]"));
  expect(heading(page)).toBe(`${word} number 0`);

  page = await follow(named(page.document, "a", `Kept ${word}`));
  expect([page.path, heading(page)]).toEqual([`/blog/category/kept-${word}`, `Kept ${word}`]);
  expect(textOf(find(page.document, "main"))).toContain("26 articles");
  page = await follow(named(page.document, "a", "Older articles"));
  expect(page.path).toBe(`/blog/category/kept-${word}?page=2`);
  expect(page.document.querySelectorAll("article")).toHaveLength(1);

  page = await open("/blog/category/no-such-category");
  expect(page.status).toBe(404);
  expect(named(page.document, "main a", "All articles").getAttribute("href")).toBe("/blog");
});

test("an unknown address responds with 404 and links back", async () => {
  for (const path of ["/nothing-here", "/services/life-insurance/more", "/blogging"]) {
    const { status, document } = await open(path);
    expect(status).toBe(404);
    expect(document.title).toBe(`Page not found | ${firm.name}`);
    expect(find(document, "meta[name=robots]").getAttribute("content")).toBe("noindex");
    expect(named(document, "main a", "Return to Home").getAttribute("href")).toBe("/");
  }
  const { document } = await open("/blogging");
  expect(document.querySelectorAll("[aria-current=page]")).toHaveLength(0);
});

test("an unknown service or post redirects", async () => {
  for (const [path, target] of [
    ["/services/constructor", "/"],
    ["/blog/unknown", "/blog"],
  ] as const) {
    const { status, headers } = await open(path, { redirect: "manual" });
    expect([status, headers.get("location")]).toEqual([302, target]);
  }
});

test("a change is on every page, feed and sitemap at the next request", {
  timeout: 60_000,
}, async () => {
  const read = async (path: string) => (await open(path)).html;
  const slug = `before-${randomUUID()}`;
  const fresh = slug.replace("before", "after");
  const lists = ["/blog", "/", "/rss.xml", "/atom.xml", "/sitemap.xml"];
  const post = newPost({ slug, title: slug });
  await owner.from("posts").insert(post).throwOnError();
  for (const path of [`/blog/${slug}`, ...lists]) expect(await read(path)).toContain(slug);

  const change = { slug: fresh, title: fresh, updated_at: new Date().toISOString() };
  await owner.from("posts").update(change).eq("id", post.id).throwOnError();
  for (const path of [`/blog/${fresh}`, ...lists]) {
    const html = await read(path);
    expect(html, path).toContain(fresh);
    expect(html, path).not.toContain(slug);
  }
  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  for (const path of lists) expect(await read(path)).not.toContain(fresh);

  const name = `Visitor ${randomUUID()}`;
  const testimonial = { name, content: "Was it worth the wait?", rating: 5 };
  await visitor.from("testimonials").insert(testimonial).throwOnError();
  for (const path of ["/testimonials", "/"]) expect(await read(path)).toContain(name);
});

test("a search that anyone makes up is neither cached nor indexed", async () => {
  const { status, headers, html } = await open('/blog?q="><script>%00');
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("private, no-cache");
  expect(headers.get("cache-status")).toBeNull();
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).toMatch(/<link rel="canonical" href="[^"]+\/blog"\/>/);
  expect(html).not.toContain('"><script>');
  expect((await open(`/blog?q=${"a".repeat(10_000)}`)).status).toBe(414);
});

test("the scaled image of a deleted post goes with the original, and comes back with it", async () => {
  const name = `public/${randomUUID()}.png`;
  const images = owner.storage.from("images");
  const { error } = await images.upload(name, png, { contentType: "image/png" });
  expect(error).toBeNull();
  const scaled = async () =>
    (await open(`/images/320/uploads/${name.replace("public/", "")}?t=1`)).status;
  expect(await scaled()).toBe(200);
  await images.move(name, name, { destinationBucket: "deleted-images" });
  expect(await scaled()).toBe(404);
  await owner.storage.from("deleted-images").move(name, name, { destinationBucket: "images" });
  expect(await scaled()).toBe(200);
  await images.remove([name]);
  expect(await scaled()).toBe(404);
});
