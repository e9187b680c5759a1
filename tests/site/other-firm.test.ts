// A new site with the settings of another firm. Nothing that it publishes may name or show the fictional firm, and its
// pages must suit a firm that differs from it in every way.
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toPublicSite } from "../../app/config/public-site.ts";
import { defaultSettings, startingSettings } from "../../app/config/site.ts";
import { readRows } from "../../app/manage/archive/archive.ts";
import { removeSamples } from "../../app/manage/samples/samples.ts";
import { describeAnswers } from "../../supabase/functions/_shared/testimonial-fields.ts";
import { crawl, type Found, fictionalTextsAt, fictionalTextsIn, strangeTextsAt } from "../crawl.ts";
import { otherFirm, publishSettings } from "../other-firm.ts";
import { ownerAccount } from "../prepared-data-dir.ts";
import { decodeMail, startSmtp } from "../smtp-server.ts";
import { newReview, testimonialAnswers } from "../testimonial-answers.ts";
import { setUpSite } from "./site.ts";

const smtp = await startSmtp();
afterAll(() => smtp.server.close());
const { siteUrl, owner, visitor } = await setUpSite({
  SMTP_URL: smtp.url,
  CONTACT_CONFIRMATION: "on",
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

async function readImage(path: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(siteUrl + path)).arrayBuffer());
}

/** What is published, after the change of firm. */
let found = new Map<string, Found>();
let shareImageBefore: Buffer;

function textAt(path: string): string {
  return found.get(path)?.text ?? "";
}

beforeAll(async () => {
  shareImageBefore = await readImage("/share/home.png");
  for (const path of ["/", "/services", "/contact", "/blog"]) {
    const text = await (await fetch(siteUrl + path)).text();
    expect(fictionalTextsIn(text), path).not.toEqual([]);
  }
  await removeSamples(owner, defaultSettings.testimonials);
  // The owner keeps the starting illustration.
  const home = { ...otherFirm.home, hero: startingSettings.home.hero };
  await publishSettings(owner, { ...otherFirm, home });
  await owner.from("posts").insert(note).throwOnError();
  await owner.from("pages").insert(privacy).throwOnError();
  found = await crawl(siteUrl);
});

test("no page, feed or file names or shows the fictional firm, and no link is broken", async () => {
  expect(found.size).toBeGreaterThan(20);
  expect([...found.keys()]).toEqual(expect.arrayContaining(["/blog/first-note"]));
  expect(fictionalTextsAt(found)).toEqual([]);
  const failed = [...found].filter(([, { status }]) => status !== 200).map(([path]) => path);
  expect(failed).toEqual(["/nothing-here"]);
});

test("every sentence of a page or feed is the owner's, or one that the site says for everybody", async () => {
  const month = new Date().toLocaleDateString("en-US", { month: "long" });
  const { monogram } = toPublicSite(otherFirm);
  const illustration = startingSettings.home.hero?.alt;
  const texts = { otherFirm, note, privacy, month, monogram, illustration };
  expect(strangeTextsAt(found, texts)).toEqual([]);
});

test("the notice is on every page, above its header", async () => {
  const { text, link } = otherFirm.notice;
  const pages = [...found].filter(([, { type }]) => type.includes("html"));
  for (const [path, page] of pages) {
    const [above = ""] = page.text.split("<header");
    expect(above, path).toMatch(new RegExp(`href="${link}"[^>]*>${text}</a>`));
  }
});

test("titles in search results are the owner's, or made from the names", async () => {
  const { firm, home, services } = otherFirm;
  const titles = {
    "/": "Versicherungsberatung in Ithaca",
    "/services": `${home.servicesHeading} | ${firm.name}`,
    "/services/farm-succession": `${services.items.at(-1)?.title} | Brightwater`,
    "/contact": "Schreiben Sie uns",
    "/privacy": `Datenschutz | ${firm.name}`,
  };
  for (const [path, title] of Object.entries(titles)) {
    expect(textAt(path)).toContain(`<title>${title.replace("&", "&amp;")}</title>`);
  }
  expect(textAt("/")).toContain('name="description" content="Für Familien und Höfe."');
});

test("pages show the other firm, and a hidden street is nowhere", async () => {
  const home = textAt("/");
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

test("search engines read the name, address, phone and licenses of the other firm", async () => {
  const [, json = "{}"] =
    /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(textAt("/")) ?? [];
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

test("share images have the firm's colors, and feeds its name", async () => {
  expect(await readImage("/share/home.png")).not.toEqual(shareImageBefore);
  const deep = toPublicSite(otherFirm).colors?.properties["--light-deep"];
  const shareImages = [...found.keys()].filter((path) => path.startsWith("/share/"));
  expect(shareImages.length).toBeGreaterThan(5);
  for (const path of shareImages) {
    const image = sharp(await readImage(path));
    const corner = await image.extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer();
    expect(`#${corner.toString("hex", 0, 3)}`, path).toBe(deep);
  }
  for (const file of ["/rss.xml", "/atom.xml"]) {
    expect(textAt(file)).toContain(otherFirm.firm.name.replace("&", "&amp;"));
  }
});

test("deleted services lead to their successors", async () => {
  for (const { from, to } of otherFirm.services.redirects) {
    const response = await fetch(`${siteUrl}/services/${from}`, { redirect: "manual" });
    const target = to ? `/services/${to}` : "/services";
    expect([response.status, response.headers.get("location")]).toEqual([302, target]);
  }
});

test("mails go to the published recipients and name nothing of the fictional firm", async () => {
  await visitor
    .from("testimonials")
    .insert(newReview({ content: "They read it aloud." }))
    .throwOnError();
  const message = { name: "Ada", email: "ada@example.com", message: "Could we talk next week?" };
  const sent = await visitor.functions.invoke("send-email", { body: JSON.stringify(message) });
  expect(sent.error).toBeNull();
  await owner.auth.resetPasswordForEmail(ownerAccount.email);
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
  const given = [
    ...["Ada", "ada@example.com", "They read it aloud.", "Could we talk next week?"],
    describeAnswers(testimonialAnswers),
  ];
  expect(strangeTextsAt(new Map(bodies), { otherFirm, given })).toEqual([]);
  // The archive keeps what visitors get, and no other mail.
  const keptWith = async (query: string) =>
    (await readRows(owner, { query }, 0)).rows.map(({ path }) => path);
  const paths = () => keptWith("Thank you for writing to us.");
  await expect.poll(paths, { timeout: 10_000 }).toEqual(["/mails/confirmation"]);
  expect(await keptWith("ada@example.com")).toEqual([]);
});

test("every page shows a published change at its next request", async () => {
  const paths = ["/", "/services", "/contact", "/rss.xml"];
  const texts = () => Promise.all(paths.map(async (path) => (await fetch(siteUrl + path)).text()));
  // The first request fills the caches.
  await texts();
  await publishSettings(owner, { firm: { ...otherFirm.firm, name: "Brightwater Counsel" } });
  for (const text of await texts()) expect(text).toContain("Brightwater Counsel");
});

test("a site that is hidden from search engines says so on every page", async () => {
  await publishSettings(owner, { site: { ...otherFirm.site, visible: false } });
  for (const path of ["/", "/services", "/blog"]) {
    const html = await (await fetch(siteUrl + path)).text();
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  }
  expect(await (await fetch(`${siteUrl}/robots.txt`)).text()).not.toContain("Sitemap");
});
