// The settings of the site: who the firm is and what its pages say. One document per section, stored in the table
// `site_settings`. This file is the only description of a setting: the forms of /manage/settings and the setup are made
// from it, and `npm run types` writes it into the migration that lets the database check the same rules.
// Only the server and the owner's pages import this file; visitors' pages use `Site` (public-site.ts).

import { z } from "zod";
import { keysOf, recordOf } from "../../supabase/functions/_shared/object-keys.ts";
import { lineBreaks } from "../../supabase/functions/_shared/one-line.ts";
import { homeOrder } from "./home-order.ts";
import { isReference, ownImage } from "./image-address.ts";
import { iconNames, serviceIcons } from "./service-icons.ts";

/** What the forms show of a setting. The schema gives its limits, and the order of the fields. */
export interface FieldInfo {
  label: string;
  /** Its purpose and where it appears, in one or two short sentences. */
  help: string;
  /** The heading of the group that starts with this field. */
  group?: string;
  /** Whether the setup asks for it: in the step of its section, or in the last one. */
  first?: true | "look";
  /** The control of a value, or of each entry of a list, if its type does not determine it (fields.ts). */
  kind?:
    | ("email" | "link" | "phone" | "date" | "digits" | "color" | "timeZone" | "country")
    | ("icon" | "order" | "slug" | "services" | "redirects");
  /** The field of the same row whose address gives this one its value, as long as the owner types none. */
  namedBy?: string;
  autoComplete?: string;
  /** The name of one entry of a list, such as "Paragraph". */
  entry?: string;
  /** Whether each row opens and closes, for rows with long texts. Its name is its first field. */
  collapsible?: boolean;
  choices?: Readonly<Record<string, string>>;
  /** The aspect ratio of an image: width divided by height. */
  aspect?: number;
  /** The minimum width of an image in pixels. */
  minWidth?: number;
  askAlt?: boolean;
}

/**
 * The texts of the forms. Not `.meta()`, so that the JSON Schema of the database has none of them. The global registry has
 * what the database checks as well: `ordered` names two properties of an object. The second one may not be less than the
 * first, unless it is empty. `private` marks a field or a section that visitors cannot read.
 */
export const fields = z.registry<FieldInfo>();

// Regular expressions that JavaScript and PostgreSQL read alike.
const oneLine = new RegExp(`^[^${lineBreaks}]*$`);
const filledLine = new RegExp(`^[^\\s${lineBreaks}]([^${lineBreaks}]*[^\\s${lineBreaks}])?$`);
const webLink = /^https?:\/\/[^\s/]+[^\s]*$/;
const optionalWebLink = /^(https?:\/\/[^\s/]+[^\s]*)?$/;
const optionalTarget = /^(https?:\/\/[^\s/]+[^\s]*|\/([^\s/][^\s]*)?)?$/;
const optionalEmail = /^([^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;]+)?$/;
const email = /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;]+$/;
const color = /^#[0-9a-f]{6}$/;
const countryCode = /^[A-Z]{2}$/;
const timeZoneName = /^[A-Za-z0-9_+/-]+$/;
const optionalDate = /^(\d{4}-\d{2}-\d{2})?$/;
const optionalDigits = /^\d{0,12}$/;
const optionalSlug = /^[a-z0-9-]*$/;
const slug = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** A text of one line that may be empty. */
const line = (max: number) => z.string().max(max).regex(oneLine).default("");
/** A text of one line that may not be empty. */
const required = (max: number) => z.string().max(max).regex(filledLine);
/** A text of several lines; a blank line separates paragraphs. */
const text = (max: number) => z.string().max(max).default("");

const upTo = <Entry extends z.ZodType>(max: number, entry: Entry) =>
  z.array(entry).max(max).default([]);

const section = <Shape extends z.ZodRawShape>(label: string, help: string, shape: Shape) =>
  z.strictObject(shape).register(fields, { label, help });

/** An image of the site or of the images bucket (image-address.ts). */
const image = z.strictObject({
  src: z.string().max(2000).regex(ownImage).refine(isReference),
  alt: line(300),
  /** The size in pixels. */
  width: z.int().min(1).max(20_000),
  height: z.int().min(1).max(20_000),
});
export type SiteImage = z.infer<typeof image>;
const optionalImage = () => image.nullable().default(null);
const optionalEmailAddress = () => z.string().max(254).regex(optionalEmail).default("");
const optionalColor = () => z.string().regex(color).nullable().default(null);

/** Whether texts came with the site, and the owner has not said yet that she read them (unfinished-texts.ts). */
const starter = z.boolean().default(false);

/** @param help of the text field */
const titled = (help: string) =>
  z.strictObject({
    title: required(120).register(fields, { label: "Title", help: "A few words." }),
    text: text(1000).register(fields, { label: "Text", help }),
  });

const firm = section("Firm", "What your firm is called, everywhere on your site.", {
  name: required(60).register(fields, {
    label: "Name of the firm",
    help: "At the top and the end of every page, and in search results.",
    group: "Name",
    first: true,
    autoComplete: "organization",
  }),
  shortName: line(24).register(fields, {
    label: "Short name",
    help: "In place of the name where there is little room, as on phones. Leave it empty if the name fits.",
    first: true,
  }),
  tagline: line(160).register(fields, {
    label: "Tagline",
    help: "One sentence about your firm. At the end of every page, and where someone shares a link to your site.",
    first: true,
  }),
});

/** The colors of each are in palette.ts. */
const backgrounds = { warm: "Warm", cool: "Cool", white: "White" } as const;

const darkVersions = { off: "Off", device: "Follow the visitor's device" } as const;

const look = section(
  "Logo and colors",
  "How your site looks. Without these, it has the look it came with.",
  {
    mainColor: optionalColor().register(fields, {
      label: "Main color",
      help: "Of buttons, links and dark areas.",
      group: "Colors",
      first: "look",
      kind: "color",
    }),
    accentColor: optionalColor().register(fields, {
      label: "Accent color",
      help: "Of small things: stars, markers and underlines.",
      first: "look",
      kind: "color",
    }),
    background: z.enum(keysOf(backgrounds)).default("warm").register(fields, {
      label: "Background",
      help: "Of all pages: a warm paper, a cool one, or plain white.",
      choices: backgrounds,
    }),
    darkVersion: z.enum(keysOf(darkVersions)).default("off").register(fields, {
      label: "Dark version",
      help: "Off: everyone sees the light version. Otherwise, visitors whose device is set to dark colors see a dark one.",
      choices: darkVersions,
    }),
    logo: optionalImage().register(fields, {
      label: "Logo",
      help: "In place of the name at the top of every page. A wide image with a transparent background fits best.",
      group: "Logo and images",
      first: "look",
      minWidth: 320,
    }),
    logoDark: optionalImage().register(fields, {
      label: "Logo on dark backgrounds",
      help: "At the end of every page, and at the top in the dark version.",
      minWidth: 320,
    }),
    icon: optionalImage().register(fields, {
      label: "Icon",
      help: "A small square image for browser tabs and phones.",
      aspect: 1,
      minWidth: 512,
    }),
    shareImage: optionalImage().register(fields, {
      label: "Picture for shared links",
      help: "Shown when someone sends or posts a link to your site. Without it, one is made from your name and tagline.",
      aspect: 1200 / 630,
      minWidth: 1200,
    }),
  },
);

const adviser = section("You", "Whom visitors meet: your name, your portrait and your message.", {
  name: required(80).register(fields, {
    label: "Your full name",
    help: "Above your message, under your posts and in search results.",
    group: "Name and title",
    first: true,
    autoComplete: "name",
  }),
  firstName: line(40).register(fields, {
    label: "First name",
    help: "Only search engines read it apart from your full name.",
    autoComplete: "given-name",
  }),
  credentials: line(80).register(fields, {
    label: "Credentials",
    help: "Behind your name, such as CFP®, CLU®.",
  }),
  title: line(160).register(fields, {
    label: "Title",
    help: "Below your name, such as Independent life-insurance adviser.",
    first: true,
    autoComplete: "organization-title",
  }),
  portrait: optionalImage().register(fields, {
    label: "Portrait",
    help: "Beside your message on the home page. An upright photo.",
    group: "Portrait",
    first: "look",
    aspect: 4 / 5,
    minWidth: 800,
    askAlt: true,
  }),
  lead: text(1000).register(fields, {
    label: "Opening of your message",
    help: "Its first paragraph, in larger letters: why you do this work, and what clients can expect.",
    group: "Message on the home page",
    first: true,
  }),
  paragraphs: upTo(8, text(2000)).register(fields, {
    label: "Paragraphs",
    help: "Below the opening.",
    entry: "Paragraph",
  }),
  bullets: upTo(6, required(120)).register(fields, {
    label: "Bullet points",
    help: "A short list below your message.",
    entry: "Bullet point",
  }),
  starter,
});

const contact = section("Contact", "How clients reach you. What you leave empty is not shown.", {
  phone: line(60).register(fields, {
    label: "Phone",
    help: "Visitors tap it to call you. It may have an extension: (212) 555-0100 ext. 12.",
    group: "Phone and email",
    first: true,
    kind: "phone",
  }),
  email: optionalEmailAddress().register(fields, {
    label: "Public email address",
    help: "Beside the contact forms. Everyone can read it.",
    first: true,
    kind: "email",
    autoComplete: "email",
  }),
  answerTime: line(200).register(fields, {
    label: "How soon you answer",
    help: "Visitors read it when they write to you, such as: I answer within one working day.",
  }),
  street: line(160).register(fields, {
    label: "Street",
    help: "With suite or floor. In the footer and beside the contact forms.",
    group: "Address",
    first: true,
    autoComplete: "street-address",
  }),
  showStreet: z.boolean().default(true).register(fields, {
    label: "Show the street and postal code",
    help: "If you work from home, switch this off: pages show the city and state alone.",
    first: true,
  }),
  city: line(80).register(fields, {
    label: "City",
    help: "In the footer, beside the contact forms and in search results.",
    first: true,
    autoComplete: "address-level2",
  }),
  region: line(40).register(fields, {
    label: "State",
    help: "Behind the city, such as TX.",
    first: true,
    autoComplete: "address-level1",
  }),
  postalCode: line(20).register(fields, {
    label: "Postal code",
    help: "Behind the state.",
    first: true,
    autoComplete: "postal-code",
  }),
  country: z.string().regex(countryCode).default("US").register(fields, {
    label: "Country",
    help: "Where you work. Phone numbers without a country code are numbers of this country.",
    kind: "country",
  }),
  schedulingUrl: z.string().max(500).regex(optionalWebLink).default("").register(fields, {
    label: "Scheduling page",
    help: "The page where clients book a time with you, such as Calendly. Your consultation buttons lead there. Without it, they say 'Get in touch' and lead to your contact form.",
    group: "Links",
    first: true,
    kind: "link",
    autoComplete: "url",
  }),
  socials: upTo(
    8,
    z.strictObject({
      url: z.string().max(500).regex(webLink).register(fields, {
        label: "Address",
        help: "Of your profile.",
        kind: "link",
      }),
      name: required(40).register(fields, {
        label: "Name",
        help: "Such as LinkedIn.",
        namedBy: "url",
      }),
    }),
  ).register(fields, {
    label: "Social profiles",
    help: "Under 'Follow' at the end of every page.",
    entry: "Profile",
  }),
  timeZone: z.string().max(60).regex(timeZoneName).default("America/New_York").register(fields, {
    label: "Time zone",
    help: "Your site shows all dates and times in it.",
    group: "Time",
    first: true,
    kind: "timeZone",
  }),
});

/** Private: visitors cannot read this section. */
const mail = section(
  "Email",
  "How your site sends emails, and who gets the messages of your visitors. Nobody else sees this.",
  {
    recipients: upTo(10, z.string().max(254).regex(email)).register(fields, {
      label: "Recipients",
      help: "Who gets an email when a visitor writes to you. Visitors never see these addresses. If there are none, the address that your technician has set gets it, or else your public one.",
      group: "Messages by email",
      first: true,
      kind: "email",
      entry: "Address",
    }),
    sender: optionalEmailAddress().register(fields, {
      label: "Sender",
      help: "The address that emails of your site come from. Your mail service must allow it. Without one, and if your technician has set none, emails come from the first recipient, and visitors get no confirmation, because it would show them that address.",
      kind: "email",
    }),
    notifyTestimonials: z.boolean().default(false).register(fields, {
      label: "Tell me about new testimonials",
      help: "The recipients get an email when someone leaves a testimonial.",
      group: "Emails about your website",
    }),
    answerReviewers: z.boolean().default(false).register(fields, {
      label: "Tell reviewers what you decided",
      help: "Reviewers who left an email address hear when you show or refuse what they wrote.",
    }),
    notifyApprovals: z.boolean().default(true).register(fields, {
      label: "Tell us about approvals",
      help: "Owners get an email when a post waits for approval, and its author when someone decided.",
    }),
    notifySchedule: z.boolean().default(true).register(fields, {
      label: "Tell us when a post could not be published",
      help: "Owners get an email when that happens to a scheduled post.",
    }),
    notifyWarnings: z.boolean().default(true).register(fields, {
      label: "Warn us when something is wrong",
      help: "Owners get at most one email a day: when emails fail for an hour, when there was no backup for a week, or when somebody changed the archive.",
    }),
  },
).register(z.globalRegistry, { private: true });

const licenses = section(
  "Licenses",
  "Most states ask for your license number wherever you advertise insurance.",
  {
    licenses: upTo(
      60,
      z.strictObject({
        state: required(40).register(fields, { label: "State", help: "Such as Texas." }),
        type: required(80).register(fields, {
          label: "Type",
          help: "Such as Life and health.",
        }),
        number: line(40).register(fields, { label: "Number", help: "As the state issued it." }),
        expires: z.string().regex(optionalDate).default("").register(fields, {
          label: "Expires",
          help: "The last day on which the site shows this license. Leave it empty if it does not expire.",
          kind: "date",
        }),
        link: z.string().max(500).regex(optionalWebLink).default("").register(fields, {
          label: "Public register",
          help: "Where visitors can look this license up, such as the state's license search.",
          kind: "link",
        }),
      }),
    ).register(fields, {
      label: "Licenses",
      help: "In the footer of every page.",
      group: "Licenses",
      first: true,
      entry: "License",
    }),
    npn: z.string().regex(optionalDigits).default("").register(fields, {
      label: "National Producer Number (NPN)",
      help: "In the footer, behind your licenses. Look it up at nipr.com.",
      first: true,
      kind: "digits",
    }),
    crd: z.string().regex(optionalDigits).default("").register(fields, {
      label: "CRD number",
      help: "For advisers and representatives of a broker-dealer. In the footer. A link to FINRA BrokerCheck is shown above the headline of the home page and beside your profile on the contact page.",
      kind: "digits",
    }),
    isAdviser: z.boolean().default(false).register(fields, {
      label: "Investment adviser",
      help: "Switch it on if you are registered as an investment adviser or as its representative. With a CRD number, visitors get a link to the SEC's adviser search (IAPD) beside the one to BrokerCheck.",
    }),
    filedName: line(120).register(fields, {
      label: "Name as filed",
      help: "The name that the insurance department has on file, if it is not the name of the firm. In the footer.",
    }),
    domicile: line(40).register(fields, {
      label: "State of domicile",
      help: "The state where your firm is registered, as filed. In the footer. California asks for it.",
    }),
    statesServed: upTo(60, required(40)).register(fields, {
      label: "States served",
      help: "In the footer and for search engines.",
      group: "Where and with whom you work",
      entry: "State",
    }),
    affiliation: text(1000).register(fields, {
      label: "Affiliation",
      help: "Broker-dealer, agency or insurers that you must name. In the footer.",
    }),
    notOffered: text(500)
      .default("Nothing here is an offer or advice in a state where I am not licensed.")
      .register(fields, {
        label: "Where you are not licensed",
        help: "One sentence. In the footer, once you have entered a license.",
      }),
  },
);

const disclosures = section(
  "Disclosures",
  "What you must say, or want to say, where visitors read it.",
  {
    footer: upTo(8, text(2000)).register(fields, {
      label: "Footer",
      help: "Paragraphs at the end of every page, such as your state's required notices.",
      group: "On every page",
      entry: "Paragraph",
    }),
    testimonials: text(2000).register(fields, {
      label: "Above testimonials",
      help: "On the home page and on their own page, as large as the testimonials. FINRA asks that it stands out.",
      group: "Beside content",
    }),
    lifeInsuranceCalculator: text(2000).register(fields, {
      label: "Beside the life insurance calculator",
      help: "Below its result on the page of the calculators.",
    }),
    retirementCalculator: text(2000).register(fields, {
      label: "Beside the retirement calculator",
      help: "Below its result on the page of the calculators.",
    }),
    posts: upTo(
      30,
      z.strictObject({
        category: line(100).register(fields, {
          label: "Category",
          help: "As it is written in the posts. Leave it empty for all posts.",
        }),
        text: text(2000).register(fields, {
          label: "Text",
          help: "An empty line starts a new paragraph.",
        }),
      }),
    ).register(fields, {
      label: "Under posts",
      help: "At the end of posts of one category. A row without a category appears under all posts.",
      entry: "Disclosure",
    }),
    consent: text(2000).register(fields, {
      label: "Consent at the contact forms",
      help: "Visitors read it before they send a message.",
      group: "At forms and in emails",
    }),
    callConsent: text(1000)
      .default(
        "I agree that this firm may call and text me at this number about my request. Agreeing is not a condition of sending this message or of buying anything. I can withdraw this at any time.",
      )
      .register(fields, {
        label: "Consent to calls and texts",
        help: "Beside a box that visitors may tick when they give a phone number. What a visitor agreed to is kept word for word. These words are enough for calls and texts by a person about the request. Advertising, automatic dialers, recorded or AI voices and texting services need other words, which name them and your firm. Leave it empty for no box.",
      }),
    mails: text(2000)
      .register(fields, {
        label: "In emails",
        help: "At the end of emails to visitors.",
      })
      .register(z.globalRegistry, { private: true }),
  },
);

const homeSections: Record<(typeof homeOrder)[number], string> = {
  about: "Your message",
  services: "Services",
  approach: "How you work",
  testimonials: "Testimonials",
  blog: "Blog",
  contact: "Contact form",
};

const parts = { ...homeSections, example: "Example beside how you work" };

/** Pages and calculators that can be switched off; the others always exist. */
const optionalPages = {
  lifeInsuranceCalculator: "Life insurance calculator",
  retirementCalculator: "Retirement calculator",
  testimonials: "Testimonials",
  blog: "Blog",
} as const;

const searchResult = (label: string) =>
  z
    .strictObject({
      title: line(120).register(fields, { label: "Title", help: "" }),
      description: line(300).register(fields, { label: "Description", help: "" }),
    })
    .default({ title: "", description: "" })
    .register(fields, {
      label,
      help: "In search results and browser tabs.",
      group: label,
    });

/** The pages of the menu with their usual names, in their usual order. */
export const menuPages = {
  home: "Home",
  services: "Services",
  testimonials: "Testimonials",
  blog: "Blog",
  calculators: "Savings Calculator",
  contact: "Contact",
} as const;

const menuName = (name: keyof typeof menuPages, help = "") =>
  line(24).register(fields, { label: menuPages[name], help });

const pages = section("Menu", "Which pages visitors find, and how search engines show them.", {
  /** Empty for the usual order. */
  menuOrder: upTo(6, z.enum(keysOf(menuPages))).register(fields, {
    label: "Order in the menu",
    help: "The links in the footer follow.",
    group: "Menu",
    kind: "order",
    choices: menuPages,
  }),
  menuNames: z
    .strictObject({
      home: menuName("home", "Short names fit best. Empty for the usual name, as it is here."),
      services: menuName("services"),
      testimonials: menuName("testimonials"),
      blog: menuName("blog"),
      calculators: menuName("calculators"),
      contact: menuName("contact"),
    })
    .default({ home: "", services: "", testimonials: "", blog: "", calculators: "", contact: "" })
    .register(fields, {
      label: "Names in the menu",
      help: "In the header, the menu of phones and the footer.",
      group: "Names in the menu",
    }),
  hidden: upTo(4, z.enum(keysOf(optionalPages))).register(fields, {
    label: "Pages and calculators",
    help: "What you switch off is no longer in the menu, the footer and search engines. Its address leads to the home page.",
    group: "Pages of the site",
    choices: optionalPages,
  }),
  home: searchResult("Home page"),
  services: searchResult("Services"),
  /** The description is the service's own. */
  serviceEnding: line(80).register(fields, {
    label: "End of the titles of services",
    help: "After the name of each service in search results. Leave it empty for the name of your firm.",
  }),
  testimonials: searchResult("Testimonials"),
  blog: searchResult("Blog"),
  calculators: searchResult("Savings Calculator"),
  calculatorsButton: required(60).default("Schedule a Consultation").register(fields, {
    label: "Button below the calculators",
    help: "Leads to your scheduling page.",
  }),
  contact: searchResult("Contact"),
});

/** The slider of a number, with its steps (app/calculators). */
const slider = (
  label: string,
  [lowest, highest]: readonly [number, number],
  preset: { min: number; max: number; initial: number },
) => {
  const number = (name: keyof typeof preset, label: string) =>
    z.number().min(lowest).max(highest).default(preset[name]).register(fields, { label, help: "" });
  return z
    .strictObject({
      min: number("min", "From"),
      max: number("max", "To"),
      initial: number("initial", "Starts at"),
    })
    .register(z.globalRegistry, { ordered: ["min", "max"] })
    .default(preset)
    .register(fields, {
      label,
      help: "The two ends of the slider, and where it starts.",
      group: label,
    });
};

const calculators = section(
  "Calculators",
  "What the calculators start with, and what their results leave out.",
  {
    incomeYears: z.int().min(1).max(60).default(30).register(fields, {
      label: "Years to replace income",
      help: "For how many years the coverage replaces the income: 1 to 60.",
      group: "Life insurance calculator",
    }),
    fixedAmount: z.int().min(0).max(1_000_000).default(20_000).register(fields, {
      label: "Final costs in dollars",
      help: "Added to every result, for a funeral and last bills. At most 1,000,000.",
    }),
    coverageAssumptions: text(2000)
      .default(
        "It leaves out what is already there: savings, coverage through work, survivor benefits. Your real need is often smaller, and now and then larger.",
      )
      .register(fields, { label: "What the coverage assumes", help: "Below its result." }),
    annualIncome: slider("Annual income", [0, 100_000_000], {
      ...{ min: 20_000, max: 5_000_000, initial: 75_000 },
    }),
    totalDebt: slider("Total debt", [0, 100_000_000], { min: 0, max: 1_000_000, initial: 50_000 }),
    retirementAssumptions: text(2000)
      .default(
        "The return is the same in every year, which no real year keeps to. Taxes, fees and inflation are left out, so the money will buy less than it says. It is an estimate and not a promise.",
      )
      .register(fields, {
        label: "What the savings assume",
        help: "Below their result.",
        group: "Retirement calculator",
      }),
    currentAge: slider("Current age", [0, 120], { min: 18, max: 80, initial: 30 }),
    retirementAge: slider("Retirement age (a year after the current age, or later)", [0, 120], {
      min: 19,
      max: 80,
      initial: 65,
    }),
    currentSavings: slider("Current savings", [0, 100_000_000], {
      ...{ min: 0, max: 1_000_000, initial: 25_000 },
    }),
    monthlyContribution: slider("Monthly contribution", [0, 1_000_000], {
      ...{ min: 0, max: 5_000, initial: 500 },
    }),
    /** No higher return can be set than the default. */
    annualReturn: slider("Annual return in percent, at most 15", [0, 15], {
      ...{ min: 1, max: 15, initial: 7 },
    }),
  },
);

const home = section("Home page", "What visitors read first, and what follows in which order.", {
  headline: required(120).default("Welcome").register(fields, {
    label: "Headline",
    help: "The largest text of the home page.",
    group: "Opening",
    first: true,
  }),
  introduction: text(1000).register(fields, {
    label: "Introduction",
    help: "A personal invitation below the headline.",
    first: true,
  }),
  button: required(60).default("Schedule a Consultation").register(fields, {
    label: "Button",
    help: "Below the introduction. It leads to your scheduling page.",
  }),
  hero: optionalImage().register(fields, {
    label: "Main picture",
    help: "Beside the headline.",
    first: true,
    aspect: 6 / 5,
    minWidth: 1200,
    askAlt: true,
  }),
  assurances: upTo(4, titled("One sentence.")).register(fields, {
    label: "Promises",
    help: "Short ones, below the headline and the picture. Three fit best.",
    entry: "Promise",
  }),
  approachHeading: line(120).register(fields, {
    label: "Heading of the steps",
    help: "Above the steps on the home page.",
    group: "How you work",
  }),
  approachSteps: upTo(5, titled("One or two sentences.")).register(fields, {
    label: "Steps",
    help: "How working with you goes, in order. Three fit best.",
    entry: "Step",
  }),
  servicesHeading: required(120).default("My Services").register(fields, {
    label: "Heading of the services",
    help: "Above the services, on the home page and on their own page.",
    group: "Headings",
  }),
  servicesLead: text(400).register(fields, {
    label: "Text below the heading of the services",
    help: "One sentence that introduces the services.",
  }),
  testimonialsHeading: required(120).default("What clients say").register(fields, {
    label: "Heading of the testimonials",
    help: "Above the testimonials on the home page.",
  }),
  blogHeading: required(120).default("From the blog").register(fields, {
    label: "Heading of the blog",
    help: "Above the newest posts on the home page.",
  }),
  contactHeading: required(120).default("Get in touch").register(fields, {
    label: "Heading of the contact form",
    help: "Above the form on the home page.",
  }),
  contactLead: text(400).register(fields, {
    label: "Text below the heading of the contact form",
    help: "One or two sentences that invite a message.",
  }),
  hidden: z
    .array(z.enum(keysOf(parts)))
    .max(7)
    .default(["example"])
    .register(fields, {
      label: "Show on the home page",
      help: "A part that is switched off, or has no content, disappears with its heading.",
      group: "Parts of the home page",
      choices: parts,
    }),
  /** Empty for the usual order. */
  order: upTo(6, z.enum(homeOrder)).register(fields, {
    label: "Order on the home page",
    help: "The opening stays first. The links in the footer follow.",
    kind: "order",
    choices: homeSections,
  }),
  starter,
});

const service = z.strictObject({
  title: required(120).register(fields, {
    label: "Title",
    help: "At the top of the service's page and in the post editor.",
  }),
  slug: z.string().max(80).regex(slug).register(fields, {
    label: "Address of the page",
    help: "It stays when the title changes, so that links to the page keep working.",
    kind: "slug",
  }),
  cardTitle: line(120).register(fields, {
    label: "Card title",
    help: "On cards and in lists, if the title is too long for them. Leave it empty to use the title.",
  }),
  description: line(400).register(fields, {
    label: "Description",
    help: "One sentence for the card and for search engines.",
  }),
  tagline: line(300).register(fields, {
    label: "Tagline",
    help: "Below the title of the service's page.",
  }),
  icon: z
    .enum(iconNames)
    .default("shield")
    .register(fields, {
      label: "Icon",
      help: "",
      group: "Icon",
      kind: "icon",
      choices: recordOf(iconNames, (icon) => serviceIcons[icon].name),
    }),
  /** A button of the row switches this. */
  hidden: z.boolean().default(false),
  starter,
  fullDescription: text(10_000).register(fields, {
    label: "Full description",
    help: "An empty line starts a new paragraph.",
    group: "Description on the page",
  }),
  summary: upTo(6, required(500)).register(fields, {
    label: "Summary",
    help: "For readers in a hurry. Three fit best.",
    entry: "Sentence",
  }),
  fit: z
    .strictObject({
      content: text(2000).register(fields, {
        label: "Text about who it suits",
        help: "Above the two lists.",
      }),
      yes: upTo(10, required(500)).register(fields, {
        label: "It suits you if",
        help: "Reasons to choose the service.",
        entry: "Reason for it",
      }),
      no: upTo(10, required(500)).register(fields, {
        label: "It does not suit you if",
        help: "Reasons against the service.",
        entry: "Reason against it",
      }),
    })
    .default({ content: "", yes: [], no: [] })
    .register(fields, { label: "Who it suits", help: "", group: "Who it suits" }),
  sections: upTo(
    20,
    z.strictObject({
      title: required(200).register(fields, { label: "Heading", help: "" }),
      content: text(5000).register(fields, { label: "Text", help: "" }),
      points: upTo(30, required(1000)).register(fields, {
        label: "Points",
        help: "A list below the text.",
        entry: "Point",
      }),
    }),
  ).register(fields, {
    label: "Sections of the page",
    help: "Each has a heading, a text and a list of points.",
    group: "Sections",
    entry: "Section",
    collapsible: true,
  }),
  questions: upTo(
    20,
    z.strictObject({
      question: required(300).register(fields, { label: "Question", help: "" }),
      answer: text(2000).register(fields, { label: "Answer", help: "" }),
    }),
  ).register(fields, {
    label: "Questions and answers",
    help: "What clients ask about the service.",
    group: "Questions",
    entry: "Question",
    collapsible: true,
  }),
  disclosure: text(2000).register(fields, {
    label: "Disclosure",
    help: "At the end of the service's page.",
    group: "Disclosure",
  }),
});
export type Service = z.infer<typeof service>;
export type ServiceInput = z.input<typeof service>;

const services = section(
  "Services",
  "What you offer. Each service has a card and a page of its own.",
  {
    items: upTo(24, service).register(fields, {
      label: "Services",
      help: "In the order in which visitors see them.",
      group: "Your services",
      kind: "services",
      entry: "Service",
    }),
    lead: text(400).register(fields, {
      label: "Introduction",
      help: "Below the heading of the page.",
      group: "Around them on their page",
    }),
    panelTitle: line(120).default("Questions about these services?").register(fields, {
      label: "Question after the services",
      help: "Beside a consultation button. Leave it empty for no button there.",
    }),
    panelText: text(400).register(fields, {
      label: "Text after that question",
      help: "One or two sentences.",
    }),
    /** Where former addresses lead: a service's slug, or empty for /services. */
    redirects: upTo(
      100,
      z.strictObject({
        from: z.string().max(80).regex(slug),
        to: z.string().max(80).regex(optionalSlug).default(""),
      }),
    ).register(fields, {
      label: "Old addresses",
      help: "Where the former addresses of services lead.",
      kind: "redirects",
    }),
  },
);

const blog = section(
  "Blog page",
  "The top of your blog, its authors, and who approves what is published.",
  {
    heading: required(120).default("Blog").register(fields, {
      label: "Heading",
      help: "At the top of the blog.",
      group: "Top of the page",
    }),
    lead: text(400).register(fields, { label: "Introduction", help: "Below that heading." }),
    authors: upTo(20, required(80))
      .register(fields, {
        label: "More authors",
        help: "Who else posts can be by, besides the people who manage this site.",
        entry: "Author",
      })
      .register(z.globalRegistry, { private: true }),
    needApproval: z
      .boolean()
      .default(false)
      .register(fields, {
        label: "Posts need approval",
        help: "Editors submit a post, and an owner approves it before it can be published. What an owner publishes counts as approved.",
        group: "Approval",
      })
      .register(z.globalRegistry, { private: true }),
    ownersNeedApproval: z
      .boolean()
      .default(false)
      .register(fields, {
        label: "Owners need approval as well",
        help: "For a firm whose broker-dealer or insurer must approve: owners ask for approval as well. Another owner gives it, or a reviewer to whom another owner sent a link. Works with the setting above. An approval by a signed-in person proves who gave it. One by a link proves only what name and address were typed.",
        group: "Approval",
      })
      .register(z.globalRegistry, { private: true }),
    settingsNeedApproval: z
      .boolean()
      .default(false)
      .register(fields, {
        label: "Settings need approval as well",
        help: "Also the notice, services, disclosures and all other settings: one owner asks, another one approves. Works with both settings above. While you are the only owner, what you publish counts as approved.",
        group: "Approval",
      })
      .register(z.globalRegistry, { private: true }),
  },
);

const testimonials = section(
  "Review form",
  "What reviewers are asked, and when visitors see what they wrote.",
  {
    heading: required(120).default("Testimonials").register(fields, {
      label: "Heading",
      help: "At the top of the page of the testimonials.",
      group: "Top of the page",
    }),
    lead: text(400).register(fields, { label: "Introduction", help: "Below that heading." }),
    invitation: line(160).default("Be the first to share your experience.").register(fields, {
      label: "Invitation",
      help: "While there are no reviews.",
    }),
    samples: z.boolean().default(false).register(fields, {
      label: "Show the sample testimonials",
      help: "Their authors do not exist, so switch them off before real visitors come. At a public address visitors see them only on a demonstration (the next switch).",
    }),
    demonstration: z.boolean().default(false).register(fields, {
      label: "This site is a demonstration",
      help: "Never switch it on for real clients: the law forbids testimonials by people who do not exist (16 CFR 465.2).",
    }),
    approveFirst: z
      .boolean()
      .default(true)
      .register(fields, {
        label: "Should testimonials appear at once, or after you have read them?",
        help: "Anyone can leave a testimonial. You find those that wait under Testimonials.",
        group: "Reviews",
        first: true,
        choices: { true: "After I have read them (recommended)", false: "At once" },
      }),
    askConsent: z.boolean().default(true).register(fields, {
      label: "Ask reviewers who they are",
      help: "The form asks whether reviewers are clients, were paid or given something, and are family or employees of yours, and for their consent to publish the review under their name. Visitors see the answers with the review. No stars are chosen beforehand.",
    }),
    consent: text(1000)
      .default(
        "I agree that this firm publishes my review under the name that I entered. I can withdraw this at any time.",
      )
      .register(fields, {
        label: "Consent to publish",
        help: "Beside a box that reviewers must tick. Kept word for word with each testimonial.",
      }),
  },
);

const notice = section(
  "Notice",
  "One line on top of every page, for some days, such as when you are away.",
  {
    text: line(200).register(fields, {
      label: "Text",
      help: "Such as: The office is closed on Friday. Leave it empty for no notice.",
      group: "Notice",
    }),
    link: z.string().max(500).regex(optionalTarget).default("").register(fields, {
      label: "Link",
      help: "Where the text leads: an address, or a page of this site such as /contact.",
      kind: "link",
    }),
    firstDay: z.string().regex(optionalDate).default("").register(fields, {
      label: "First day",
      help: "Leave it empty to start at once.",
      kind: "date",
    }),
    lastDay: z.string().regex(optionalDate).default("").register(fields, {
      label: "Last day",
      help: "The notice is gone when this day ends. Leave it empty to keep it until you remove it.",
      kind: "date",
    }),
  },
).register(z.globalRegistry, { ordered: ["firstDay", "lastDay"] });

/** How long the archive keeps what was public, in years. */
const archiveYears = {
  "5": "5 years",
  "6": "6 years",
  "7": "7 years",
  "10": "10 years",
  "20": "20 years",
} as const;

const site = section("Technical", "Web address, search engines, visits, archive, new versions.", {
  visible: z.boolean().default(true).register(fields, {
    label: "Visible to search engines",
    help: "Switched off, your pages ask search engines not to list them. People who know the address still see your site.",
    group: "Visibility",
  }),
  countVisits: z.boolean().default(true).register(fields, {
    label: "Count visits",
    help: "How often each page is read, without cookies or personal data. You see it under Visits.",
  }),
  archiveYears: z.enum(keysOf(archiveYears)).default("7").register(fields, {
    label: "Keep what was public for",
    help: "Counted from the end of the year in which it left your site. Deleting a person's data does not delete what is younger. If you choose fewer years, this counts after a week; until then, the archive says what will go.",
    group: "Archive",
    choices: archiveYears,
  }),
  hold: z
    .boolean()
    .default(false)
    .register(fields, {
      label: "Hold: delete nothing",
      help: "For an examination or a lawsuit. Until you switch it off, nothing is deleted because of its age: no message, email, image, visit or copy in the archive. No person's data is deleted either.",
    })
    .register(z.globalRegistry, { private: true }),
  findReleases: z.boolean().default(true).register(fields, {
    label: "Look for new versions",
    help: "Once a day the site asks the place from which it was installed whether there is a newer version, and names it on Home. It sends nothing about you or your visitors.",
    group: "Updates",
  }),
});

export const sectionSchemas = {
  firm,
  look,
  adviser,
  contact,
  mail,
  licenses,
  disclosures,
  pages,
  home,
  services,
  calculators,
  blog,
  testimonials,
  notice,
  site,
};
export const settingsSchema = z.strictObject(sectionSchemas);

export type SectionName = keyof typeof sectionSchemas;
export type SiteSettings = z.infer<typeof settingsSchema>;
export const sectionNames = settingsSchema.keyof().options;

export function isSectionName(name: string | undefined): name is SectionName {
  return sectionNames.some((section) => section === name);
}
