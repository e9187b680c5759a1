// The fields of the contact form, in their order. The forms, the checks (contact-message.ts), the row
// and the mail derive from them.
import { contactMessages as lengths } from "./database-limits.ts";
import { keysOf, recordOf } from "./object-keys.ts";

interface ContactField {
  /** The label on the form. */
  label: string;
  /** The name in the mail and in error messages. */
  shortLabel: string;
  optional?: true;
  /** The minimum number of characters on /contact. Elsewhere a required field must not be blank. */
  min?: number;
  /** The maximum number of characters. */
  max: number;
  /** The value of a checkbox is the sentence beside it, so that the message has what the visitor agreed to. */
  type?: "email" | "tel" | "checkbox" | "hidden";
  autoComplete?: string;
  /** The height of a text with several lines. Other fields have a single line. */
  rows?: number;
}

const fields = {
  name: { label: "Full Name", shortLabel: "Name", min: 2, max: lengths.name, autoComplete: "name" },
  email: {
    label: "Email Address",
    shortLabel: "Email",
    max: lengths.email,
    type: "email",
    autoComplete: "email",
  },
  phone: {
    label: "Phone Number (Optional)",
    shortLabel: "Phone",
    optional: true,
    max: lengths.phone,
    type: "tel",
    autoComplete: "tel",
  },
  call_consent: {
    label: "Agreed to calls and texts",
    shortLabel: "Agreed to calls and texts",
    optional: true,
    max: lengths.call_consent,
    type: "checkbox",
  },
  /** The path of the page from which the visitor wrote. */
  page: {
    label: "Page",
    shortLabel: "Written from",
    optional: true,
    max: lengths.page,
    type: "hidden",
  },
  message: { label: "Your Message", shortLabel: "Message", min: 10, max: lengths.message, rows: 5 },
} as const satisfies Record<string, ContactField>;

export type ContactFieldName = keyof typeof fields;
export const contactFields: Readonly<Record<ContactFieldName, ContactField>> = fields;
export const contactFieldNames: readonly ContactFieldName[] = keysOf(fields);

/** Whether the visitor types the value. An invalid value of the others does not reject a message. */
export function isTyped(name: ContactFieldName): boolean {
  const { type } = contactFields[name];
  return type !== "checkbox" && type !== "hidden";
}

/** What a visitor sends. An optional field that was left empty is "". */
export type ContactMessage = Record<ContactFieldName, string>;

/** Builds an object with one value per field. */
export function mapContactFields<Value>(
  make: (name: ContactFieldName, field: ContactField) => Value,
): Record<ContactFieldName, Value> {
  return recordOf(contactFieldNames, (name) => make(name, contactFields[name]));
}
