import { expect, openPage, test } from "./test.ts";

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a page that is opened again shows the changes made since", async ({ page, rows }) => {
    const name = `Visitor ${crypto.randomUUID()}`;
    await page.goto("/testimonials");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await rows.addTestimonial({ name, content: "Was it worth the wait?", rating: 5 });
    await page.goto("/contact");
    await page.goto("/testimonials");
    await expect(page.getByText(name)).toBeVisible();
  });
});

test("an edit invalidates the cached pages before the next visitor's request", async ({
  request,
  rows,
  owner,
}) => {
  const slug = `kept-${crypto.randomUUID()}`;
  await rows.addPost({ slug, title: `Before ${slug}`, category: "Taxes" });
  for (const path of [`/blog/${slug}`, "/blog", "/"]) {
    expect(await (await request.get(path)).text()).toContain(`Before ${slug}`);
  }
  await owner
    .from("posts")
    .update({ title: `After ${slug}` })
    .eq("slug", slug);
  for (const path of [`/blog/${slug}`, "/blog", "/"]) {
    const html = await (await request.get(path)).text();
    expect(html).toContain(`After ${slug}`);
    expect(html).not.toContain(`Before ${slug}`);
  }
});

test("a cached page is served compressed", async ({ request }) => {
  const path = "/services/life-insurance";
  await request.get(path);
  const { br, gzip } = { br: await fetchEncoded("br"), gzip: await fetchEncoded("gzip") };
  expect(br["content-encoding"]).toBe("br");
  expect(gzip["content-encoding"]).toBe("gzip");
  expect(br["cache-status"]).toBe("site; hit");
  expect(br["cache-control"]).toContain("s-maxage=60, stale-while-revalidate=600");
  expect(br.etag).toBe(gzip.etag);
  const again = await request.get(path, { headers: { "if-none-match": br.etag ?? "" } });
  expect(again.status()).toBe(304);

  async function fetchEncoded(encoding: string) {
    return (await request.get(path, { headers: { "accept-encoding": encoding } })).headers();
  }
});

test("a forged Host header reaches no page", async ({ request }) => {
  const headers = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    forwarded: "host=evil.example",
  };
  for (const path of ["/", "/services/estate-planning", "/blog?page=2", "/no-such-page"]) {
    const first = await (await request.get(path, { headers })).text();
    const second = await (await request.get(path)).text();
    expect(first + second).not.toContain("evil.example");
  }
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

for (const path of ["/", "/blog", "/testimonials", "/contact", "/login", "/no-such-page"]) {
  test(`${path} sends its security headers`, async ({ request }) => {
    const headers = (await request.get(path)).headers();
    const policy = headers["content-security-policy"];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/]{43}=')+;/);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe/);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["permissions-policy"]).toContain("camera=()");
    expect(headers["set-cookie"]).toBeUndefined();
  });
}
