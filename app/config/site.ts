// The fictional firm of a new site, until the owner publishes settings of another one (/manage/settings). This file and
// supabase/seed.sql are the only ones that name it.
import { recordOf } from "../../supabase/functions/_shared/object-keys.ts";
import { service as estatePlanning } from "./services/estate-planning.ts";
import { service as familyProtection } from "./services/family-protection.ts";
import { service as highCashValueInsurance } from "./services/high-cash-value-insurance.ts";
import { service as infiniteBanking } from "./services/infinite-banking.ts";
import { service as lifeInsurance } from "./services/life-insurance.ts";
import { service as retirementPlanning } from "./services/retirement-planning.ts";
import { service as taxFreeGrowth } from "./services/tax-free-growth.ts";
import { type SiteSettings, sectionNames, settingsSchema } from "./site-schema.ts";

/** The number of sample testimonials in the code (app/testimonials/sample-testimonials.ts). */
export const builtInSamples = 5;

/** For sections in which nothing differs from the schema's defaults. */
const asDefaults = recordOf(sectionNames, () => ({}));

export const defaultSettings: SiteSettings = settingsSchema.parse({
  ...asDefaults,
  firm: {
    name: "Whitfield Lane",
    tagline: "Life insurance and financial planning, explained in plain words.",
  },
  adviser: {
    name: "Nora Whitfield",
    firstName: "Nora",
    title: "Independent life-insurance and financial-planning adviser",
    portrait: {
      src: "/images/portrait.svg",
      alt: "Nora Whitfield, independent life-insurance and financial-planning adviser",
      width: 800,
      height: 1000,
    },
    lead: "I became independent so that I could say no. No to a policy that pays me well and fits you badly, no to a plan that looks clever on paper and keeps you awake at night. You are the client, and the company that issues the policy is not.",
    paragraphs: [
      "Every plan starts with your own numbers: who relies on you, for how long, and what is already in place. I put the arithmetic on one page, we go through it line by line, and you take it home before you sign anything.",
    ],
    bullets: [
      "Personalized Financial Strategies",
      "Dedicated Client-First Approach",
      "Long-Term Security & Growth Planning",
    ],
  },
  contact: {
    phone: "(503) 555-0142",
    email: "nora@whitfieldlane.example",
    street: "48 Larkspur Lane, Suite 2",
    city: "Fairmont Harbor",
    region: "OR",
    postalCode: "97415",
    schedulingUrl: "https://schedule.whitfieldlane.example/consultation",
    socials: [
      { name: "LinkedIn", url: "https://www.linkedin.com/company/whitfield-lane-example" },
      { name: "Facebook", url: "https://www.facebook.com/whitfieldlane.example" },
      { name: "Instagram", url: "https://www.instagram.com/whitfieldlane.example" },
    ],
    timeZone: "America/Los_Angeles",
    answerTime: "You hear back within one business day.",
  },
  licenses: { statesServed: ["Oregon"] },
  disclosures: {
    callConsent: "",
    footer: [
      "Whitfield Lane is a fictional firm. Replace this notice with your licenses and disclosures.",
      "Insurance and annuity products are subject to the claims-paying ability of the issuing insurer. Nothing here is tax or legal advice.",
    ],
  },
  pages: {
    home: {
      title: "Life Insurance & Financial Planning | Secure Your Family's Future",
      description:
        "Life insurance and financial planning with Nora Whitfield in Fairmont Harbor. Read about the services, or ask a question.",
    },
    services: { title: "Our Financial Services | Whitfield Lane", description: "" },
    serviceEnding: "My Expert Financial Services",
    testimonials: {
      title: "Client Success Stories | Whitfield Lane",
      description:
        "What clients say about working with Nora Whitfield. Read their stories or leave your own.",
    },
    blog: {
      title: "Blog | Financial Insights & Strategies",
      description:
        "Articles from Whitfield Lane on life insurance, retirement, taxes and protecting a family.",
    },
    calculators: {
      title: "Savings Calculator | Whitfield Lane",
      description:
        "Estimate how much life insurance your family would need and what your retirement savings could become. Free, private, nothing is stored.",
    },
    calculatorsButton: "Schedule a Free Consultation",
    contact: {
      title: "Contact Nora Whitfield | Whitfield Lane",
      description:
        "Contact Nora Whitfield to ask a question or to schedule a free consultation about life insurance and financial planning.",
    },
  },
  home: {
    headline: "Welcome to Your Financial Future",
    button: "Book Your Private Consultation",
    hidden: [],
    order: [],
    introduction:
      "I'm Nora Whitfield. If people depend on you, come and sit down with me for half an hour. We look at what they would need, what you already have, and what the gap costs. Then you decide.",
    hero: {
      src: "/images/neutral/hero.svg",
      alt: "A lane leads to a house above a harbor in morning light.",
      width: 1200,
      height: 1000,
    },
    assurances: [
      {
        title: "Independent",
        text: "No insurer employs me, so I can say which policy you don't need.",
      },
      {
        title: "Free to ask",
        text: "The first conversation costs nothing and obliges you to nothing.",
      },
      {
        title: "Questions first",
        text: "No product is on the table before yours are answered.",
      },
    ],
    approachHeading: "One page, and time to read it",
    approachSteps: [
      {
        title: "We talk for half an hour",
        text: "Who relies on you, for how long, and what would have to go on without you. Bring nothing but the questions.",
      },
      {
        title: "I put the arithmetic on one page",
        text: "What is needed, what is already there, and what is missing. Every figure has its reason beside it.",
      },
      {
        title: "You take the page home",
        text: "Show it to whoever you trust. When you come back we compare insurers and costs, or we leave it at that.",
      },
    ],
    servicesLead: "Seven tools, chosen for your situation and explained before you decide.",
    testimonialsHeading: "What clients say after the paperwork is done",
    blogHeading: "Reading for a clear head",
    contactHeading: "Ask the first question",
    contactLead: "Write what is on your mind. You get an answer in plain words, not a sales call.",
  },
  services: {
    lead: "Most people need two or three of these, and never all of them. Each page says who should skip it.",
    panelTitle: "Not sure which of these you need?",
    panelText:
      "Few people are. Say who depends on you and what worries you, and ask which of these apply. Sometimes it is none of them.",
    items: [
      lifeInsurance,
      infiniteBanking,
      retirementPlanning,
      familyProtection,
      taxFreeGrowth,
      highCashValueInsurance,
      estatePlanning,
    ].map((service) => ({ ...service, starter: true })),
  },
  blog: {
    heading: "Financial insights and strategies",
    lead: "Short reads for long decisions: what to ask, what to skip, and the numbers worked through.",
  },
  testimonials: {
    heading: "Client Success Stories",
    invitation: "Be the first to share your success story!",
    lead: "In their own words: what it was like to plan, to decide and, now and then, to be told no.",
    samples: true,
    approveFirst: false,
    askConsent: false,
  },
});

/**
 * All settings of a site that has published some of them. Until the firm has another name, the rest is the fictional
 * firm's; from then on nothing of the fictional firm is shown.
 * @param sampleContent whether a site that has not published anything else shows the sample testimonials
 * @param isPublic whether the site is at a public address, where samples show in a demonstration only
 */
export function completeSettings(
  published: Partial<SiteSettings>,
  sampleContent = true,
  isPublic = false,
): SiteSettings {
  const { firm } = published;
  const isDefault = !firm || firm.name === defaultSettings.firm.name;
  const defaults = isDefault ? defaultSettings : settingsOfAnotherFirm(firm);
  const testimonials = published.testimonials ?? {
    ...defaults.testimonials,
    samples: defaults.testimonials.samples && sampleContent,
    // The database decides the same (private.testimonial_setting).
    approveFirst: firm !== undefined,
    askConsent: firm !== undefined,
  };
  const samples = testimonials.samples && (testimonials.demonstration || !isPublic);
  return { ...defaults, ...published, testimonials: { ...testimonials, samples } };
}

/** Whether an address is neither this machine's, nor of a private network, nor a name that is reserved for tests. */
export function isPublicAddress(url: string): boolean {
  const host = new URL(url).hostname.replace(/\.$/, "");
  if (host.startsWith("[")) return !/^\[(::|f[cd]|fe[89ab])/.test(host);
  return (
    host.includes(".") &&
    !/^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$/.test(host) &&
    !/(^|\.)(test|invalid|local|internal|home\.arpa|localhost|example(\.com|\.net|\.org)?)$/.test(
      host,
    )
  );
}

/**
 * The settings of a firm that has published nothing but its name: the starting content of every firm, which says nothing of
 * a particular one. Pages leave out empty settings.
 */
export function settingsOfAnotherFirm(firm: SiteSettings["firm"]): SiteSettings {
  // A draft of the firm may be incomplete.
  return { ...startingSettings, firm, adviser: { ...startingSettings.adviser, name: firm.name } };
}

export const startingSettings: SiteSettings = settingsSchema.parse({
  ...asDefaults,
  firm: { name: "-" },
  adviser: {
    name: "-",
    lead: "A plan should fit the person it is for. So it starts with you: who depends on you, what you want to protect, and what you hope to do one day.",
    paragraphs: [
      "From there we look at the choices together, with what they cost and what they leave out, and put first what matters most to you. You decide what to do, and when.",
    ],
    bullets: defaultSettings.adviser.bullets,
    starter: true,
  },
  disclosures: {
    footer: defaultSettings.disclosures.footer.filter((text) => !isFictional(text)),
  },
  home: {
    headline: defaultSettings.home.headline,
    introduction:
      "If people depend on you, let's sit down together. We look at what they would need, what you already have, and what is missing. Then you decide.",
    button: defaultSettings.home.button,
    hero: {
      ...defaultSettings.home.hero,
      alt: "A path leads to a house above the water in morning light.",
    },
    assurances: [
      {
        title: "Ask anything",
        text: "What a policy costs, what it leaves out, and how your adviser is paid.",
      },
      {
        title: "Take your time",
        text: "Compare, sleep on it, and show it to someone you trust.",
      },
      {
        title: "Check the license",
        text: "Every state keeps a public register of who may advise you.",
      },
    ],
    approachHeading: "How we get to your plan",
    approachSteps: [
      {
        title: "Say hello",
        text: "Book a time or send a message. A few words about your situation are enough to begin.",
      },
      {
        title: "Look at your numbers",
        text: "Who relies on you, for how long, what is already in place, and what is missing.",
      },
      {
        title: "Compare, then decide",
        text: "Put the options side by side, with their costs and limits, before you choose one or none.",
      },
    ],
    servicesLead: "What each of them does, whom it suits, and who can do without it.",
    testimonialsHeading: "In clients' own words",
    blogHeading: "Reading before you decide",
    contactHeading: "Ask your first question",
    contactLead: "Write what is on your mind, or ask for a time to talk.",
    hidden: [],
    starter: true,
  },
  services: { items: defaultSettings.services.items },
});

/** Whether a text names the fictional firm, its adviser or its town. */
export function isFictional(text: string): boolean {
  const { firm, adviser, contact } = defaultSettings;
  const names = [
    firm.name,
    adviser.name,
    contact.city,
    contact.email,
    contact.street,
    "whitfieldlane",
  ];
  return names.some((name) => text.toLowerCase().includes(name.toLowerCase()));
}
