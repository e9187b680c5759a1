// One mail of each kind, with fixed ids, times and tokens. Their sources are in tests/mails, their pictures beside them.
import { createTransport } from "nodemailer";
import { defaultSettings } from "../app/config/site.ts";
import { brandOf } from "../supabase/functions/send-email/addresses.ts";
import { composeMail } from "../supabase/functions/send-email/delivery.ts";
import type { QueuedMail } from "../supabase/functions/send-email/letters.ts";
import { envelopeOf } from "../supabase/functions/send-email/mail-service.ts";

const site = "https://www.example.com";
export const { firm, look, adviser, contact, disclosures } = defaultSettings;
const licenses = {
  licenses: [
    { state: "California", type: "Life", number: "0A12345" },
    { state: "Oregon", type: "Life and health" },
  ],
  npn: "1234567",
};
const account = { site, token: "7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730" };
const dana = { name: "Dana Reed", email: "dana@example.com", phone: "" };
const lee = { name: "Lee Park", email: "lee@example.com", role: "editor", by: adviser.name };
const addresses = { email: "owner@example.com", new_email: "new@example.com" };

/** By the name of the file: its recipient and what the queue has. */
const samples: Record<string, { to: string } & Omit<QueuedMail, "created_at">> = {
  message: {
    ...{ to: "owner@example.com", kind: "message" },
    data: {
      ...dana,
      message:
        "My husband and I are expecting our first child in March. We rent, we have no policies, and we do not know where to start.\n\nCould we talk on a Thursday?",
    },
  },
  "message-with-consent": {
    ...{ to: "owner@example.com", kind: "message" },
    data: {
      ...{ name: "Zoë \u202eMüller\u200b", email: "zoë@müller.example", phone: "(503) 555-0142" },
      call_consent: `I agree to calls and texts from ${firm.name} at this number.`,
      message: "أريد أن أسأل عن التأمين على الحياة.\nPlease call me.",
    },
  },
  testimonial: {
    ...{ to: "owner@example.com", kind: "testimonial" },
    data: {
      ...{ name: "Sam Ortiz", role: "Carpenter", rating: 5, email: "sam@example.com" },
      content: "She told us which of the three policies we did not need.",
      ...{ relationship: "client", compensation: "none", connection: "none" },
      consent: "You may publish my review with my name.",
    },
  },
  confirmation: { to: "dana@example.com", kind: "confirmation", data: {} },
  test: { to: "owner@example.com", kind: "test", data: {} },
  recovery: { to: "owner@example.com", kind: "recovery", data: { ...account, seconds: 3600 } },
  invite: {
    ...{ to: "lee@example.com", kind: "invite" },
    data: { ...account, seconds: 86_400, inviter: adviser.name, role: "editor" },
  },
  "email-change": {
    ...{ to: "new@example.com", kind: "email_change" },
    data: { ...account, ...addresses, seconds: 3600 },
  },
  "address-changing": { to: "owner@example.com", kind: "address_changing", data: addresses },
  "address-changed": {
    ...{ to: "owner@example.com", kind: "address_changed" },
    data: { email: "new@example.com", old_email: "owner@example.com" },
  },
  "testimonial-answer": {
    ...{ to: "sam@example.com", kind: "testimonial_answer" },
    data: { decision: "shown" },
  },
  "testimonial-refused": {
    ...{ to: "sam@example.com", kind: "testimonial_answer" },
    data: { decision: "refused" },
  },
  "your-role": { to: "lee@example.com", kind: "your_role", data: lee },
  "role-of-person": { to: "owner@example.com", kind: "role_of_person", data: lee },
  "your-removal": { to: "lee@example.com", kind: "your_role", data: { ...lee, role: "" } },
  "removal-of-person": {
    ...{ to: "owner@example.com", kind: "role_of_person" },
    data: { ...lee, role: "" },
  },
  accepted: { to: "owner@example.com", kind: "accepted", data: lee },
  "approval-asked": {
    ...{ to: "owner@example.com", kind: "approval_asked" },
    data: { by: "Lee Park", title: "When term insurance is enough" },
  },
  "approval-decided": {
    ...{ to: "lee@example.com", kind: "approval_decided" },
    data: {
      ...{ by: adviser.name, title: "When term insurance is enough", event: "returned" },
      comment: "Please name the source of the second figure.",
    },
  },
  "not-published": {
    ...{ to: "owner@example.com", kind: "not_published" },
    data: {
      title: "When term insurance is enough",
      failure: "This version needs approval. Ask for approval before it is published",
    },
  },
  warning: {
    ...{ to: "owner@example.com", kind: "warning" },
    data: {
      warnings:
        "The last backup is from November 16.\nMails to dana@example.com have failed for more than an hour. The reason: 451 later",
    },
  },
  "code-used": {
    ...{ to: "owner@example.com", kind: "code_used" },
    data: { email: "dana@example.com", name: "Dana", replaced: "password" },
  },
  "password-changed": { to: "owner@example.com", kind: "password_changed", data: addresses },
};

export const mailNames = Object.keys(samples);

export function sampleOf(name: string) {
  const sample = samples[name];
  if (!sample) throw new Error(`There is no sample ${name}`);
  return sample;
}

export function composeSample(name: string) {
  const { to, kind, data } = sampleOf(name);
  const composed = composeMail(
    {
      ...{ id: "00000000-0000-4000-8000-000000000000", created_at: "2026-11-25T17:30:00Z" },
      ...{ kind, data },
    },
    {
      ...{ to: [], from: "website@example.com", hasSender: true, publicAddress: contact.email },
      brand: brandOf({ firm, look, adviser, contact, licenses, disclosures }, site),
    },
  );
  return { ...composed, to };
}

/** The mail as a server receives it, with LF. */
export async function sourceOf(name: string): Promise<string> {
  const builder = createTransport({ streamTransport: true, buffer: true, newline: "unix" });
  const { message } = await builder.sendMail({
    ...envelopeOf(composeSample(name)),
    baseBoundary: name,
  });
  return String(message);
}
