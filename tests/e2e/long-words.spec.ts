import type { Page } from "@playwright/test";
import { longWord, longWordSettings } from "../long-words.ts";
import { publishSettings } from "../other-firm.ts";
import { ownSiteTest } from "./own-site.ts";
import { expect } from "./test.ts";

const test = ownSiteTest();

test.use({
  expectedErrors: /status of 404/,
  // Another environment than that of other files, so a site that no other file uses.
  siteEnvironment: { CONTACT_TO: "long@words.example" },
});

const widths = [320, 390, 820, 1280];

test("every page fits its width and shows whole texts, with and without scripts, whatever words the owner writes", {
  tag: "@long",
}, async ({ page, browser, baseURL, owner, rows }) => {
  const pages = ["/", "/services", "/testimonials", "/blog", "/savings-calculator", "/contact"];
  await test.step("common words stay whole", async () => {
    for (const path of [...pages, "/blog/a-policy-loan-step-by-step", "/services/life-insurance"]) {
      await page.setViewportSize({ width: 320, height: 800 });
      await page.goto(path);
      expect(await brokenWordsOf(page), path).toEqual([]);
    }
  });

  const settings = longWordSettings();
  settings.testimonials.approveFirst = false;
  const [service] = settings.services.items;
  const slug = "long-words";
  await publishSettings(owner, settings);
  await rows.addPost({
    slug,
    title: longWord,
    category: longWord,
    author: longWord,
    tagline: longWord,
    content: [{ type: "paragraph", text: longWord.repeat(4) }],
    related_services: [{ slug: service?.slug, title: longWord, href: "/services" }],
  });
  await rows.addTestimonial({
    name: longWord,
    role: longWord,
    content: `${longWord.repeat(4)} ${"She counted every dollar with us. ".repeat(30)}`,
    ...{ relationship: "client", compensation: "given", connection: "none" },
    compensation_details: longWord,
    consent: settings.testimonials.consent,
  });
  const plain = await browser.newPage({ javaScriptEnabled: false, baseURL });
  const others = [`/services/${service?.slug}`, `/blog/${slug}`, "/login", "/nothing-here"];
  for (const [reader, paths] of [
    [page, [...pages, ...others]],
    [plain, ["/", "/testimonials"]],
  ] as const) {
    for (const path of paths) {
      await reader.goto(path);
      for (const width of widths) {
        await reader.setViewportSize({ width, height: 256 });
        expect(await cutElementsOf(reader), `${path} at ${width} pixels`).toEqual([]);
      }
    }
  }
  await plain.close();

  await test.step("in a low window, as at 400 % zoom, the header scrolls away", async () => {
    await page.goto("/services");
    await page.mouse.wheel(0, 600);
    await expect(page.getByRole("banner")).not.toBeInViewport();
  });
});

/** The elements that leave the window at its right, or that hide a part of their content. */
function cutElementsOf(page: Page): Promise<string[]> {
  return page.locator("html").evaluate((html) => {
    const width = html.clientWidth;
    const scrolls = html.scrollWidth > width ? ["The page scrolls sideways"] : [];
    const cut = [...html.querySelectorAll<HTMLElement>("body *")].filter((element) => {
      // These rows scroll.
      if (element.closest(".sr-only, [data-slides], nav[aria-label='Categories']")) return false;
      if (!element.checkVisibility()) return false;
      const hidden = getComputedStyle(element).overflowX === "hidden";
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      return (
        element.getBoundingClientRect().right > width + 1 ||
        (hidden && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1))
      );
    });
    return [...scrolls, ...cut.map((element) => element.outerHTML.slice(0, 200))];
  });
}

/** The words of up to 12 letters that are broken into lines. */
function brokenWordsOf(page: Page): Promise<string[]> {
  return page.locator("body").evaluate((body) => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      if (!text.parentElement?.checkVisibility()) continue;
      for (const { index, 0: word } of (text.textContent ?? "").matchAll(/[\p{L}\d$,.]+/gu)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (word.length <= 12 && lines.size > 1) broken.push(word);
      }
    }
    return broken;
  });
}
