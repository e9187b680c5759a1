// The fields of the sections about the firm, the adviser, how to reach them and their licenses.
import type { FieldGroup } from "./field-types.ts";

export const firmFields = [
  {
    title: "Name",
    fields: [
      {
        kind: "line",
        name: "name",
        label: "Name of the firm",
        help: "In the header, the footer, page titles, search results and emails.",
        autoComplete: "organization",
      },
      {
        kind: "line",
        name: "shortName",
        label: "Short name",
        help: "Replaces the name in the header of phones. Leave it empty when the name fits.",
      },
      {
        kind: "line",
        name: "tagline",
        label: "Tagline",
        help: "One sentence about the firm. In the footer, on share images and in feeds.",
      },
    ],
  },
  {
    title: "Logo and images",
    fields: [
      {
        kind: "image",
        name: "logo",
        label: "Logo",
        help: "Replaces the name in the header. A wide image with a transparent background fits best.",
        minWidth: 320,
      },
      {
        kind: "image",
        name: "logoDark",
        label: "Logo on dark backgrounds",
        help: "In the footer, and in the header for visitors who prefer dark colors.",
        minWidth: 320,
      },
      {
        kind: "image",
        name: "icon",
        label: "Icon",
        help: "A square image for browser tabs and the home screens of phones.",
        aspect: 1,
        minWidth: 512,
      },
      {
        kind: "image",
        name: "shareImage",
        label: "Share image",
        help: "Shown when someone shares a link to the site. Without it, an image is drawn from the name and tagline.",
        aspect: 1200 / 630,
        minWidth: 1200,
      },
    ],
  },
  {
    title: "Colors",
    fields: [
      {
        kind: "color",
        name: "mainColor",
        label: "Main color",
        help: "Of links, buttons and dark panels.",
      },
      {
        kind: "color",
        name: "accentColor",
        label: "Accent color",
        help: "Of markers, stars, underlines and the ring around the focused control.",
      },
    ],
  },
] as const satisfies readonly FieldGroup[];

export const adviserFields = [
  {
    title: "Name and title",
    fields: [
      {
        kind: "line",
        name: "name",
        label: "Your full name",
        help: "In 'A Message from …', under posts and in search results.",
        autoComplete: "name",
      },
      {
        kind: "line",
        name: "firstName",
        label: "First name",
        help: "Where pages speak of you in a personal way.",
        autoComplete: "given-name",
      },
      {
        kind: "line",
        name: "credentials",
        label: "Credentials",
        help: "Behind your name, such as CFP®, CLU®.",
      },
      {
        kind: "line",
        name: "title",
        label: "Title",
        help: "Below your name, such as Independent life-insurance adviser.",
        autoComplete: "organization-title",
      },
    ],
  },
  {
    title: "Portrait",
    fields: [
      {
        kind: "image",
        name: "portrait",
        label: "Portrait",
        help: "Beside your message on the home page. An upright photo.",
        aspect: 4 / 5,
        minWidth: 800,
        askAlt: true,
      },
    ],
  },
  {
    title: "Message on the home page",
    fields: [
      {
        kind: "text",
        name: "lead",
        label: "Opening",
        help: "The first paragraph of your message, in larger letters.",
      },
      {
        kind: "list",
        name: "paragraphs",
        label: "Paragraphs",
        help: "Below the opening.",
        entry: "Paragraph",
        entryKind: "text",
      },
      {
        kind: "list",
        name: "bullets",
        label: "Bullet points",
        help: "Below your message, with check marks.",
        entry: "Bullet point",
        entryKind: "line",
      },
    ],
  },
] as const satisfies readonly FieldGroup[];

export const contactFields = [
  {
    title: "Phone and email",
    fields: [
      {
        kind: "phone",
        name: "phone",
        label: "Phone",
        help: "In the footer and beside the contact forms. An extension is allowed: (212) 555-0100 ext. 12.",
      },
      {
        kind: "email",
        name: "email",
        label: "Public email address",
        help: "Beside the contact forms. Everyone can read it.",
        autoComplete: "email",
      },
      {
        kind: "line",
        name: "answerTime",
        label: "How soon you answer",
        help: "A sentence at the contact forms, such as: You hear back within one business day.",
      },
    ],
  },
  {
    title: "Address",
    fields: [
      {
        kind: "line",
        name: "street",
        label: "Street",
        help: "With suite or floor. In the footer and on the contact page.",
        autoComplete: "street-address",
      },
      {
        kind: "switch",
        name: "showStreet",
        label: "Show the street and postal code",
        help: "Off: pages show the city and state alone.",
      },
      {
        kind: "line",
        name: "city",
        label: "City",
        help: "In the footer, on the contact page and in search results.",
        autoComplete: "address-level2",
      },
      {
        kind: "line",
        name: "region",
        label: "State",
        help: "Behind the city, such as OR.",
        autoComplete: "address-level1",
      },
      {
        kind: "line",
        name: "postalCode",
        label: "Postal code",
        help: "Behind the state.",
        autoComplete: "postal-code",
      },
      {
        kind: "country",
        name: "country",
        label: "Country",
        help: "For search engines, and for phone numbers without a country code.",
      },
    ],
  },
  {
    title: "Links",
    fields: [
      {
        kind: "link",
        name: "schedulingUrl",
        label: "Scheduling page",
        help: "Where 'Book Your Private Consultation' and similar buttons lead. Without it they lead to the contact form.",
      },
      {
        kind: "rows",
        name: "socials",
        label: "Social profiles",
        help: "Below 'Follow' in the footer.",
        entry: "Profile",
        fields: [
          { kind: "line", name: "name", label: "Name", help: "Such as LinkedIn." },
          { kind: "link", name: "url", label: "Address", help: "Of your profile." },
        ],
      },
    ],
  },
  {
    title: "Time",
    fields: [
      {
        kind: "timeZone",
        name: "timeZone",
        label: "Time zone",
        help: "Dates of posts and messages are shown in it.",
      },
    ],
  },
] as const satisfies readonly FieldGroup[];

export const licensesFields = [
  {
    title: "Licenses",
    fields: [
      {
        kind: "rows",
        name: "licenses",
        label: "Licenses",
        help: "In the footer of every page.",
        entry: "License",
        fields: [
          { kind: "line", name: "state", label: "State", help: "Such as Oregon." },
          { kind: "line", name: "type", label: "Type", help: "Such as Life and health." },
          { kind: "line", name: "number", label: "Number", help: "As the state issued it." },
          { kind: "date", name: "expires", label: "Expires", help: "Empty when it does not." },
        ],
      },
      {
        kind: "digits",
        name: "npn",
        label: "National Producer Number (NPN)",
        help: "In the footer, beside your licenses.",
      },
    ],
  },
  {
    title: "Where and with whom you work",
    fields: [
      {
        kind: "list",
        name: "statesServed",
        label: "States served",
        help: "In the footer and for search engines.",
        entry: "State",
        entryKind: "line",
      },
      {
        kind: "text",
        name: "affiliation",
        label: "Affiliation",
        help: "Broker-dealer, agency or insurers that you must name. In the footer.",
      },
    ],
  },
] as const satisfies readonly FieldGroup[];
