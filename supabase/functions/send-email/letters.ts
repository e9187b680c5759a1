// What each kind of mail says. layout.ts makes text and HTML of it.

import { confirmLink, type LinkType } from "../_shared/confirm-link.ts";
import { contactFieldNames, contactFields, mapContactFields } from "../_shared/contact-fields.ts";
import { emailAddress } from "../_shared/contact-message.ts";
import { roleInfo } from "../_shared/roles.ts";
import {
  describeAnswers,
  detailNames,
  questionNames,
  testimonialFields,
} from "../_shared/testimonial-fields.ts";
import type { Brand, Letter, Part } from "./layout.ts";

/** A mail as the queue has it. */
export interface QueuedMail {
  kind: string;
  created_at: string;
  data: Readonly<Record<string, unknown>>;
}

/** @throws for an unknown kind */
export function composeLetter({ kind, created_at, data }: QueuedMail, brand: Brand): Letter {
  const compose = Object.hasOwn(letters, kind) ? letters[kind] : undefined;
  if (!compose) throw new Error(`There is no letter ${kind}`);
  const read = (name: string) =>
    /^(string|number)$/.test(typeof data[name]) ? String(data[name]) : "";
  // Auth says where its links lead to; a setting of the function has priority.
  const site = brand.site ?? (read("site") || null);
  const { link, ...letter } = compose(read, { ...brand, site }, new Date(created_at));
  const [button = "", path] = link ?? [];
  const last = site ? { button, url: site + path } : `${button}: ${path} on the website.`;
  const parts = link ? [...letter.parts, last] : letter.parts;
  return { automatic: "auto-generated", ...letter, parts, subject: visibleOnly(letter.subject) };
}

/** Values of the queued data; empty when missing. */
type Read = (name: string) => string;
/** `link`: the page of the site to which the last button leads. */
type LetterWithLink = Letter & { link?: readonly [button: string, path: string] | undefined };
type Compose = (read: Read, brand: Brand, time: Date) => LetterWithLink;

const letters: Record<string, Compose> = {
  message: composeMessage,
  testimonial: composeTestimonial,
  confirmation: (_read, { name }) => ({
    subject: `${name} has received your message`,
    parts: [
      "Thank you for writing to us. Your message has arrived.",
      "If you did not write to us, someone else typed your address into the form on our website. There is nothing you need to do.",
    ],
    reason: "You get this once, because a message with your address was sent through our website.",
    automatic: "auto-replied",
  }),
  testimonial_answer: (read, { name }) => ({
    subject: `Your review of ${name}`,
    ...(read("decision") === "shown"
      ? {
          parts: ["Thank you for your review. It is on our website."],
          link: ["Read it", "/testimonials"],
        }
      : { parts: ["Thank you for your review. We do not show it on our website."] }),
    reason: "You left your address with the review. This is the only mail about it.",
  }),
  test: (_read, { name }) => ({
    subject: `Test mail from ${name}`,
    title: "Your emails arrive",
    parts: [
      "This is the test mail that you asked for. All emails of your website come from the same sender.",
      "If it is in the spam folder, mark it as wanted and check the sender's SPF and DKIM records.",
    ],
    link: ["Open the settings", "/manage/settings/mail"],
    reason: "You receive the messages of the contact forms, and an owner asked for a test mail.",
  }),
  recovery: account("recovery", "Choose a new password", (_read, { name }) => ({
    subject: `Choose a new password for ${name}`,
    parts: ["Somebody asked for a new password for your account. If it was you, choose one:"],
    reason: "If you did not ask for it, ignore this mail: nothing changes.",
  })),
  invite: account("invite", "Accept the invitation", (read, { name, site }) => ({
    subject: `${read("inviter") || name} invites you to the website of ${name}`,
    title: "You are invited",
    parts: [
      `${read("inviter") || `An owner of ${name}`} invites you to help manage the website of ${name}${site ? `, ${site}` : ""}.`,
      `As ${roleName(read)}, you would ${(infoOf(read("role"))?.may ?? "help").toLowerCase()}.`,
      "To accept, follow this link and choose a password:",
    ],
    reason: "If you do not expect this, ignore this mail: nothing changes.",
  })),
  email_change: account("email_change", "Confirm the address", (read, { name }) => ({
    subject: `Confirm your new address for ${name}`,
    parts: [
      `The account ${read("email")} wants to sign in with ${read("new_email")} from now on. If it was you, confirm the address:`,
    ],
    reason: "If it was not you, ignore this mail: nothing changes.",
  })),
  address_changing: (read, { name }) =>
    forSecurity(
      `Your address for ${name} is about to change`,
      [
        `Your account got a request to sign in with ${read("new_email")} from now on. It changes when the link in the mail to that address is confirmed.`,
        "If it was not you, sign in and set a new password now: that stops the change and ends all other sessions.",
      ],
      ["Open your account", "/manage/account"],
    ),
  address_changed: (read, { name }) =>
    forSecurity(
      `Your address for ${name} was changed`,
      [
        `Your account signs in with ${read("email")} from now on, no longer with ${read("old_email")}.`,
        "If it was not you, tell an owner of the website at once.",
      ],
      ["Sign in", "/login"],
    ),
  password_changed: (_read, { name }) =>
    forSecurity(
      `Your password for ${name} was changed`,
      [
        "Your account has a new password. All other sessions have ended.",
        "If it was not you, choose a new one now:",
      ],
      ["Choose a new password", "/forgot-password"],
    ),
  code_used: (read, { name }) =>
    forSecurity(
      `A recovery code was used at ${name}`,
      [
        `${person(read)} used a recovery code in place of ${read("replaced") === "app" ? "the authenticator app. The two-step sign-in of this account is off now" : "a forgotten password"}.`,
        "If it was not this person, set a new password and make new recovery codes now, and ask the other owners.",
      ],
      ["Open your account", "/manage/account"],
    ),
  your_role: (read, { name }) =>
    read("role")
      ? forSecurity(
          `Your role at ${name}`,
          [`${by(read)} made you ${roleName(read)} of the website of ${name}.`],
          ["Open the website", "/manage"],
        )
      : forSecurity(`Your access to ${name} has ended`, [
          `${by(read)} removed your account of the website of ${name}. It cannot sign in any more.`,
        ]),
  role_of_person: (read, { name }) =>
    forSecurity(
      read("role") ? `A role at ${name} was changed` : `A person of ${name} was removed`,
      [
        read("role")
          ? `${by(read)} made ${person(read)} ${roleName(read)} of your website.`
          : `${by(read)} removed ${person(read)}. The account cannot sign in any more.`,
        "If that is not right, change it, and ask the other owners.",
      ],
      ["Open the people", "/manage/people"],
    ),
  accepted: (read, { name }) =>
    forSecurity(
      `${read("name") || read("email")} accepted the invitation of ${name}`,
      [`${person(read)} accepted the invitation and is ${roleName(read)} of your website now.`],
      ["Open the people", "/manage/people"],
    ),
  approval_asked: (read) =>
    aboutContent(read, `For approval: ${read("title")}`, [
      `${read("by")} asks you to approve ${thing(read)}.`,
    ]),
  approval_decided: (read) =>
    aboutContent(
      read,
      `${read("event") === "approved" ? "Approved" : "To be changed"}: ${read("title")}`,
      [
        `${read("by")} ${read("event")} ${thing(read)} that you submitted.`,
        ...(read("comment") ? [{ words: read("comment") }] : []),
      ],
    ),
  not_published: (read) =>
    aboutContent(read, `Not published: ${read("title")}`, [
      `The scheduled post '${read("title")}' could not be published. It is tried again every hour. The reason: ${read("failure")}`,
    ]),
  warning: (read, { name }) => ({
    subject: `The website of ${name} needs your attention`,
    parts: read("warnings").split("\n"),
    link: ["See what to do", "/manage"],
    reason: `At most one such mail comes in 24 hours. ${switchable}`,
  }),
};

export const letterKinds: readonly string[] = Object.keys(letters);

const switchable =
  "You get this because you help to manage the website. Owners switch such mails off in the settings, under Email.";

/** @param read of the kind: post, page or section, whose title is the name of the section */
function aboutContent(read: Read, subject: string, parts: readonly Part[]): LetterWithLink {
  const names = { page: "pages", section: "settings" }[read("kind")] ?? "posts";
  return { subject, parts, link: [`Open the ${names}`, `/manage/${names}`], reason: switchable };
}

function thing(read: Read): string {
  const name = read("kind") === "section" ? "settings" : read("kind") || "post";
  return `the ${name} '${read("title")}'`;
}

function forSecurity(
  subject: string,
  parts: readonly Part[],
  link?: LetterWithLink["link"],
): LetterWithLink {
  const reason = "You get this for your security. It cannot be switched off.";
  return { subject, parts, link, reason };
}

function composeMessage(read: Read, { name: firm, timeZone }: Brand, time: Date): LetterWithLink {
  const message = mapContactFields(read);
  const name = visibleOnly(message.name);
  const address = asciiAddress(message.email);
  const rows = contactFieldNames
    .filter((field) => field !== "message" && (message[field] || !/consent|page/.test(field)))
    .map(
      (field) =>
        [contactFields[field].shortLabel, visibleOnly(message[field]) || "not given"] as const,
    );
  return {
    subject: `Message to ${firm} from ${name}`,
    parts: [
      { words: message.message },
      { rows: [...rows, ["Sent", formatTime(time, timeZone)]] },
      address ? `Answer this mail to write to ${name}.` : howToReply,
    ],
    link: ["Open the messages", "/messages"],
    ...(address && { replyTo: { name, address } }),
    reason: teamReason,
    automatic: undefined,
  };
}

const teamReason =
  "You are among those who receive what visitors send through the website. Owners choose them in the settings, under Email.";
const howToReply =
  "To answer, copy the address above into a new mail. Not every mail server accepts it, so it is not set as the reply address.";

function composeTestimonial(read: Read, { name: firm }: Brand): LetterWithLink {
  const [name, email] = [visibleOnly(read("name")), asciiAddress(read("email"))];
  const asked = [...questionNames, "compensation_details"];
  const answers = Object.fromEntries(asked.map((question) => [question, read(question)]));
  return {
    subject: `Review of ${firm} by ${name}`,
    parts: [
      { words: read("content") },
      {
        rows: [
          ["Name", name],
          ...detailNames.map(
            (field) => [testimonialFields[field].shortLabel, read(field) || "not given"] as const,
          ),
          ["Rating", `${read("rating")} of 5`],
          ["Answers", describeAnswers(answers) || "not asked"],
          ["May be published", read("consent") || "not asked"],
          ["Email", read("email") || "not given"],
        ],
      },
      read("refused_at")
        ? "It was refused: visitors do not see it."
        : read("approved_at")
          ? "It is on your website. You can answer, refuse or delete it."
          : "Visitors do not see it until you approve it.",
    ],
    link: ["Open the testimonials", "/manage/testimonials"],
    ...(email && { replyTo: { name, address: email } }),
    reason: teamReason,
  };
}

/** A mail with a link that works once. */
function account(type: LinkType, button: string, compose: Compose): Compose {
  return (read, brand, time) => {
    const letter = compose(read, brand, time);
    const url = confirmLink(brand.site ?? "", type, read("token")).href;
    const hours = Math.round(Number(read("seconds")) / 3600);
    return {
      ...letter,
      parts: [
        ...letter.parts,
        { button, url },
        `The link works once and for ${hours > 1 ? `${hours} hours` : "one hour"}.`,
      ],
    };
  };
}

/** Who did it; nobody when a script did. */
function by(read: Read): string {
  return read("by") || "Someone with access to the server";
}

function person(read: Read): string {
  return [read("name"), read("email")].filter(Boolean).join(", ");
}

/** Such as "an editor". */
function roleName(read: Read): string {
  const name = infoOf(read("role"))?.name.toLowerCase() ?? read("role");
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

function infoOf(role: string) {
  return Object.entries(roleInfo).find(([name]) => name === role)?.[1];
}

function formatTime(time: Date, timeZone: string): string {
  const options = { dateStyle: "medium", timeStyle: "long", timeZone } as const;
  return new Intl.DateTimeFormat("en-US", options).format(time);
}

/** Without the characters that reverse the direction of a subject, or hide in it. */
function visibleOnly(text: string): string {
  return text.replace(/[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "");
}

/**
 * An address that every mail service accepts in a header, with its domain in Punycode. Null when the part before the @ is
 * not ASCII, because only servers with SMTPUTF8 accept that, and for unusual addresses: others reject the mail.
 */
function asciiAddress(email: string): string | null {
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at);
  const url = `http://${email.slice(at + 1)}`;
  return emailAddress.test(email) && /^[\x21-\x7e]+$/.test(local) && URL.canParse(url)
    ? `${local}@${new URL(url).hostname}`
    : null;
}
