// The fields of each step. The pages under /manage/settings have all the others.

export interface StepField {
  name: string;
  label: string;
  help?: string;
  kind: "line" | "text" | "email" | "phone" | "link" | "switch" | "time zone" | "addresses";
  required?: boolean;
  autoComplete?: string;
  /** Shown for a value that is not allowed. */
  invalid?: string;
}

export const fieldsByStep = {
  firm: [
    {
      name: "name",
      label: "Name of your firm",
      kind: "line",
      required: true,
      autoComplete: "organization",
      invalid: "Please enter the name of your firm.",
    },
    {
      name: "shortName",
      label: "Short name (optional)",
      help: "Replaces the name on phones, if it is too long for the header.",
      kind: "line",
    },
    {
      name: "tagline",
      label: "Tagline (optional)",
      help: "One sentence below the name in the footer and on shared links.",
      kind: "line",
    },
  ],
  adviser: [
    {
      name: "name",
      label: "Your full name",
      kind: "line",
      required: true,
      autoComplete: "name",
      invalid: "Please enter your name.",
    },
    {
      name: "title",
      label: "Title (optional)",
      help: "For example: Independent life-insurance adviser.",
      kind: "line",
      autoComplete: "organization-title",
    },
    {
      name: "lead",
      label: "Your message (optional)",
      help: "Two or three sentences: why you do this work, and what clients can expect.",
      kind: "text",
    },
  ],
  contact: [
    {
      name: "phone",
      label: "Phone (optional)",
      help: "An extension is allowed: (212) 555-0100 ext. 12.",
      kind: "phone",
      autoComplete: "tel",
      invalid: "Please enter a phone number such as (212) 555-0100.",
    },
    {
      name: "email",
      label: "Public email address (optional)",
      kind: "email",
      autoComplete: "email",
      invalid: "Please enter a valid email address.",
    },
    { name: "street", label: "Street (optional)", kind: "line", autoComplete: "street-address" },
    { name: "city", label: "City (optional)", kind: "line", autoComplete: "address-level2" },
    {
      name: "region",
      label: "State (optional)",
      kind: "line",
      autoComplete: "address-level1",
    },
    {
      name: "postalCode",
      label: "Postal code (optional)",
      kind: "line",
      autoComplete: "postal-code",
    },
    {
      name: "showStreet",
      label: "Show the street and postal code on the site",
      help: "If you work from home, switch this off: then only city and state are shown.",
      kind: "switch",
    },
    {
      name: "schedulingUrl",
      label: "Scheduling link (optional)",
      help: "Where visitors book a consultation, such as your Calendly page.",
      kind: "link",
      autoComplete: "url",
      invalid: "Please enter a full address that starts with https://.",
    },
    {
      name: "timeZone",
      label: "Time zone",
      help: "Dates on the site are shown in it.",
      kind: "time zone",
      invalid: "Please choose a time zone.",
    },
  ],
  mail: [
    {
      name: "recipients",
      label: "Who receives the messages",
      help: "One email address per line. Visitors do not see them.",
      kind: "addresses",
      invalid: "Please enter one valid email address per line.",
    },
  ],
} as const satisfies Record<string, readonly StepField[]>;

export type FieldsStepId = keyof typeof fieldsByStep;
