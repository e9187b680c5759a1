// A firm that differs from the default in every way that a layout can notice.
import type { SupabaseClient } from "@supabase/supabase-js";
import { defaultSettings } from "../app/config/site.ts";
import { settingsSchema } from "../app/config/site-schema.ts";

const services = defaultSettings.services.items.slice(0, 5);

export const otherFirm = settingsSchema.parse({
  firm: {
    name: "Brightwater & Østergaard Insurance Counsel",
    shortName: "Brightwater",
    tagline: "Plain insurance counsel for families and farms.",
    mainColor: "#1f3a6e",
    accentColor: "#8a2b52",
  },
  adviser: {
    name: "Dr. Ángel María Núñez-O'Connor",
    firstName: "Ángel",
    credentials: "CFP®, CLU®",
    title: "Insurance counsellor",
    lead: "I read the contract before you sign it.",
    paragraphs: ["We begin with a list of what you own and who depends on it."],
    bullets: ["Contracts read aloud", "Costs on one page"],
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
    answerTime: "We answer within two working days.",
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
        type: "Life, Accident & Health",
        number: "LA-100",
        expires: "2028-06-30",
      },
      { state: "Vermont", type: "Life", number: "VT-200", expires: "2027-12-31" },
      { state: "Maine", type: "Life", number: "ME-300", expires: "" },
    ],
    npn: "12345678",
    statesServed: ["New York", "Vermont", "Maine"],
    affiliation: "Appointed with several insurers; employed by none.",
  },
  disclosures: {
    footer: ["Brightwater is a fictional firm for tests."],
    testimonials: "Testimonials may not represent the experience of all clients.",
    lifeInsuranceCalculator: "This estimate is no offer of insurance.",
    retirementCalculator: "Hypothetical growth; markets fall, too.",
    posts: [{ category: "", text: "For information only." }],
    mails: "Please send no confidential data by email.",
    consent: "By sending this message you agree that we may answer you.",
  },
  pages: {},
  home: {
    headline: "Counsel before coverage",
    introduction: "Tell us what worries you, and we tell you what it would cost to stop worrying.",
    assurances: [{ title: "Independent", text: "No insurer employs us." }],
    approachHeading: "",
    servicesHeading: "What we do",
    testimonialsHeading: "Clients about us",
    blogHeading: "Notes",
    contactHeading: "Write to us",
    hidden: ["approach"],
  },
  services: {
    lead: "Six kinds of help.",
    items: [
      ...services,
      {
        slug: "farm-succession",
        title: "Farm Succession and the Orderly Transfer of Family Land",
        description: "Who farms next, and what the others receive.",
        icon: "leaf",
        fullDescription: "We put the plan on paper.",
      },
    ],
    redirects: [
      { from: "estate-planning", to: "farm-succession" },
      { from: "high-cash-value-insurance", to: "" },
    ],
  },
  blog: { heading: "Notes on insurance", lead: "One subject at a time." },
  testimonials: { lead: "What our clients wrote.", samples: false, approveFirst: true },
  site: {},
});

/** Publishes settings as an owner does under /manage/settings. */
export async function publishSettings(
  owner: SupabaseClient,
  settings: Partial<typeof otherFirm>,
): Promise<void> {
  const rows = Object.entries(settings).map(([section, document]) => ({ section, document }));
  const saved = await owner.from("site_settings_drafts").upsert(rows);
  if (saved.error) throw saved.error;
  const sections = rows.map(({ section }) => section);
  const { error } = await owner.rpc("publish_settings", { sections });
  if (error) throw error;
}
