// The effects of the page cache and of the Content-Security-Policy that visitors notice.
import { expect, openPage, test } from "./test.ts";

test("a change is on every page, feed and sitemap at the next request", async ({
  request,
  rows,
  owner,
}) => {
  const read = async (path: string) => (await request.get(path)).text();
  const slug = `before-${crypto.randomUUID()}`;
  const fresh = slug.replace("before", "after");
  const lists = ["/blog", "/", "/rss.xml", "/atom.xml", "/sitemap.xml"];
  await rows.addPost({ slug, title: slug, category: "Taxes" });
  for (const path of [`/blog/${slug}`, ...lists]) expect(await read(path)).toContain(slug);

  const change = { slug: fresh, title: fresh, updated_at: new Date().toISOString() };
  await owner.from("posts").update(change).eq("slug", slug).throwOnError();
  for (const path of [`/blog/${fresh}`, ...lists]) {
    const html = await read(path);
    expect(html, path).toContain(fresh);
    expect(html, path).not.toContain(slug);
  }
  await owner.from("posts").delete().eq("slug", fresh).throwOnError();
  for (const path of lists) expect(await read(path)).not.toContain(fresh);

  const name = `Visitor ${crypto.randomUUID()}`;
  await rows.addTestimonial({ name, content: "Was it worth the wait?", rating: 5 });
  for (const path of ["/testimonials", "/"]) expect(await read(path)).toContain(name);
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

test.describe("a script injected into a page", () => {
  test.use({ expectedErrors: /Content Security Policy/ });

  test("does not run", async ({ page }) => {
    await openPage(page, "/");
    const ran = await page.evaluate(async () => {
      const smuggled = document.createElement("script");
      smuggled.textContent = "window.smuggled = true";
      const handler = document.createElement("img");
      handler.setAttribute("onerror", "window.smuggled = true");
      const failed = new Promise((resolve) => handler.addEventListener("error", resolve));
      handler.src = "data:,";
      document.body.append(smuggled, handler);
      await failed;
      return "smuggled" in window;
    });
    expect(ran).toBe(false);
  });
});
