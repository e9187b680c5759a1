import { expect, test } from "vitest";
import { otherFirm } from "../../../tests/other-firm.ts";
import { defaultSettings } from "../../config/site.ts";
import type { SiteSettings } from "../../config/site-schema.ts";
import { writeDraft } from "./legal-drafts.ts";
import { type LegalPage, legalPages } from "./templates.ts";

type ServerFacts = Parameters<typeof writeDraft>[2];
const plain: ServerFacts = { sendsMail: false, turnstileSiteKey: null, supabaseUrl: null };
const all: ServerFacts = {
  ...{ sendsMail: true, turnstileSiteKey: "key" },
  supabaseUrl: "https://abc.supabase.co",
};

const pages = Object.keys(legalPages) as LegalPage[];

function textOf(settings: SiteSettings, server = plain): string {
  return pages.map((page) => writeDraft(page, settings, server)).join("\n");
}

test("the drafts of any firm can be published", () => {
  for (const settings of [defaultSettings, otherFirm]) {
    for (const server of [plain, all]) {
      for (const page of pages) {
        const text = writeDraft(page, settings, server);
        expect(text.match(/^## ./gm)?.length).toBeGreaterThan(2);
        expect(text).not.toMatch(/undefined|null|\s$|^\s| {2}/);
      }
    }
  }
});

const { pages: shown, site, disclosures, testimonials, contact } = otherFirm;

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
    { pages: { ...shown, hidden: ["testimonials"] } },
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
    { pages: { ...shown, hidden: ["retirementCalculator"] } },
    { pages: { ...shown, hidden: ["retirementCalculator", "lifeInsuranceCalculator"] } },
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
