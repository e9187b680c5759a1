import { expect, test } from "vitest";
import { otherFirm } from "../../../tests/other-firm.ts";
import { defaultSettings } from "../../config/site.ts";
import { legalPages } from "../../config/site-pages.ts";
import { type SiteSettings, sectionSchemas } from "../../config/site-schema.ts";
import { writeDraft } from "./drafts.ts";

type ServerFacts = Parameters<typeof writeDraft>[2];
const plain: ServerFacts = { sendsMail: false, turnstileSiteKey: null, supabaseUrl: null };
const all: ServerFacts = {
  ...{ sendsMail: true, turnstileSiteKey: "key" },
  supabaseUrl: "https://abc.supabase.co",
};

function textOf(settings: SiteSettings, server = plain): string {
  const pages = ["privacy", "terms", "accessibility"] as const;
  return pages
    .flatMap((page) => writeDraft(page, settings, server))
    .map(({ title, text }) => `${title}: ${text}`)
    .join("\n");
}

test("the drafts of any firm can be published", () => {
  for (const settings of [defaultSettings, otherFirm]) {
    for (const server of [plain, all]) {
      const entries = Object.keys(legalPages).map((page) => [
        page,
        writeDraft(page as keyof typeof legalPages, settings, server),
      ]);
      const legal = sectionSchemas.legal.parse(Object.fromEntries(entries));
      for (const parts of Object.values(legal)) {
        expect(parts.length).toBeGreaterThan(2);
        for (const { text } of parts) expect(text).not.toMatch(/undefined|null|\s$|^\s| {2}/);
      }
    }
  }
});

const { pages, site, disclosures, testimonials, contact } = otherFirm;

test.each<[what: string, words: RegExp, on: Partial<SiteSettings>, off: Partial<SiteSettings>]>([
  [
    "the consent to calls",
    /calls and texts/,
    { disclosures: { ...disclosures, callConsent: "Call me." } },
    { disclosures: { ...disclosures, callConsent: "" } },
  ],
  [
    "reviews",
    /leave a review|words of their authors/,
    {},
    { pages: { ...pages, hidden: ["testimonials"] } },
  ],
  [
    "what reviewers are asked",
    /whether you are a client/,
    { testimonials: { ...testimonials, askConsent: true } },
    { testimonials: { ...testimonials, askConsent: false } },
  ],
  [
    "the consent to publish",
    /your consent to the publication.*your email address/,
    { testimonials: { ...testimonials, askConsent: true, consent: "I agree." } },
    { testimonials: { ...testimonials, askConsent: true, consent: "" } },
  ],
  [
    "the approval of reviews",
    /once we have approved/,
    { testimonials: { ...testimonials, approveFirst: true } },
    { testimonials: { ...testimonials, approveFirst: false } },
  ],
  ["visit counts", /counts how often/, {}, { site: { ...site, countVisits: false } }],
  [
    "calculators",
    /into a calculator.*hypothetical/s,
    { pages: { ...pages, hidden: ["retirementCalculator"] } },
    { pages: { ...pages, hidden: ["retirementCalculator", "lifeInsuranceCalculator"] } },
  ],
  [
    "the public address",
    /write to counsel@brightwater.example or call/,
    {},
    { contact: { ...contact, email: "", phone: "" } },
  ],
])("the drafts describe %s only where there is one", (_what, words, on, off) => {
  expect(textOf({ ...otherFirm, ...on })).toMatch(words);
  expect(textOf({ ...otherFirm, ...off })).not.toMatch(words);
});

test("the drafts follow how the server is set up, and how long the archive is kept", () => {
  const settings = { ...otherFirm, site: { ...site, archiveYears: "7" as const } };
  const [withAll, without] = [textOf(settings, all), textOf(settings)];
  for (const words of ["through a mail service", "Cloudflare", "database at abc.supabase.co"]) {
    expect(withAll).toContain(words);
    expect(without).not.toContain(words);
  }
  expect(without).toContain("at least 7 years from the end of the year");
});
