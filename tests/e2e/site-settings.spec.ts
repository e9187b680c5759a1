// Published settings and their effects on pages.
import type { FrameLocator, Page } from "@playwright/test";
import type { SupabaseClient } from "@supabase/supabase-js";
import sharp from "sharp";
import { defaultSettings } from "../../app/config/site.ts";
import { type SectionName, sectionSchemas } from "../../app/config/site-schema.ts";
import { otherFirm, publishSettings } from "../other-firm.ts";
import { testimonialAnswers } from "../testimonial-answers.ts";
import { findingsOf } from "./access/axe.ts";
import { followChanges } from "./follow-changes.ts";
import { fillContactForm, passFillTime } from "./forms.ts";
import { ownSiteTest } from "./own-site.ts";
import { logIn } from "./owner/owner.ts";
import { expect, layOutSections, openPage, waitForHydration } from "./test.ts";

const test = ownSiteTest();

test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|status of (400|409)|page has changed/ });

let owner: SupabaseClient;

test.beforeEach(({ owner: client }) => {
  owner = client;
});

/** Publishes a name that no earlier test used. */
async function publishName(name: string): Promise<void> {
  await publishSettings(owner, { firm: { ...defaultSettings.firm, name } });
}

test("open pages show a published change live, when the visitor returns, or through another window", async ({
  page,
  context,
}) => {
  const [live, other] = [await context.newPage(), await context.newPage()];
  const feed = followChanges(live);
  await live.goto("/");
  await feed.connected("public_site_settings");
  // Blocks the page's own comparisons of the version.
  await other.route("**/site-version", () => {});
  for (const window of [page, other]) {
    await window.goto("/services");
    await waitForHydration(window);
  }
  await publishName("Brightwater Live");
  await expect(live.getByRole("banner")).toContainText("Brightwater Live");
  await live.close();

  await publishName("Brightwater Windows");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  for (const window of [page, other]) {
    await expect(window.getByRole("banner")).toContainText("Brightwater Windows");
  }

  await context.setOffline(true);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My Services");
});

test("a blog without posts is in no menu and not in the sitemap; its first post brings it into cached pages", {
  tag: "@long",
}, async ({ page, rows, siteUrl }) => {
  await publishName("Brightwater Empty");
  await owner.from("posts").delete().neq("slug", "").throwOnError();
  const tabs = page.getByRole("navigation", { name: "Main" }).first();
  const read = async (path: string) => (await fetch(siteUrl + path)).text();
  await expect.poll(() => read("/")).not.toContain('href="/blog"');
  await openPage(page, "/");
  await expect(tabs.getByRole("link")).toHaveText([
    ...["Home", "Services", "Savings Calculator", "Contact"],
  ]);
  await expect(page.locator("#blog, #testimonials")).toHaveCount(0);
  expect(await read("/sitemap.xml")).not.toMatch(/\/(blog|testimonials)</);
  await openPage(page, "/testimonials");
  await expect(page.getByText("No reviews yet")).toBeVisible();
  const feed = followChanges(page);
  await openPage(page, "/blog");
  await expect(page.getByText("No articles yet")).toBeVisible();
  await feed.connected("public_site_settings");

  await rows.addPost({ slug: "first", title: "First", category: "Notes" });
  await expect(tabs.getByRole("link", { name: "Blog" })).toBeVisible();
  await expect.poll(() => read("/contact")).toContain('href="/blog"');
  await expect.poll(() => read("/sitemap.xml")).toMatch(/\/blog</);
  await openPage(page, "/blog/first");
  await expect(page).toHaveTitle("First | Brightwater Empty");
});

test("a page is light on every device until the owner offers a dark version, which the preview shows on a light one", {
  tag: "@long",
}, async ({ page }) => {
  const brightness = async (root: Page | FrameLocator) => {
    const { channels } = await sharp(await root.locator("main img").first().screenshot()).stats();
    return channels.reduce((sum, { mean }) => sum + mean, 0) / channels.length;
  };
  const paper = (root: Page | FrameLocator) =>
    root.locator("html").evaluate((html) => getComputedStyle(html).backgroundColor);
  const look = sectionSchemas.look.parse({});
  await publishSettings(owner, { look, home: defaultSettings.home });
  await page.emulateMedia({ colorScheme: "dark" });
  await openPage(page, "/");
  expect(await paper(page)).toBe("rgb(251, 248, 243)");
  const day = await brightness(page);

  await page.emulateMedia({ colorScheme: "light" });
  await logIn(page, "/manage/settings/look");
  await page.getByRole("radio", { name: "Follow the visitor's device" }).check();
  const preview = page.frameLocator('iframe[title^="Preview"]');
  await expect.poll(() => paper(preview)).toBe("rgb(251, 248, 243)");
  await page
    .getByRole("group", { name: "Version", exact: true })
    .getByRole("button", { name: "Dark" })
    .click();
  await expect.poll(() => paper(preview)).toBe("rgb(16, 22, 20)");
  await page.getByRole("button", { name: "Publish changes" }).click();
  await expect(page.getByText("Published").first()).toBeVisible();

  await page.goto("/");
  expect(await paper(page)).toBe("rgb(251, 248, 243)");
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await paper(page)).toBe("rgb(16, 22, 20)");
  expect(await brightness(page)).toBeLessThan(day - 30);
});

test("the owner puts the sections of the home page in another order, and preview, page and footer follow", {
  tag: "@long",
}, async ({ page, browser, baseURL }) => {
  await publishSettings(owner, { home: defaultSettings.home });
  const sections = ["#contact", "#about", "#services", "#approach"];
  const orderIn = (root: Page | FrameLocator) =>
    root
      .locator("main")
      .locator(sections.join())
      .evaluateAll((found) => found.map(({ id }) => `#${id}`));
  await logIn(page, "/manage/settings/home");
  const order = page.getByRole("group", { name: "Order on the home page" });
  const up = order.getByRole("button", { name: "Move Contact form up" });
  await expect(up).toBeVisible();
  for (let place = 6; place > 1; place--) await up.click();
  await expect(order.getByRole("status")).toHaveText("Contact form moved to place 1 of 6.");
  await expect(order.getByRole("button", { name: "Move Contact form down" })).toBeFocused();
  await expect.poll(() => orderIn(page.frameLocator('iframe[title^="Preview"]'))).toEqual(sections);
  await page.getByRole("button", { name: "Publish changes" }).click();

  const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const visitor = await context.newPage();
  await expect(async () => {
    await visitor.goto("/");
    expect(await orderIn(visitor)).toEqual(sections);
  }).toPass();
  const links = visitor.getByRole("contentinfo").getByRole("link");
  const names = (await links.allInnerTexts()).filter((name) =>
    /^(Contact|About|Services)$/.test(name),
  );
  expect(names).toEqual(["Contact", "About", "Services"]);
  await visitor.getByRole("contentinfo").getByRole("link", { name: "Services" }).click();
  await expect(visitor.locator("#services")).toBeInViewport();
  await context.close();
});

test("pages keep the line breaks of every setting that can have them", { tag: "@long" }, async ({
  page,
  rows,
}) => {
  const { sections, texts } = withLineBreaks();
  expect(texts.length).toBeGreaterThan(25);
  await publishSettings(owner, sections);
  await rows.addPost({ slug: "lines", title: "Lines", category: "Notes" });
  // Without any, the page has no notice about them.
  const answers = { ...testimonialAnswers, consent: sections.testimonials?.consent };
  await rows.addTestimonial({ name: "Ada", content: "Kind.", ...answers });
  const service = sections.services?.items.at(-1)?.slug;
  let shown = "";
  for (const path of [
    ...["/", "/services", `/services/${service}`, "/blog", "/blog/lines", "/testimonials"],
    ...["/contact", "/savings-calculator"],
  ]) {
    await openPage(page, path);
    // Shows the consent to calls.
    for (const phone of await page.getByLabel("Phone Number").all()) await phone.fill("1");
    // Shows the consent to publish.
    const review = page.getByRole("button", { name: "Leave a Review" });
    for (const button of await review.all()) await button.click();
    // Shows the assumptions of a result.
    const calculate = page.getByRole("button", { name: /^(Calculate|Project)/ });
    for (const button of await calculate.all()) await button.click();
    await layOutSections(page);
    shown += await page.locator("body").innerText();
  }
  expect(texts.filter((text) => !shown.includes(text))).toEqual([]);
});

test("both contact forms ask for the consent to calls once a phone number is typed, and without scripts", {
  tag: "@long",
}, async ({ page, browser, baseURL }) => {
  const wording = "You may call me\nat this number.";
  const disclosures = { ...defaultSettings.disclosures, callConsent: wording };
  await publishSettings(owner, { disclosures });
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const plain = await context.newPage();
  for (const [window, path] of [
    ...[[page, "/"] as const, [page, "/contact"] as const],
    ...[[plain, "/"] as const, [plain, "/contact"] as const],
  ]) {
    const name = `Ada ${crypto.randomUUID()}`;
    await window.goto(path);
    const box = window.getByRole("checkbox", { name: "You may call me at this number." });
    if (window === plain) await expect(box).toBeVisible();
    else {
      await waitForHydration(window);
      await expect(box).toBeHidden();
    }
    await fillContactForm(window, { name, phone: "555 0100" });
    await expect(box).not.toBeChecked();
    await box.check();
    // As if the page were older than the sentence. Not before: React restores the value at a change.
    await box.evaluate((input: HTMLInputElement) => {
      input.value = "You may not call me.";
    });
    await window.getByRole("button", { name: "Send Message" }).click();
    await expect(window.getByRole("main").getByRole("alert")).toHaveText(
      "The page has changed. Please reload it.",
    );
    await expect(window.getByLabel("Full Name")).toHaveValue(name);
    await expect(window.getByLabel("Your Message")).toHaveValue("Could we talk next week?");
    // Without scripts, the response is the page as it is now.
    if (window !== plain) {
      await window.reload();
      await waitForHydration(window);
      await passFillTime(window);
    }
    await expect(window.getByLabel("Full Name")).toHaveValue(name);
    await expect(box).not.toBeChecked();
    await box.check();
    await window.getByRole("button", { name: "Send Message" }).click();
    await expect(window.getByRole("main").getByText("Message Sent!").first()).toBeVisible();
    const { data } = await owner.from("consents").select("*").eq("kind", "calls");
    expect(data).toContainEqual(expect.objectContaining({ name, phone: "555 0100", wording }));
  }
  await context.close();
});

/** The settings that pages show, with two lines in every text whose schema allows them. */
function withLineBreaks() {
  const texts: string[] = [];
  const [service] = defaultSettings.services.items;
  const { mail: _, ...firm } = otherFirm;
  const { approachSteps } = defaultSettings.home;
  const start = {
    ...firm,
    pages: { ...firm.pages, hidden: [] },
    testimonials: { ...firm.testimonials, approveFirst: false },
    home: { ...firm.home, approachSteps, servicesLead: "-", contactLead: "-", hidden: [] },
    services: {
      ...firm.services,
      items: service ? [{ ...service, disclosure: "-" }] : [],
      redirects: [],
    },
  };

  /** @param accepts whether the section may have this value instead of `value` */
  function change(value: unknown, accepts: (changed: unknown) => boolean): unknown {
    if (Array.isArray(value)) {
      return value.map((entry, index) =>
        change(entry, (changed) => accepts(value.with(index, changed))),
      );
    }
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value).map(([name, entry]) => [
        name,
        change(entry, (changed) => accepts({ ...value, [name]: changed })),
      ]);
      return Object.fromEntries(entries);
    }
    const lines = `Line one of ${texts.length}\nLine two of ${texts.length}`;
    if (typeof value !== "string" || !value || !accepts(lines)) return value;
    texts.push(lines);
    return lines;
  }

  const entries = Object.entries(start).map(([section, document]) => {
    // The object has the keys of the settings.
    const schema = sectionSchemas[section as SectionName];
    return [section, change(document, (changed) => schema.safeParse(changed).success)];
  });
  const sections: Partial<typeof otherFirm> = Object.fromEntries(entries);
  return { sections, texts: texts.filter((text) => text !== sections.disclosures?.mails) };
}

test.describe("without samples", () => {
  test.use({ expectedErrors: /Failed to load resource|Loading testimonials failed/ });

  for (const [link, path] of [
    ["Testimonials", "/testimonials"],
    ["Home", "/"],
  ] as const) {
    test(`a failed read of the testimonials on ${path} is shown, can be retried and keeps what was shown`, {
      tag: "@long",
    }, async ({ page, rows, request }) => {
      await publishSettings(owner, {
        testimonials: { ...defaultSettings.testimonials, samples: false },
      });
      await rows.addTestimonial({ name: "Ada", content: "Kind." });
      // The menu has the page from the first review on, up to two seconds later.
      const services = async () => (await request.get("/services")).text();
      await expect.poll(services).toContain('href="/testimonials"');
      const fail = () =>
        page.route("**/rest/v1/testimonials?*", (route) =>
          route.fulfill({ status: 500, json: { message: "Out of order" } }),
        );
      const failure = page.getByText("The reviews can't be shown right now.");
      const reviews = page.locator("figure[aria-label^='Review by']");
      await openPage(page, "/services");
      await fail();
      await page.getByRole("banner").getByRole("link", { name: link, exact: true }).click();
      await expect(failure).toBeVisible();
      await expect(page.getByText("No reviews yet")).toHaveCount(0);

      await page.unrouteAll({ behavior: "wait" });
      await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
      await expect(reviews.first()).toBeVisible();
      await expect(failure).toHaveCount(0);

      await fail();
      const failed = page.waitForEvent("console", (line) =>
        line.text().includes("Loading testimonials failed"),
      );
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await failed;
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      await expect(reviews.first()).toBeVisible();
    });
  }
});

test("the form asks who the reviewer is and for the consent, by keyboard, and a client's link opens it once", {
  tag: "@long",
}, async ({ page, rows }) => {
  const testimonials = sectionSchemas.testimonials.parse({ consent: "I agree.\nThis is a test." });
  await publishSettings(owner, { testimonials });
  const name = `Grace ${crypto.randomUUID()}`;
  rows.removeTestimonialsBy(name);
  const made = owner.from("testimonial_requests").insert({ name }).select("token").single();
  const { token } = (await made.throwOnError()).data;
  const dialog = page.getByRole("dialog", { name: "Leave a Review" });
  const review = dialog.getByLabel("Your Review");
  const client = dialog.getByRole("radio", { name: "I was a client" });
  const consent = dialog.getByRole("checkbox", { name: "I agree. This is a test." });

  await page.goto("/testimonials");
  await waitForHydration(page);
  // In the tab that shows the page already.
  await page.goto(`/testimonials#review=${token}`);
  await expect(dialog.getByLabel("Your Name")).toHaveValue(name);
  expect(new URL(page.url()).hash).toBe("");
  await review.fill("Kind.");
  const stars = dialog.getByRole("radio", { name: "1 star" });
  const details = dialog.getByLabel("What was it? (Optional)");
  await dialog.getByRole("button", { name: "Submit Review" }).press("Enter");
  for (const name of ["I was a client", "Yes", "Neither"]) {
    const answer = dialog.getByRole("radio", { name });
    await expect(answer).not.toBeChecked();
    await expect(answer).toHaveAccessibleDescription("Required");
  }
  await expect(consent).toHaveAccessibleDescription("Required");
  await expect(stars).toHaveAccessibleDescription("Please choose 1 to 5 stars.");
  await expect(stars).toBeFocused();
  expect(await findingsOf(page)).toEqual([]);
  await expect(review).toHaveValue("Kind.");
  await page.keyboard.press("ArrowRight");
  await expect(dialog.getByRole("radio", { name: "2 stars" })).toBeChecked();
  await client.press("Space");
  await expect(details).toBeHidden();
  await dialog.getByRole("radio", { name: "Yes" }).press("Space");
  await details.fill("A gift card");
  await dialog.getByRole("radio", { name: "family" }).press("Space");
  await consent.check();
  await dialog.getByLabel("Your Email").fill("grace@example.com");
  await consent.check();
  // As if the page were older than the sentence.
  await consent.evaluate((input: HTMLInputElement) => {
    input.value = "I agree.";
  });
  await dialog.getByRole("button", { name: "Submit Review" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("The page has changed. Please reload it.");
  await page.reload();
  await waitForHydration(page);
  await page.getByRole("button", { name: "Leave a Review" }).click();
  await expect(review).toHaveValue("Kind.");
  await expect(client).toBeChecked();
  await expect(consent).not.toBeChecked();
  await consent.check();
  await passFillTime(page);
  await dialog.getByRole("button", { name: "Submit Review" }).click();
  await expect(dialog).toBeHidden();
  const stored = owner.from("testimonials").select("*").eq("name", name);
  const { id, ...answers } = (await stored.single().throwOnError()).data;
  expect(answers).toMatchObject({
    ...{ relationship: "former", compensation: "given", compensation_details: "A gift card" },
    ...{ connection: "family", rating: 2, is_asked: true },
  });
  const { data } = await owner.from("consents").select("wording, email").eq("subject_id", id);
  expect(data).toEqual([{ wording: testimonials.consent, email: "grace@example.com" }]);

  await page.goto(`/blog#review=${token}`);
  await page.goto(`/testimonials#review=${token}`);
  await expect(dialog.getByRole("alert")).toHaveText(
    "Your link was used before. You can leave a review without it.",
  );
  await expect(dialog.getByLabel("Your Name")).toHaveValue("");
});
