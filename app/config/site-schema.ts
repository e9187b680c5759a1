// The settings of the site: who the firm is and what its pages say. One document per section, stored in the table
// `site_settings` and edited under /manage/settings. The database checks the same rules: its table
// `private.settings_schemas` holds these schemas as JSON (tests/contract/site-settings.test.ts compares them).
// Only the server and the owner's pages import this file; visitors' pages use `Site` (site.ts).
import { z } from "zod";

// Regular expressions that JavaScript and PostgreSQL read alike.
const oneLine = /^[^\n\r\t]*$/;
const filledLine = /^[^\s]([^\n\r\t]*[^\s])?$/;
const webLink = /^https?:\/\/[^\s/]+[^\s]*$/;
const optionalWebLink = /^(https?:\/\/[^\s/]+[^\s]*)?$/;
const optionalEmail = /^([^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;]+)?$/;
const email = /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;]+$/;
const color = /^#[0-9a-f]{6}$/;
const slug = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** One line that may be empty. */
const line = (max: number, initial = "") => z.string().max(max).regex(oneLine).default(initial);
/** One line that may not be empty. */
const required = (max: number) => z.string().max(max).regex(filledLine);
/** Several lines; a blank line separates paragraphs. */
const text = (max: number, initial = "") => z.string().max(max).default(initial);

/** Whether code that parses an address, decodes it or sends it in a header can use it. The database cannot check this. */
function isUsableAddress(address: string): boolean {
  try {
    decodeURIComponent(address);
  } catch {
    return false;
  }
  return /^[\x21-\x7e]+$/.test(address) && URL.canParse(address, "https://site.example");
}

/** An image of the site (`/images/…`) or of the images bucket, as its public URL. */
const image = z.strictObject({
  src: z
    .string()
    .max(2000)
    .regex(/^(\/images\/|https?:\/\/[^\s/]+\/storage\/v1\/object\/public\/images\/)[^\s]+$/)
    .refine(isUsableAddress),
  alt: line(300),
  /** In pixels. */
  width: z.int().min(1).max(20_000),
  height: z.int().min(1).max(20_000),
});
export type SiteImage = z.infer<typeof image>;
const optionalImage = image.nullable().default(null);

const titled = z.strictObject({ title: required(120), text: text(1000) });

const firm = z.strictObject({
  name: required(60),
  /** Replaces the name on narrow screens. */
  shortName: line(24),
  tagline: line(160),
  logo: optionalImage,
  /** The logo on dark backgrounds. */
  logoDark: optionalImage,
  icon: optionalImage,
  shareImage: optionalImage,
  /** Of links, buttons and dark panels; null for the default. */
  mainColor: z.string().regex(color).nullable().default(null),
  /** Of markers and focus rings; null for the default. */
  accentColor: z.string().regex(color).nullable().default(null),
});

const adviser = z.strictObject({
  name: required(80),
  firstName: line(40),
  /** Such as "CFP®, CLU®". */
  credentials: line(80),
  title: line(160),
  portrait: optionalImage,
  lead: text(1000),
  paragraphs: z.array(text(2000)).max(8).default([]),
  bullets: z
    .array(required(120))
    .max(6)
    .default([
      "Personalized Financial Strategies",
      "Dedicated Client-First Approach",
      "Long-Term Security & Growth Planning",
    ]),
});

const contact = z.strictObject({
  /** As shown; may have an extension: "(503) 555-0142 ext. 12". */
  phone: line(60),
  email: z.string().max(254).regex(optionalEmail).default(""),
  street: line(160),
  city: line(80),
  /** The state, such as "OR". */
  region: line(40),
  postalCode: line(20),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .default("US"),
  /** Whether pages show the street; the city is always shown. */
  showStreet: z.boolean().default(true),
  schedulingUrl: z.string().max(500).regex(optionalWebLink).default(""),
  socials: z
    .array(z.strictObject({ name: required(40), url: z.string().max(500).regex(webLink) }))
    .max(8)
    .default([]),
  /** IANA name: dates on the site are shown in it. */
  timeZone: z
    .string()
    .max(60)
    .regex(/^[A-Za-z0-9_+/-]+$/)
    .default("America/New_York"),
  /** How soon an answer comes, as a sentence. */
  answerTime: line(200),
});

/** The only private section: visitors cannot read it. */
const mail = z.strictObject({
  /** Who receives contact messages; empty for CONTACT_TO or the public address. */
  recipients: z.array(z.string().max(254).regex(email)).max(10).default([]),
  /** The sender address; empty for CONTACT_FROM. */
  sender: z.string().max(254).regex(optionalEmail).default(""),
  /** Whether a new testimonial is announced to the recipients. */
  notifyTestimonials: z.boolean().default(false),
});

const licenses = z.strictObject({
  licenses: z
    .array(
      z.strictObject({
        state: required(40),
        type: required(80),
        number: line(40),
        /** A date such as 2027-03-31; empty when it does not expire. */
        expires: z
          .string()
          .regex(/^(\d{4}-\d{2}-\d{2})?$/)
          .default(""),
      }),
    )
    .max(60)
    .default([]),
  /** National Producer Number. */
  npn: z
    .string()
    .regex(/^\d{0,12}$/)
    .default(""),
  statesServed: z.array(required(40)).max(60).default([]),
  affiliation: text(1000),
});

const disclosures = z.strictObject({
  footer: z.array(text(2000)).max(8).default([]),
  testimonials: text(2000),
  lifeInsuranceCalculator: text(2000),
  retirementCalculator: text(2000),
  /** Shown under the posts of a category, or under all posts when the category is empty. */
  posts: z
    .array(z.strictObject({ category: line(100), text: text(2000) }))
    .max(30)
    .default([]),
  mails: text(2000),
  /** At the contact forms, such as consent to be called. */
  consent: text(2000),
});

const home = z.strictObject({
  headline: z.string().max(120).regex(filledLine).default("Welcome to Your Financial Future"),
  introduction: text(1000),
  hero: optionalImage,
  assurances: z.array(titled).max(4).default([]),
  approachHeading: line(120),
  approachSteps: z.array(titled).max(5).default([]),
  servicesHeading: z.string().max(120).regex(filledLine).default("My Services"),
  servicesLead: text(400),
  testimonialsHeading: z.string().max(120).regex(filledLine).default("What clients say"),
  blogHeading: z.string().max(120).regex(filledLine).default("From the blog"),
  contactHeading: z.string().max(120).regex(filledLine).default("Get in touch"),
  contactLead: text(400),
  /** Sections that are switched off. */
  hidden: z
    .array(z.enum(["about", "services", "approach", "testimonials", "blog", "contact"]))
    .max(6)
    .default([]),
});

/** The names of the icons to choose from; site-icons.ts has their shapes. */
export const serviceIcons = [
  ...["shield", "infinity", "sunrise", "umbrella", "leaf", "vault", "scroll-text"],
  ...["heart-pulse", "house", "users", "baby", "graduation-cap", "briefcase", "building"],
  ...["piggy-bank", "wallet", "landmark", "coins", "chart-line", "percent", "calculator"],
  ...["calendar-check", "clipboard-list", "file-text", "hand-heart", "handshake", "life-buoy"],
  ...["scale", "key-round", "compass", "anchor", "plane", "car", "stethoscope"],
] as const;

const service = z.strictObject({
  slug: z.string().max(80).regex(slug),
  title: required(120),
  /** On cards and in lists; empty for the title. */
  cardTitle: line(120),
  /** One sentence for the card. */
  description: line(400),
  icon: z.enum(serviceIcons).default("shield"),
  hidden: z.boolean().default(false),
  tagline: line(300),
  /** Paragraphs, separated by a blank line. */
  fullDescription: text(10_000),
  /** Three sentences for readers in a hurry. */
  summary: z.array(required(500)).max(6).default([]),
  /** Who needs the service, and who does not. */
  fit: z
    .strictObject({
      content: text(2000),
      yes: z.array(required(500)).max(10).default([]),
      no: z.array(required(500)).max(10).default([]),
    })
    .default({ content: "", yes: [], no: [] }),
  sections: z
    .array(
      z.strictObject({
        title: required(200),
        content: text(5000),
        points: z.array(required(1000)).max(30).default([]),
      }),
    )
    .max(20)
    .default([]),
  questions: z
    .array(z.strictObject({ question: required(300), answer: text(2000) }))
    .max(20)
    .default([]),
});
export type Service = z.infer<typeof service>;
export type ServiceInput = z.input<typeof service>;

const services = z.strictObject({
  lead: text(400),
  items: z.array(service).max(24).default([]),
  /** Where the pages of deleted services lead: a service's slug, or empty for /services. */
  redirects: z
    .array(
      z.strictObject({
        from: z.string().max(80).regex(slug),
        to: z
          .string()
          .max(80)
          .regex(/^[a-z0-9-]*$/)
          .default(""),
      }),
    )
    .max(100)
    .default([]),
});

const blog = z.strictObject({
  heading: z.string().max(120).regex(filledLine).default("Financial insights and strategies"),
  lead: text(400),
  /** Names that posts may be signed with besides those of the people who manage the site. */
  authors: z.array(required(80)).max(20).default([]),
});

const testimonials = z.strictObject({
  lead: text(400),
  /** The five sample reviews. Off before going live: their authors do not exist. */
  samples: z.boolean().default(false),
  /** Whether a new testimonial is hidden until it is approved. */
  approveFirst: z.boolean().default(false),
});

const site = z.strictObject({
  /** Whether search engines may list the site. */
  visible: z.boolean().default(true),
  countVisits: z.boolean().default(true),
});

export const sectionSchemas = {
  firm,
  adviser,
  contact,
  mail,
  licenses,
  disclosures,
  home,
  services,
  blog,
  testimonials,
  site,
};
export const settingsSchema = z.strictObject(sectionSchemas);

export type SectionName = keyof typeof sectionSchemas;
export type SiteSettings = z.infer<typeof settingsSchema>;
export const sectionNames = settingsSchema.keyof().options;
