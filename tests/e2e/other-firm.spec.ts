// An owner sets up a new site as another firm's. Afterwards nothing that the site publishes may name or show the
// fictional firm, and the pages must suit a firm that differs from it in every way. In other-firm.long.spec.ts the owner
// fills in all settings.
import sharp from "sharp";
import { toPublicSite } from "../../app/config/public-site.ts";
import { startingSettings } from "../../app/config/site.ts";
import { describeAnswers } from "../../supabase/functions/_shared/testimonial-fields.ts";
import { crawl, type Found, fictionalTextsAt, fictionalTextsIn, strangeTextsAt } from "../crawl.ts";
import { otherFirm, publishSettings } from "../other-firm.ts";
import { ownerAccount } from "../prepared-data-dir.ts";
import { decodeMail } from "../smtp-server.ts";
import { testimonialAnswers } from "../testimonial-answers.ts";
import { findingsOf } from "./access/axe.ts";
import { sendContactForm, submitReview } from "./forms.ts";
import { ownSiteTest } from "./own-site.ts";
import { followSetup, signInForSetup } from "./owner/convert-site.ts";
import { expect, toast } from "./test.ts";

const test = ownSiteTest();

test.use({ actionTimeout: 20_000, siteEnvironment: { CONTACT_CONFIRMATION: "on" } });

test("the owner of a new site follows the setup and makes it another firm's, everywhere", async ({
  page,
  owner,
  siteUrl,
  smtp,
}) => {
  test.slow();
  const shareImageBefore = await readImage(`${siteUrl}/share/home.png`);
  let found = new Map<string, Found>();
  const textOf = (path: string) => found.get(path)?.text ?? "";
  await test.step("at first every page shows the fictional firm", async () => {
    for (const path of ["/", "/services", "/contact", "/blog"]) {
      const text = await (await fetch(siteUrl + path)).text();
      expect(fictionalTextsIn(text), path).not.toEqual([]);
    }
  });
  await test.step("sign in and follow the setup", async () => {
    await signInForSetup(page);
    await followSetup(page);
    const { name, mainColor } = otherFirm.firm;
    const firm = owner.from("site_settings").select("document").eq("section", "firm").single();
    expect((await firm.throwOnError()).data.document).toMatchObject({ name, mainColor });
  });
  await test.step("no page, feed or file names or shows the fictional firm, and no link is broken", async () => {
    // The owner keeps the starting illustration.
    const home = { ...otherFirm.home, hero: startingSettings.home.hero };
    await publishSettings(owner, { ...otherFirm, home });
    await owner.from("posts").insert(note).throwOnError();
    await owner.from("pages").insert(privacy).throwOnError();
    found = await crawl(siteUrl);
    expect(found.size).toBeGreaterThan(20);
    expect([...found.keys()]).toEqual(expect.arrayContaining(["/blog/first-note"]));
    expect(fictionalTextsAt(found)).toEqual([]);
    const failed = [...found].filter(([, { status }]) => status !== 200).map(([path]) => path);
    expect(failed).toEqual(["/nothing-here"]);
  });
  await test.step("every sentence of a page or feed is the owner's, or one that the site says for everybody", async () => {
    const month = new Date().toLocaleDateString("en-US", { month: "long" });
    const { monogram } = toPublicSite(otherFirm);
    const illustration = startingSettings.home.hero?.alt;
    const texts = { otherFirm, note, privacy, month, monogram, illustration };
    expect(strangeTextsAt(found, texts)).toEqual([]);
  });
  await test.step("the notice is on every page, above its header", async () => {
    const { text, link } = otherFirm.notice;
    const pages = [...found].filter(([, { type }]) => type.includes("html"));
    for (const [path, page] of pages) {
      const [above = ""] = page.text.split("<header");
      expect(above, path).toMatch(new RegExp(`href="${link}"[^>]*>${text}</a>`));
    }
  });
  await test.step("titles in search results are the owner's, or made from the names", async () => {
    const { firm, home, services } = otherFirm;
    const titles = {
      "/": "Versicherungsberatung in Ithaca",
      "/services": `${home.servicesHeading} | ${firm.name}`,
      "/services/farm-succession": `${services.items.at(-1)?.title} | Brightwater`,
      "/contact": "Schreiben Sie uns",
      "/privacy": `Datenschutz | ${firm.name}`,
    };
    for (const [path, title] of Object.entries(titles)) {
      expect(textOf(path)).toContain(`<title>${title.replace("&", "&amp;")}</title>`);
    }
    expect(textOf("/")).toContain('name="description" content="Für Familien und Höfe."');
  });
  await test.step("pages show the other firm, and a hidden street is nowhere", async () => {
    const home = textOf("/");
    for (const text of [
      otherFirm.firm.name.replace("&", "&amp;"),
      "Dr. Ángel María Núñez-O",
      "(212) 555-0187 ext. 12",
      "tel:+12125550187;ext=12",
      "Ithaca, NY",
      "Rat vor dem Vertrag",
      "Hofübergabe",
      "angestellt bei keinem",
      "Check my background on FINRA",
      "https://social.brightwater.example/@counsel",
    ]) {
      expect(home).toContain(text);
    }
    expect(home).not.toContain("Estate Planning");
    const withStreet = [...found].filter(([, { text }]) => /9 Hidden Court|14850/.test(text));
    expect(withStreet).toEqual([]);
  });
  await test.step("search engines read the name, address, phone and licenses of the other firm", async () => {
    const [, json = "{}"] =
      /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(textOf("/")) ?? [];
    const graph: { "@type": string }[] = JSON.parse(json)["@graph"];
    const nodeOf = (type: string) => graph.find((node) => node["@type"] === type);
    expect(nodeOf("InsuranceAgency")).toMatchObject({
      name: otherFirm.firm.name,
      telephone: "+12125550187;ext=12",
      email: otherFirm.contact.email,
      address: {
        "@type": "PostalAddress",
        addressLocality: "Ithaca",
        addressRegion: "NY",
        addressCountry: "US",
      },
    });
    expect(nodeOf("Person")).toMatchObject({
      name: otherFirm.adviser.name,
      honorificSuffix: otherFirm.adviser.credentials,
      identifier: { propertyID: "NPN", value: otherFirm.licenses.npn },
    });
  });
  await test.step("share images have the firm's colors, and feeds its name", async () => {
    expect(await readImage(`${siteUrl}/share/home.png`)).not.toEqual(shareImageBefore);
    const deep = toPublicSite(otherFirm).colors?.properties["--light-deep"];
    const shareImages = [...found.keys()].filter((path) => path.startsWith("/share/"));
    expect(shareImages.length).toBeGreaterThan(5);
    for (const path of shareImages) {
      const image = sharp(await readImage(siteUrl + path));
      const corner = await image.extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer();
      expect(`#${corner.toString("hex", 0, 3)}`, path).toBe(deep);
    }
    for (const file of ["/rss.xml", "/atom.xml"]) {
      expect(textOf(file)).toContain(otherFirm.firm.name.replace("&", "&amp;"));
    }
  });
  await test.step("deleted services lead to their successors", async () => {
    for (const { from, to } of otherFirm.services.redirects) {
      const response = await fetch(`${siteUrl}/services/${from}`, { redirect: "manual" });
      const target = to ? `/services/${to}` : "/services";
      expect([response.status, response.headers.get("location")]).toEqual([302, target]);
    }
  });
  await test.step("a visitor's review waits for approval, and a message is sent", async () => {
    await page.evaluate(() => localStorage.clear());
    await page.goto("/testimonials");
    await expect(page.getByText(otherFirm.testimonials.invitation)).toBeVisible();
    await page.getByRole("button", { name: "Leave a Review" }).click();
    await page.getByRole("button", { name: "Submit Review" }).click();
    const stars = page.getByRole("radio", { name: "1 star" });
    await expect(stars).toHaveAccessibleDescription("Please choose 1 to 5 stars.");
    await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);
    await page.keyboard.press("Escape");
    await submitReview(page, "Ada", "They read it aloud.");
    await expect(toast(page, "Review Submitted!")).toContainText("if it is published");
    await expect(page.getByText("They read it aloud.")).toBeHidden();
    await page.goto("/contact");
    await sendContactForm(page, { email: "ada@example.com" });
    await expect(toast(page, "Message Sent!")).toBeVisible();
    await owner.auth.resetPasswordForEmail(ownerAccount.email);
  });
  await test.step("the home page fits every width and is accessible", async () => {
    await page.goto("/");
    expect(await findingsOf(page)).toEqual([]);
    for (const width of [320, 390, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
    }
  });
  await test.step("the printed footer has the licenses with the addresses of their registers", async () => {
    await page.emulateMedia({ media: "print" });
    const register = page.getByRole("contentinfo").getByRole("link", { name: /no. LA-100/ });
    await expect(register).toBeVisible();
    const address = await register.evaluate((link) => getComputedStyle(link, "::after").content);
    expect(address).toContain("https://register.example/LA-100");
    await page.emulateMedia({ media: null });
  });
  await test.step("the home page has a short header at 320 pixels, and no section without reviews", async () => {
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto("/");
    const header = page.getByRole("banner");
    await expect(header.getByText("Brightwater", { exact: true })).toBeVisible();
    await expect(header.locator("summary")).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: /previous|next/i })).toHaveCount(0);
    await expect(page.locator("#blog")).toBeVisible();
    await expect(page.locator("#testimonials")).toBeHidden();
    // Nothing leads to a page without reviews.
    const links = page.getByRole("contentinfo").getByRole("link", { name: "Testimonials" });
    await expect(links).toHaveCount(0);
  });
  await test.step("mails go to the published recipients and name nothing of the fictional firm", async () => {
    // The notice of a review waits up to 15 seconds.
    await expect.poll(() => smtp.mails.length, { timeout: 60_000 }).toBe(4);
    const envelopes = smtp.mails.map(({ envelope }) => envelope.join(" "));
    for (const envelope of envelopes) expect(envelope).toContain("<website@brightwater.example>");
    expect(envelopes.map((envelope) => /TO:<([^>]+)>/.exec(envelope)?.[1]).toSorted()).toEqual([
      "ada@example.com",
      "desk@brightwater.example",
      "desk@brightwater.example",
      ownerAccount.email,
    ]);
    const texts = smtp.mails.map(decodeMail).join();
    expect(texts).toContain(otherFirm.disclosures.mails);
    expect(texts).toContain("no. LA-100");
    expect(fictionalTextsIn(texts)).toEqual([]);
    expect(texts).not.toContain("Hidden Court");
    const bodies = smtp.mails.map((mail, index) => {
      const [body = ""] = /<body.*<\/body>/s.exec(decodeMail(mail)) ?? [];
      // Without addresses of links and the time of a message.
      const text = body.replace(/https?:[^\s<"]+|[A-Z][a-z]+ \d[^<]*[AP]M [A-Z]+/g, "");
      return [`mail ${index}`, { status: 200, type: "text/html", text }] as const;
    });
    const visitor = [
      ...["Ada", "ada@example.com", "They read it aloud.", "Could we talk next week?"],
      describeAnswers(testimonialAnswers),
    ];
    expect(strangeTextsAt(new Map(bodies), { otherFirm, visitor })).toEqual([]);
  });
  await test.step("every page shows a published change at its next request", async () => {
    const paths = ["/", "/services", "/contact", "/rss.xml"];
    const texts = () =>
      Promise.all(paths.map(async (path) => (await fetch(siteUrl + path)).text()));
    // The first request fills the caches.
    await texts();
    await publishSettings(owner, { firm: { ...otherFirm.firm, name: "Brightwater Counsel" } });
    for (const text of await texts()) expect(text).toContain("Brightwater Counsel");
  });
  await test.step("a site that is hidden from search engines says so on every page", async () => {
    await publishSettings(owner, { site: { ...otherFirm.site, visible: false } });
    for (const path of ["/", "/services", "/blog"]) {
      const html = await (await fetch(siteUrl + path)).text();
      expect(html).toContain('<meta name="robots" content="noindex"/>');
    }
    expect(await (await fetch(`${siteUrl}/robots.txt`)).text()).not.toContain("Sitemap");
  });
});

const note = {
  slug: "first-note",
  title: "Eine erste Notiz",
  author: otherFirm.adviser.name,
  category: "Verträge",
  content: [{ type: "paragraph", text: "Lesen Sie den Vertrag, bevor Sie ihn unterschreiben." }],
};

const privacy = {
  slug: "privacy",
  title: "Datenschutz",
  author: otherFirm.adviser.name,
  content: [{ type: "paragraph", text: "Wir speichern, was Sie uns schreiben." }],
};

async function readImage(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}
