// The checks before going live. The start of the site, `npm run check-live` and the page /manage use this list.

import { dayIn, isCalifornia, isSameState } from "../../../supabase/functions/_shared/licenses.ts";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { isLoopback } from "../server-settings.ts";
import { builtInSamples, isFictional } from "../site.ts";
import {
  fields,
  type SectionName,
  type SiteSettings,
  sectionNames,
  sectionSchemas,
} from "../site-schema.ts";
import { describeEmptyServices, unreadTexts } from "../unfinished-texts.ts";
import type { Area, SiteFacts } from "./facts.ts";

export interface Check {
  id: string;
  /** An error keeps the site from being ready for real visitors. */
  severity: "error" | "warning";
  /** One sentence: what is wrong, and how to fix it. A page links it to `fixAt`. */
  text: string;
  /** Where to fix it. */
  fixAt: string;
}

interface Problem {
  /** @returns the problem as the first half of the sentence; nothing when there is none */
  find(facts: SiteFacts): string | string[] | false | null;
  fix: string;
}

type Rule = Omit<Check, "text"> & Problem;
/** A page of the site, an environment variable or a command. */
type Place = `/${string}` | Uppercase<string> | `npm run ${string}`;

const day = 24 * 60 * 60_000;
const megabyte = 1024 ** 2;
/** In days, before a license ends. */
const soon = 60;

/** What only `npm run check-live` looks at: its name, and the fix. */
const areas: Record<Area, readonly [what: string, fix: string]> = {
  headers: ["security headers", "let the proxy pass on what the site sends"],
  tls: ["TLS", "correct the proxy"],
  changes: ["Realtime", "let WebSockets pass, and read the log of the site"],
  auth: ["the settings of Auth", "correct supabase/config.toml and run npx supabase config push"],
  functions: ["the functions", "run npx supabase functions deploy and npx supabase secrets set"],
  database: ["the database", "run npx supabase db push, and undo what was changed by hand"],
  schedule: ["the schedule", "follow “Schedules of a hosted project” in docs/operations.md"],
};
const areaNames = keysOf(areas);
const projectAreas: readonly Area[] = ["auth", "functions", "database", "schedule"];

const rules: readonly Rule[] = [
  // For the person who runs the server.
  error("site-url-missing", "SITE_URL", {
    find: ({ address }) => !address.isSet && "SITE_URL is not set",
    fix: "set it to the public address of the site",
  }),
  error("site-url-loopback", "SITE_URL", {
    find: ({ address: { isSet, siteUrl } }) =>
      isSet &&
      isLoopbackUrl(siteUrl) &&
      `SITE_URL is ${siteUrl}, which only this machine can reach`,
    fix: "set it to the public address of the site",
  }),
  error("site-url-http", "SITE_URL", {
    find: ({ address: { isSet, siteUrl } }) =>
      isSet &&
      !isLoopbackUrl(siteUrl) &&
      !siteUrl.startsWith("https:") &&
      `SITE_URL is ${siteUrl}, without encryption`,
    fix: "serve the site over TLS and set SITE_URL to its https address",
  }),
  error("site-url-answer", "SITE_URL", {
    find: ({ address: { siteUrl, answer } }) =>
      answer === "another site" && `At ${siteUrl} another site answers`,
    fix: "point the domain to this site, or correct SITE_URL",
  }),
  error("site-url-answer", "SITE_URL", {
    find: ({ address: { siteUrl, answer } }) =>
      answer !== null &&
      typeof answer === "object" &&
      `At ${siteUrl} this site does not answer (${answer.problem})`,
    fix: "check the domain, the proxy and SITE_URL",
  }),
  error("trusted-proxies", "TRUSTED_PROXIES", {
    find: ({ address: { proxies, trustedProxies } }) =>
      trustedProxies === 0 &&
      (proxies ?? 0) > 0 &&
      "A proxy stands in front of the site, so all visitors share one rate limit",
    fix: "set TRUSTED_PROXIES to the number of proxies",
  }),
  error("trusted-proxies", "TRUSTED_PROXIES", {
    find: ({ address: { proxies, trustedProxies } }) =>
      proxies !== null &&
      trustedProxies > proxies &&
      `TRUSTED_PROXIES is ${trustedProxies}, but requests pass ${proxies}, so visitors can invent their address`,
    fix: "correct TRUSTED_PROXIES",
  }),
  error("no-mail", "SMTP_URL", {
    find: ({ mail }) => mail?.isConfigured === false && "Messages are stored and not mailed",
    fix: "set SMTP_URL or RESEND_API_KEY",
  }),
  error("mail-held", "npm run restore -- --live", {
    find: ({ mail }) =>
      mail?.isConfigured === true &&
      mail.isHeld &&
      "Outgoing mail is held, because this site was restored from a backup",
    fix: "run npm run restore -- --live if it is the live site",
  }),
  error("mail-unreachable", "SMTP_URL", {
    find: ({ mail }) =>
      mail?.problem != null && `The mail service cannot be used (${mail.problem})`,
    fix: "correct SMTP_URL or RESEND_API_KEY",
  }),
  warning("mail-sender", "CONTACT_FROM", {
    find: ({ mail }) =>
      mail?.sender?.filter(({ state }) => state === "wrong").map(({ text }) => text) ?? null,
    fix: "correct it, or mails may be taken for spam",
  }),
  warning("account-mails", "SEND_EMAIL_HOOK_SECRET", {
    find: ({ mail }) =>
      mail?.takesAccountMails === false &&
      "Auth sends mails about accounts itself, as the secret SEND_EMAIL_HOOK_SECRET is not set",
    fix: "set it and enable its Send Email hook (README, Deployment)",
  }),
  warning("backup", "npm run backup", {
    find({ machine, now }) {
      if (!machine) return null;
      const { lastBackup } = machine;
      if (!lastBackup) return "There is no backup yet";
      if (now.getTime() - lastBackup.getTime() <= 2 * day) return null;
      return `The last backup was made on ${dateOf(lastBackup)}, more than 48 hours ago`;
    },
    fix: "run npm run backup every day",
  }),
  error("archive", "npm run archive:verify", {
    find: ({ archive }) =>
      archive === "changed" && "The archive is not what the last backup has: rows were changed",
    fix: "compare it with that backup",
  }),
  warning("archive", "SITE_KEY", {
    find: ({ archive }) =>
      archive === "no key" && "The archive keeps nothing, as SITE_KEY is not set",
    fix: "create the key under Visits and set it",
  }),
  warning("archive", "SITE_KEY", {
    find: ({ archive }) =>
      archive === "failing" && "The site cannot add copies of its pages to the archive",
    fix: "read its log, and with a Supabase project compare the key",
  }),
  warning("archive", "ARCHIVE_INTERVAL", {
    find: ({ archive }) =>
      archive === "off" && "The archive keeps nothing, as ARCHIVE_INTERVAL is off",
    fix: "remove this setting",
  }),
  error("disk", "DATA_DIR", freeSpace(0, 256)),
  warning("disk", "DATA_DIR", freeSpace(256, 1024)),
  ...areaNames.map((id) =>
    error(id, projectAreas.includes(id) ? "SUPABASE_URL" : "SITE_URL", {
      find: ({ findings }) => [...(findings?.[id] ?? [])],
      fix: areas[id][1],
    }),
  ),
  // For the owner: what misleads visitors most comes first.
  ...sectionRules(
    "unreadable",
    "correct it and publish it again",
    ({ content }, section) =>
      content.unreadableSections.includes(section) &&
      `Visitors see an earlier version of “${labelOf(section)}” in the settings, because the site cannot read what was published last`,
  ),
  ...sectionRules(
    "fictional",
    "write your own",
    ({ settings }, section) =>
      isFictionalSection(settings, section) &&
      `“${labelOf(section)}” in the settings still names the fictional firm`,
  ),
  error("sample-testimonials", "/manage/settings/site", {
    find({ settings, content }) {
      const { testimonials, pages } = settings;
      const showsSamples = testimonials.samples && !pages.hidden.includes("testimonials");
      const number = content.sampleTestimonials + (showsSamples ? builtInSamples : 0);
      if (number === 0) return null;
      return `The site shows ${count(number, "testimonial")} by people who do not exist, which 16 CFR 465.2 forbids`;
    },
    fix: "remove them",
  }),
  error("fictional-testimonials", "/manage/testimonials", {
    find: ({ content: { fictionalTestimonials: names } }) =>
      names.length > 0 && `Testimonials name the fictional firm (by ${some(names)})`,
    fix: "delete them",
  }),
  error("sample-posts", "/manage/settings/site", {
    find: ({ content: { samplePosts } }) =>
      samplePosts > 0 && `The blog shows ${count(samplePosts, "sample post")}`,
    fix: "remove them",
  }),
  error("fictional-posts", "/blog", {
    find: ({ content: { fictionalPosts } }) =>
      fictionalPosts.length > 0 && `Posts name the fictional firm (${some(fictionalPosts)})`,
    fix: "edit or delete them",
  }),
  error("no-license", "/manage/settings/licenses", {
    find: ({ settings }) => settings.licenses.licenses.length === 0 && "The site shows no license",
    fix: "enter yours",
  }),
  error("state-without-license", "/manage/settings/licenses", {
    find({ settings: { licenses } }) {
      const licensed = licenses.licenses;
      const others = licenses.statesServed.filter(
        (served) => !licensed.some(({ state }) => isSameState(state, served)),
      );
      // Without any license, the check above says enough.
      if (licensed.length === 0 || others.length === 0) return null;
      return `The site says that you serve ${some(others)}, and shows no license for it`;
    },
    fix: "enter the license, write the state as the license does, or remove it",
  }),
  error("no-california-number", "/manage/settings/licenses", {
    find: ({ settings: { licenses } }) =>
      licenses.licenses.some(({ state, number }) => isCalifornia(state) && !number) &&
      "California requires your license number on the site (Ins. Code 1726)",
    fix: "enter it",
  }),
  error("no-california-place", "/manage/settings/contact", {
    find: ({ settings: { licenses, contact } }) =>
      isInCalifornia(licenses) &&
      !(contact.city && contact.region) &&
      "California requires your principal place of business on the site (Ins. Code 1726)",
    fix: "enter your city and state",
  }),
  error("no-domicile", "/manage/settings/licenses", {
    find: ({ settings: { licenses } }) =>
      isInCalifornia(licenses) &&
      !licenses.domicile &&
      "California requires your state of domicile on the site (Ins. Code 1726)",
    fix: "enter it",
  }),
  error("no-privacy", "/manage/pages", {
    find: ({ settings, content }) =>
      !content.hasPrivacyPage &&
      !isFictionalSection(settings, "firm") &&
      "The site stores messages of visitors and has no page /privacy",
    fix: "publish one, which can start from a draft",
  }),
  error("license-expired", "/manage/settings/licenses", {
    find: (facts) =>
      licenses(facts.settings, "", siteDay(facts)).map(
        (license) => `${license.replace("expires", "expired")} and left the site`,
      ),
    fix: "renew it, then enter the new date",
  }),
  error("no-disclosures", "/manage/settings/disclosures", {
    find: ({ settings }) =>
      settings.disclosures.footer.every((text) => text.trim() === "") &&
      "The footer has no disclosures",
    fix: "write them",
  }),
  error("default-owner", "/manage/account", {
    find: ({ owner }) =>
      owner?.hasDefaultEmail === true && "The owner's account is still owner@example.com",
    fix: "change its email address",
  }),
  error("local-posts", "/blog", {
    find: ({ content: { localPosts } }) =>
      localPosts.length > 0 &&
      `Posts contain an address that visitors cannot open (${some(localPosts)})`,
    fix: "replace the link, or upload the image again",
  }),
  ...sectionRules(
    "local",
    "replace it",
    ({ content }, section) =>
      content.localSections.includes(section) &&
      `“${labelOf(section)}” in the settings contains an address that visitors cannot open`,
  ),
  ...(["home", "adviser", "services"] as const).map((section) =>
    warning(`starting-${section}`, `/manage/settings/${section}`, {
      find({ settings }) {
        const unread = unreadTexts(section, settings[section]);
        // Of the fictional firm itself, the check of its names says enough.
        if (unread.length === 0 || isFictionalSection(settings, "firm")) return null;
        return `“${labelOf(section)}” in the settings has starting texts that you have not read, which speak in your name (${some(unread)})`;
      },
      fix: "read and change them",
    }),
  ),
  warning("empty-services", "/manage/settings/services", {
    find: ({ settings }) => describeEmptyServices(settings.services),
    fix: "write what is missing",
  }),
  warning("initial-password", "/manage/account", {
    find: ({ owner }) =>
      owner?.hasInitialPassword === true &&
      "The owner still has the password of the first start, which others may have read or can guess",
    fix: "choose another one",
  }),
  warning("license-expires", "/manage/settings/licenses", {
    find: (facts) =>
      licenses(facts.settings, siteDay(facts), siteDay(facts, soon + 1)).map(
        (license) => `${license} and then leaves the site`,
      ),
    fix: "renew it, then enter the new date",
  }),
  warning("shipped-images", "/manage/settings/home", {
    find: ({ content: { shippedImages } }) =>
      shippedImages.length > 0 &&
      `The site shows ${count(shippedImages.length, "image")} that came with it`,
    fix: "upload your own for the home page, your portrait and your posts",
  }),
];

/** Runs all checks. @returns the problems, errors first */
export function runChecks(facts: SiteFacts): Check[] {
  const checks = rules.flatMap(({ find, fix, id, severity, fixAt }) =>
    [find(facts) || []].flat().map(
      (problem, index): Check => ({
        id: index === 0 ? id : `${id}-${index + 1}`,
        ...{ severity, fixAt, text: `${problem}: ${fix}.` },
      }),
    ),
  );
  return checks.toSorted((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
}

const maxLines = 5;

export function withPage({ text, fixAt }: Check): string {
  return fixAt.startsWith("/") ? text.replace(/\.$/, ` (${fixAt}).`) : text;
}

/** The errors for the person who starts the site, in at most five lines; none when there are none. */
export function describeErrors(checks: readonly Check[]): string[] {
  const lines = checks
    .filter(({ severity }) => severity === "error")
    .map((check) => `Before going live: ${withPage(check)}`);
  if (lines.length <= maxLines) return lines;
  const shown = lines.slice(0, maxLines - 1);
  return [...shown, `${lines.length - shown.length} more: npm run check-live`];
}

export function listUnchecked({ findings = {}, mail, owner, machine }: SiteFacts): string[] {
  const inspected = machine ? areaNames.filter((area) => !projectAreas.includes(area)) : areaNames;
  return [
    ...inspected.filter((area) => !findings[area]).map((area) => areas[area][0]),
    ...Object.entries({
      ...{ mail, accounts: owner, backups: machine },
      "the sender's domain": mail?.sender,
      // From outside, only its secret can be seen.
      "whether Auth uses its Send Email hook": mail?.takesAccountMails && machine,
    })
      .filter(([, fact]) => fact === null)
      .map(([what]) => what),
  ];
}

export function isLoopbackUrl(url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? "";
  return isLoopback(hostname) || hostname.endsWith(".localhost");
}

function error(id: string, fixAt: Place, problem: Problem): Rule {
  return { severity: "error", id, fixAt, ...problem };
}

function warning(id: string, fixAt: Place, problem: Problem): Rule {
  return { severity: "warning", id, fixAt, ...problem };
}

/** @param from in megabytes, like `below` */
function freeSpace(from: number, below: number): Problem {
  return {
    find: ({ machine }) =>
      machine !== null &&
      machine.freeBytes >= from * megabyte &&
      machine.freeBytes < below * megabyte &&
      `Only ${Math.round(machine.freeBytes / megabyte)} MB are free on the disk of DATA_DIR`,
    fix: "make room there",
  };
}

/** An error for each section with a problem. */
function sectionRules(
  kind: string,
  fix: string,
  find: (facts: SiteFacts, section: SectionName) => string | false,
): Rule[] {
  return sectionNames.map((section) =>
    error(`${kind}-${section}`, `/manage/settings/${section}`, {
      find: (facts) => find(facts, section),
      fix,
    }),
  );
}

function labelOf(section: SectionName): string {
  return fields.get(sectionSchemas[section])?.label ?? section;
}

function isFictionalSection(settings: SiteSettings, section: SectionName): boolean {
  return isFictional(JSON.stringify(settings[section]));
}

function isInCalifornia({ licenses }: SiteSettings["licenses"]): boolean {
  return licenses.some(({ state }) => isCalifornia(state));
}

/** The licenses that expire within a range of days. */
function licenses({ licenses }: SiteSettings, from: string, before: string): string[] {
  return licenses.licenses
    .filter(({ expires }) => expires && expires >= from && expires < before)
    .map(
      ({ type, state, expires }) =>
        `The license for ${type} in ${state} expires on ${dayOf(expires)}`,
    );
}

/** The day in the site's time zone, on which a license leaves the site. */
function siteDay({ settings, now }: SiteFacts, daysLater = 0): string {
  return dayIn(settings.contact.timeZone, now.getTime() + daysLater * day);
}

/** "Mar 31, 2027", as the pages that manage the site write dates. */
function dayOf(date: string): string {
  return new Date(date).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" });
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** "1 post", "2 posts" */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

export function some(items: readonly string[]): string {
  const rest = items.length - 3;
  return [...items.slice(0, 3), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
