// The fields of the sections about single pages, mails and the site as a whole.
import type { FieldGroup } from "./field-types.ts";

export const mailFields = [
  {
    title: "Messages by email",
    fields: [
      {
        kind: "list",
        name: "recipients",
        label: "Recipients",
        help: "Who receives the messages of the contact forms. Visitors never see these addresses. Empty: CONTACT_TO of the server, else your public address.",
        entry: "Address",
        entryKind: "email",
      },
      {
        kind: "email",
        name: "sender",
        label: "Sender",
        help: "The address that the site's emails come from. Empty: CONTACT_FROM of the server. Your mail service must allow it.",
      },
      {
        kind: "switch",
        name: "notifyTestimonials",
        label: "Tell me about new testimonials",
        help: "The recipients get an email for each new testimonial.",
      },
    ],
  },
] as const satisfies readonly FieldGroup[];

export const disclosuresFields = [
  {
    title: "On every page",
    fields: [
      {
        kind: "list",
        name: "footer",
        label: "Footer",
        help: "Paragraphs at the end of every page, such as your state's required notices.",
        entry: "Paragraph",
        entryKind: "text",
      },
    ],
  },
  {
    title: "Beside content",
    fields: [
      {
        kind: "text",
        name: "testimonials",
        label: "Under testimonials",
        help: "On the home page and on Client Success Stories.",
      },
      {
        kind: "text",
        name: "lifeInsuranceCalculator",
        label: "Beside the life insurance calculator",
        help: "Below its result on the page of the calculators.",
      },
      {
        kind: "text",
        name: "retirementCalculator",
        label: "Beside the retirement calculator",
        help: "Below its result on the page of the calculators.",
      },
      {
        kind: "rows",
        name: "posts",
        label: "Under posts",
        help: "At the end of posts of one category. A row without a category appears under all posts.",
        entry: "Disclosure",
        fields: [
          {
            kind: "line",
            name: "category",
            label: "Category",
            help: "As written in the post. Empty for all posts.",
          },
          { kind: "text", name: "text", label: "Text", help: "A blank line starts a paragraph." },
        ],
      },
    ],
  },
  {
    title: "At forms and in emails",
    fields: [
      {
        kind: "text",
        name: "consent",
        label: "Consent at the contact forms",
        help: "Above the send button, such as the consent to be called.",
      },
      {
        kind: "text",
        name: "mails",
        label: "In emails",
        help: "At the end of emails that the site sends.",
      },
    ],
  },
] as const satisfies readonly FieldGroup[];

export const homeFields = [
  {
    title: "Opening",
    fields: [
      {
        kind: "line",
        name: "headline",
        label: "Headline",
        help: "The largest text of the home page.",
      },
      {
        kind: "text",
        name: "introduction",
        label: "Introduction",
        help: "A personal invitation below the headline.",
      },
      {
        kind: "image",
        name: "hero",
        label: "Image",
        help: "Beside the headline.",
        aspect: 6 / 5,
        minWidth: 1200,
        askAlt: true,
      },
      {
        kind: "rows",
        name: "assurances",
        label: "Assurances",
        help: "Short promises below the opening. Three fit best.",
        entry: "Assurance",
        fields: [
          { kind: "line", name: "title", label: "Title", help: "A few words." },
          { kind: "text", name: "text", label: "Text", help: "One sentence." },
        ],
      },
    ],
  },
  {
    title: "How you work",
    fields: [
      {
        kind: "line",
        name: "approachHeading",
        label: "Heading of the steps",
        help: "Above the steps on the home page.",
      },
      {
        kind: "rows",
        name: "approachSteps",
        label: "Steps",
        help: "How working with you goes, in order. Three fit best.",
        entry: "Step",
        fields: [
          { kind: "line", name: "title", label: "Title", help: "A few words." },
          { kind: "text", name: "text", label: "Text", help: "One or two sentences." },
        ],
      },
    ],
  },
  {
    title: "Headings",
    fields: [
      {
        kind: "line",
        name: "servicesHeading",
        label: "Heading of the services",
        help: "Above the services on the home page.",
      },
      {
        kind: "text",
        name: "servicesLead",
        label: "Text below the heading of the services",
        help: "One sentence that introduces the services.",
      },
      {
        kind: "line",
        name: "testimonialsHeading",
        label: "Heading of the testimonials",
        help: "Above the testimonials on the home page.",
      },
      {
        kind: "line",
        name: "blogHeading",
        label: "Heading of the blog",
        help: "Above the newest posts on the home page.",
      },
      {
        kind: "line",
        name: "contactHeading",
        label: "Heading of the contact form",
        help: "Above the form on the home page.",
      },
      {
        kind: "text",
        name: "contactLead",
        label: "Text below the heading of the contact form",
        help: "One or two sentences that invite a message.",
      },
    ],
  },
  {
    title: "Parts of the home page",
    fields: [
      {
        kind: "parts",
        name: "hidden",
        label: "Show on the home page",
        help: "A part that is switched off, or has no content, disappears with its heading.",
        parts: [
          { value: "about", label: "Your message" },
          { value: "services", label: "Services" },
          { value: "approach", label: "How you work" },
          { value: "testimonials", label: "Testimonials" },
          { value: "blog", label: "Blog" },
          { value: "contact", label: "Contact form" },
        ],
      },
    ],
  },
] as const satisfies readonly FieldGroup[];

export const servicesFields = [
  {
    title: "Services",
    fields: [
      {
        kind: "text",
        name: "lead",
        label: "Introduction",
        help: "Below the heading of the page Services.",
      },
      {
        kind: "services",
        name: "items",
        label: "Services",
        help: "Each has a card, in this order, and a page of its own.",
      },
      {
        kind: "services",
        name: "redirects",
        label: "Redirects",
        help: "Where the addresses of deleted services lead.",
      },
    ],
  },
] as const satisfies readonly FieldGroup[];

export const blogFields = [
  {
    title: "Blog",
    fields: [
      { kind: "line", name: "heading", label: "Heading", help: "At the top of the blog." },
      { kind: "text", name: "lead", label: "Introduction", help: "Below that heading." },
      {
        kind: "list",
        name: "authors",
        label: "More authors",
        help: "Names to sign posts with, besides those of the people who manage the site.",
        entry: "Author",
        entryKind: "line",
      },
    ],
  },
] as const satisfies readonly FieldGroup[];

export const testimonialsFields = [
  {
    title: "Testimonials",
    fields: [
      {
        kind: "text",
        name: "lead",
        label: "Introduction",
        help: "Below the heading of Client Success Stories.",
      },
      {
        kind: "switch",
        name: "samples",
        label: "Show the sample reviews",
        help: "The authors of the five samples do not exist. Switch them off before real visitors come.",
      },
      {
        kind: "switch",
        name: "approveFirst",
        label: "Approve new reviews first",
        help: "On: a new review stays hidden until you approve it.",
      },
    ],
  },
] as const satisfies readonly FieldGroup[];

export const siteFields = [
  {
    title: "Visibility",
    fields: [
      {
        kind: "switch",
        name: "visible",
        label: "Visible to search engines",
        help: "Off: every page asks search engines not to list it. People with the address still see the site.",
      },
      {
        kind: "switch",
        name: "countVisits",
        label: "Count visits",
        help: "Daily sums without cookies or personal data, on the page Visits.",
      },
    ],
  },
] as const satisfies readonly FieldGroup[];
