// The content of the fixed pages, and navigation between them.
import { brotliCompressSync } from "node:zlib";
import { travelSize } from "../built-page.ts";
import { byteBudgets } from "../byte-budgets.ts";
import { defaultSite } from "../default-site.ts";
import { findingsOf } from "./access/axe.ts";
import { delayReads, expect, navigate, openPage, test } from "./test.ts";

const { firm, adviser, contact: contactDetails, services } = defaultSite;

test("the home page has its sections in order, with their texts and links", async ({ page }) => {
  await page.goto("/");

  await test.step("the hero and 'about'", async () => {
    await expect(page.getByText(`I'm ${adviser.name}.`)).toBeVisible();
    const book = page.getByRole("link", { name: "Book Your Private Consultation" });
    await expect(book).toHaveAttribute("href", contactDetails.schedulingUrl);
    await expect(book).toHaveAttribute("target", "_blank");
    await expect(book).toHaveAttribute("rel", /noopener/);
    await expect(book).toHaveAccessibleName(/opens in a new tab/);
    // In the first screen, without scrolling.
    for (const place of [page.getByRole("banner"), page.getByRole("main")]) {
      const phone = place.getByRole("link", { name: contactDetails.phone }).first();
      await expect(phone).toBeInViewport({ ratio: 1 });
      await expect(phone).toHaveAttribute("href", "tel:+15035550142");
    }
    const about = page.locator("#about");
    await expect(about.getByRole("heading")).toHaveText(`A Message from ${adviser.name}`);
    await expect(about.getByRole("img", { name: new RegExp(adviser.name) })).toBeVisible();
    await expect(about.getByRole("paragraph")).toHaveCount(2);
    await expect(about.getByRole("listitem")).toHaveText([
      "Personalized Financial Strategies",
      "Dedicated Client-First Approach",
      "Long-Term Security & Growth Planning",
    ]);
  });

  await test.step("the order", async () => {
    const sections = [
      page.getByRole("heading", { level: 1, name: "Welcome to Your Financial Future" }),
      page.locator("#about"),
      page.locator("#services").getByRole("heading", { name: "My Services", exact: true }),
      page.getByRole("region", { name: "Client testimonials" }),
      page.getByRole("region", { name: "Articles" }),
      page.locator("#contact"),
      page.getByRole("contentinfo"),
    ];
    const boxes = await Promise.all(sections.map((section) => section.boundingBox()));
    const tops = boxes.map((box) => box?.y ?? Number.NaN);
    expect(tops).not.toContain(Number.NaN);
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  });

  await test.step("services, testimonials and contact details", async () => {
    const cards = page.locator("#services").getByRole("listitem");
    await expect(cards).toHaveCount(services.length);
    const names = page.getByRole("region", { name: "Client testimonials" }).locator("figcaption");
    await expect(names).toHaveCount(10);
    await expect(names.first()).toContainText("Marisol & Dean Okafor");
    const contact = page.locator("#contact");
    const address = contact.getByRole("link", { name: contactDetails.street });
    await expect(address).toHaveAttribute("href", /^https:\/\/www\.google\.com\/maps\/search\/\?/);
    await expect(address).toHaveAttribute("target", "_blank");
    const phone = contact.getByRole("link", { name: "(503) 555-0142" });
    await expect(phone).toHaveAttribute("href", "tel:+15035550142");
    const mail = contact.getByRole("link", { name: contactDetails.email });
    await expect(mail).toHaveAttribute("href", `mailto:${contactDetails.email}`);
    await page.getByRole("link", { name: "View All Stories & Leave a Review" }).click();
    await expect(page).toHaveURL("/testimonials");
  });
});

test("'Loading testimonials...' shows beside the samples while stored ones load, and never over them", {
  tag: "@long",
}, async ({ page }) => {
  await openPage(page, "/services");
  let release = await delayReads(page, "testimonials");
  await page.getByRole("link", { name: firm.name }).first().click();
  const carousel = page.getByRole("region", { name: "Client testimonials" });
  await expect(page.getByText("Loading testimonials...")).toBeVisible();
  await expect(carousel).toContainText("Marisol & Dean Okafor");
  release();
  await expect(page.getByText("Loading testimonials...")).toHaveCount(0);
  await expect(carousel.locator("figcaption")).toHaveCount(10);
  await page.unrouteAll({ behavior: "wait" });

  release = await delayReads(page, "*");
  const refetch = page.waitForRequest("**/rest/v1/testimonials?*");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await refetch;
  await expect(carousel.locator("figcaption")).toHaveCount(10);
  await expect(page.getByText(/^Loading (testimonials|articles)/)).toHaveCount(0);
  release();
});

test("an unknown service or post and a former address redirect, and replace the history entry", async ({
  page,
  rows,
  owner,
}) => {
  const old = `old-name-${crypto.randomUUID()}`;
  const slug = old.replace("old", "new");
  await rows.addPost({ slug: old, title: "The same article", category: "Taxes" });
  await owner.from("posts").update({ slug }).eq("slug", old).throwOnError();
  await openPage(page, "/contact");
  for (const [path, target] of [
    ["/services/constructor", "/"],
    ["/blog/unknown", "/blog"],
    [`/blog/${old}`, `/blog/${slug}`],
  ] as const) {
    await navigate(page, path);
    await expect(page).toHaveURL(target);
    await page.goBack();
    await expect(page).toHaveURL("/contact");
  }
  await owner.from("posts").delete().eq("slug", slug).throwOnError();
});

test("the header navigates the site and Back returns, each with its title, tab and scroll position", async ({
  page,
}) => {
  await openPage(page, "/");
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  const stops = [
    ["Services", "/services", /^Our Financial Services/],
    ["Testimonials", "/testimonials", /^Client Success Stories/],
    ["Blog", "/blog", /^Blog/],
    ["Savings Calculator", "/savings-calculator", /^Savings Calculator/],
    ["Contact", "/contact", /^Contact/],
    ["Home", "/", /^Life Insurance/],
  ] as const;
  const header = page.getByRole("banner");
  for (const [name, path, title] of stops) {
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await header.getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(path);
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.locator("title")).toHaveCount(1);
    await expect(header.locator("[aria-current=page]:visible")).toHaveText([name]);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  }
  for (const [, path, title] of stops.slice(0, -1).reverse()) {
    await page.goBack();
    await expect(page).toHaveURL(path);
    await expect(page).toHaveTitle(title);
  }
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

test("a first visit to the home page stays within its byte budgets", { tag: "@long" }, async ({
  page,
}) => {
  await page.addInitScript(() => {
    addEventListener("hydrated", () => {
      const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
      Object.assign(window, { loadedWhenHydrated: loaded });
    });
  });
  const listening = page.waitForEvent("websocket");
  const response = await openPage(page, "/");
  const html = (await response?.body()) ?? "";
  expect(brotliCompressSync(html).length).toBeLessThanOrEqual(byteBudgets.html);
  const loaded = await page.evaluate(
    () => (window as unknown as { loadedWhenHydrated: string[] }).loadedWhenHydrated,
  );
  const assets = (urls: string[], ending: string) =>
    urls
      .map((url) => new URL(url).pathname)
      .filter((path) => path.startsWith("/assets/") && path.endsWith(ending))
      .map((path) => path.replace("/assets/", ""));
  const sizeOf = (names: string[]) => names.reduce((total, name) => total + travelSize(name), 0);
  const size = (ending: string) => sizeOf(assets(loaded, ending));
  expect(size(".js")).toBeGreaterThan(0);
  expect(size(".js")).toBeLessThanOrEqual(byteBudgets.scripts);
  expect(size(".css")).toBeLessThanOrEqual(byteBudgets.styles);
  expect(size(".woff2")).toBeLessThanOrEqual(byteBudgets.fonts);
  const preloaded = await page.locator("link[rel=preload][as=font]").count();
  const used = await page.evaluate(async () => {
    const fonts = await document.fonts.ready;
    return [...fonts].filter(({ status }) => status === "loaded").length;
  });
  expect(preloaded).toBeGreaterThan(0);
  expect(used).toBeGreaterThanOrEqual(preloaded);

  await page.getByRole("region", { name: "Articles" }).scrollIntoViewIfNeeded();
  await listening;
  for (const name of ["Client testimonials", "Articles"]) {
    await expect(page.getByRole("region", { name }).locator("div").first()).toHaveCSS(
      "overflow-x",
      "hidden",
    );
  }
  const all = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => name),
  );
  const scripts = assets(all, ".js");
  expect(scripts.some((name) => name.startsWith("visitor-client-"))).toBe(true);
  expect(scripts.some((name) => name.startsWith("create-browser-client-"))).toBe(false);
  expect(sizeOf(scripts)).toBeLessThanOrEqual(byteBudgets.allScripts);
  expect(scripts.length).toBeLessThanOrEqual(byteBudgets.scriptRequests);
});

test("pages with numbers and dates hydrate without Intl, whose first use takes a cheap phone 150 ms", {
  tag: "@long",
}, async ({ page }) => {
  await page.addInitScript(() => {
    const used: string[] = [];
    const watch = <T extends typeof Intl.NumberFormat | typeof Intl.DateTimeFormat>(format: T) =>
      new Proxy(format, {
        construct(target, parameters) {
          used.push(target.name);
          return Reflect.construct(target, parameters);
        },
      });
    Intl.NumberFormat = watch(Intl.NumberFormat);
    Intl.DateTimeFormat = watch(Intl.DateTimeFormat);
    Object.assign(window, { used });
  });
  for (const path of ["/", "/blog"]) {
    await openPage(page, path);
    await expect(page.locator("time").first()).toHaveText(/^[A-Z][a-z]+ \d+, \d{4}$/);
    expect(await page.evaluate(() => Reflect.get(window, "used"))).toEqual([]);
  }
});

test("the next page opens at once, with the heading that its link knows, while its text loads", {
  tag: "@long",
}, async ({ page }) => {
  const listening = page.waitForEvent("websocket");
  await openPage(page, "/");
  await listening;
  await page.route(/\/assets\/|\.data/, () => {});
  const heading = page.getByRole("heading", { level: 1 });
  await page.getByRole("banner").getByRole("link", { name: "Services" }).click();
  await expect(heading).toHaveText("My Services");
  await page.getByRole("main").getByRole("link", { name: "Estate Planning" }).click();
  await expect(page.getByText("Loading service...")).toBeVisible();
  const service = services.find(({ slug }) => slug === "estate-planning");
  await expect(heading).toHaveText(service?.title ?? "");
  await expect(page).toHaveTitle(new RegExp(`^${service?.title} \\| `));
  await page.getByRole("banner").getByRole("link", { name: "Contact", exact: true }).click();
  await expect(heading).toHaveText("Get in Touch");
});

test.describe("what fails", () => {
  test.use({ expectedErrors: /Failed to (load resource|fetch)|^Object$/ });

  test("a failed navigation shows the fallback page with the error's text, and the home page opens without the server", {
    tag: "@long",
  }, async ({ page }) => {
    await openPage(page, "/services");
    const styles = await page.locator("link[rel=stylesheet]").elementHandle();
    await page.route(/\.data(\?|$)/, (route) => route.abort());
    await page.getByRole("main").getByRole("link", { name: "Estate Planning" }).click();
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText(
      "Unexpected Application Error!",
    );
    await expect(page).toHaveTitle("Unexpected Application Error!");
    await expect(main).toContainText("Failed to fetch");
    // A new link loads again, and the page is without styles until then.
    expect(await styles?.evaluate((link) => link.isConnected)).toBe(true);
    await expect(page.getByRole("contentinfo")).toBeVisible();
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole("banner").getByRole("link", { name: "Home", exact: true }).click();
    await expect(page.getByRole("heading", { name: "A Message from" })).toBeVisible();
    await expect(page.getByRole("contentinfo")).toContainText("Life Insurance");
  });
});
