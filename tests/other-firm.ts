// A firm that differs from the default in every way that a layout can notice: long words of another language, three
// services, no calculators.
import type { SupabaseClient } from "@supabase/supabase-js";
import { defaultSettings } from "../app/config/site.ts";
import { settingsSchema } from "../app/config/site-schema.ts";

const services = defaultSettings.services.items.slice(0, 2);

export const otherFirm = settingsSchema.parse({
  firm: {
    name: "Brightwater & Østergaard Versicherungsberatung",
    shortName: "Brightwater",
    tagline: "Klare Worte über Versicherungen, für Familien und Höfe.",
  },
  look: {
    mainColor: "#1f3a6e",
    accentColor: "#8a2b52",
    darkVersion: "device",
  },
  adviser: {
    name: "Dr. Ángel María Núñez-O'Connor",
    firstName: "Ángel",
    credentials: "CFP®, CLU®",
    title: "Versicherungsberaterin",
    lead: "Ich lese den Vertrag, bevor Sie ihn unterschreiben.",
    paragraphs: ["Am Anfang steht eine Liste: was Ihnen gehört und wer davon lebt."],
    bullets: ["Verträge laut gelesen", "Kosten auf einem Blatt"],
  },
  contact: {
    phone: "(212) 555-0187 ext. 12",
    email: "counsel@brightwater.example",
    street: "9 Hidden Court",
    city: "Ithaca",
    region: "NY",
    postalCode: "14850",
    showStreet: false,
    schedulingUrl: "https://calendar.brightwater.example/visit",
    socials: [{ name: "Mastodon", url: "https://social.brightwater.example/@counsel" }],
    timeZone: "America/New_York",
    answerTime: "Antwort binnen zwei Werktagen.",
  },
  mail: {
    recipients: ["desk@brightwater.example"],
    sender: "website@brightwater.example",
    notifyTestimonials: true,
  },
  licenses: {
    licenses: [
      {
        state: "New York",
        type: "Lebens- & Unfallversicherung",
        number: "LA-100",
        expires: "2028-06-30",
        link: "https://register.example/LA-100",
      },
      { state: "Vermont", type: "Lebensversicherung", number: "VT-200", expires: "2027-12-31" },
      { state: "Maine", type: "Lebensversicherung", number: "ME-300", expires: "" },
    ],
    npn: "12345678",
    crd: "7654321",
    filedName: "Ángel M. Núñez-O'Connor",
    statesServed: ["New York", "Vermont", "Maine"],
    affiliation: "Zugelassen bei mehreren Versicherern, angestellt bei keinem.",
  },
  disclosures: {
    footer: ["Eine erfundene Kanzlei für Tests."],
    testimonials: "Einzelne Stimmen stehen nicht für alle.",
    lifeInsuranceCalculator: "Diese Schätzung bietet nichts an.",
    retirementCalculator: "Gedachtes Wachstum; Kurse fallen auch.",
    posts: [{ category: "", text: "Nur zur Information." }],
    mails: "Bitte keine vertraulichen Daten per Mail.",
    consent: "Mit dem Absenden erlauben Sie uns zu antworten.",
  },
  pages: {
    hidden: ["lifeInsuranceCalculator", "retirementCalculator"],
    home: { title: "Versicherungsberatung in Ithaca", description: "Für Familien und Höfe." },
    services: { title: "", description: "Drei Arten von Hilfe." },
    serviceEnding: "Brightwater",
    contact: { title: "Schreiben Sie uns", description: "" },
    calculatorsButton: "Termin vereinbaren",
  },
  home: {
    headline: "Rat vor dem Vertrag",
    introduction: "Was Ihnen Sorgen macht, rechnen wir gemeinsam durch.",
    button: "Ein Gespräch vereinbaren",
    assurances: [{ title: "Unabhängig", text: "Kein Versicherer bezahlt uns ein Gehalt." }],
    approachHeading: "",
    approachSteps: [{ title: "Zuerst die Liste", text: "Was da ist und was fehlt." }],
    servicesHeading: "Unsere Hilfe",
    servicesLead: "Von der Police bis zur Hofübergabe.",
    testimonialsHeading: "Was Mandanten sagen",
    blogHeading: "Notizen",
    contactHeading: "Schreiben Sie",
    contactLead: "Ein Satz genügt.",
    hidden: [],
  },
  services: {
    lead: "Dreierlei Hilfe.",
    panelTitle: "Noch unentschieden?",
    panelText: "Beschreiben Sie Ihre Lage.",
    items: [
      ...services,
      {
        slug: "farm-succession",
        title: "Hofübergabe und Altenteil mit Pflegeversicherung",
        description: "Wer den Hof übernimmt, und was die Geschwister erhalten.",
        icon: "leaf",
        fullDescription: "Der Plan kommt zu Papier.",
      },
    ],
    redirects: [
      ...["retirement-planning", "family-protection", "tax-free-growth"].map((from) => ({ from })),
      { from: "high-cash-value-insurance", to: "" },
      { from: "estate-planning", to: "farm-succession" },
    ],
  },
  blog: { heading: "Notizen zu Versicherungen", lead: "Ein Thema nach dem anderen." },
  calculators: {
    ...{ incomeYears: 20, fixedAmount: 15_000 },
    coverageAssumptions: "Ohne Ersparnisse und Renten.",
    retirementAssumptions: "Ohne Steuern und Gebühren.",
    annualIncome: { min: 10_000, max: 900_000, initial: 60_000 },
    annualReturn: { min: 1, max: 8, initial: 4.5 },
  },
  notice: { text: "Am Freitag bleibt die Kanzlei geschlossen.", link: "/contact" },
  testimonials: {
    heading: "Stimmen",
    lead: "Was Mandanten schrieben.",
    invitation: "Die erste Stimme fehlt noch.",
    samples: false,
    approveFirst: true,
  },
  site: {},
});

/** Publishes settings as an owner does under /manage/settings. @throws the backend's error */
export async function publishSettings(
  owner: SupabaseClient,
  documents: Readonly<Record<string, unknown>>,
): Promise<void> {
  const drafts = await saveSettings(owner, documents);
  await owner.rpc("publish", publicationOf(drafts)).throwOnError();
}

/** The arguments that publish drafts. @param drafts the `saved_at` of each */
export function publicationOf(drafts: Readonly<Record<string, string | null>>, kind = "section") {
  const changes = Object.entries(drafts).map(([thing, draft]) => ({ kind, thing, draft }));
  return { changes: JSON.stringify(changes) };
}

/**
 * Saves drafts of what is published now, in place of the stored ones.
 * @returns `saved_at` of each by its section
 * @throws the backend's error
 */
export async function saveSettings(
  owner: SupabaseClient,
  documents: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const published = await owner.from("site_settings").select("section, version").throwOnError();
  const versions = new Map(published.data.map(({ section, version }) => [section, version]));
  const stored = owner.from("drafts").select("thing, saved_at").eq("kind", "section");
  const replaced = new Map(
    (await stored.throwOnError()).data.map(({ thing, saved_at }) => [thing, saved_at]),
  );
  const saved: Record<string, string> = {};
  for (const [thing, document] of Object.entries(documents)) {
    const { data } = await owner
      .rpc("save_draft", {
        ...{ kind: "section", thing, document: JSON.stringify(document) },
        ...{ base: versions.get(thing) ?? null, replaced: replaced.get(thing) ?? null },
      })
      .throwOnError();
    saved[thing] = data;
  }
  return saved;
}
