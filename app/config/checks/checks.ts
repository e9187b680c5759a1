// The checks before going live. The start of the site, `npm run check-live` and the page /manage use this list.

import { dayIn, isCalifornia, isSameState } from "../../../supabase/functions/_shared/licenses.ts";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { isLoopback } from "../server-settings.ts";
import { builtInSamples, isFictional } from "../site.ts";
import { type SectionName, type SiteSettings, sectionNames } from "../site-schema.ts";
import { describeEmptyServices, unreadTexts } from "../unfinished-texts.ts";
import type { Area, SiteFacts } from "./facts.ts";

/** A part of making a new site one's own. The start page counts how many are done. */
export const finishingSteps = [
  ...["firm", "samples", "licenses", "disclosures", "privacy"],
  ...["home", "adviser", "services", "images", "account"],
] as const;

export interface Check {
  id: string;
  /** An error keeps the site from being ready for real visitors. */
  severity: "error" | "warning";
  /** For owners, what to do, in one line without a full stop. For the person who runs the server, what is wrong and the fix. */
  text: string;
  /** What the button beside the text says; null for what no page can fix. */
  action: string | null;
  /** Where to fix it. */
  fixAt: string;
  step: FinishingStep | null;
}

type FinishingStep = (typeof finishingSteps)[number];

interface Rule extends Omit<Check, "text"> {
  find(facts: SiteFacts): Found;
}
/** One text or several; nothing when there is no problem. */
type Found = string | string[] | false | null;

interface Problem {
  /** @returns the problem as a sentence without its full stop */
  find: Rule["find"];
  /** A sentence as well. */
  fix: string;
}

interface Task {
  action: string;
  step?: FinishingStep;
  /** @returns what to do */
  find: Rule["find"];
}

/** Where the person who runs the server repairs it: an environment variable or a command. */
type ServerPlace = Uppercase<string> | `npm run ${string}`;

const day = 24 * 60 * 60_000;
const megabyte = 1024 ** 2;
/** In days, before a license ends. */
const soon = 60;

/** What only `npm run check-live` looks at: its name, and the fix. */
const areas: Record<Area, readonly [what: string, fix: string]> = {
  headers: ["security headers", "Let the proxy pass on what the site sends"],
  tls: ["TLS", "Correct the proxy"],
  changes: ["Realtime", "Let WebSockets pass, and read the log of the site"],
  auth: ["the settings of Auth", "Run npm run deploy"],
  functions: ["the functions", "Run npm run deploy"],
  database: ["the database", "Run npm run deploy, and undo what was changed by hand"],
  schedule: ["the schedule", "Run npm run deploy"],
};
const areaNames = keysOf(areas);
const projectAreas: readonly Area[] = ["auth", "functions", "database", "schedule"];

/** How a sentence to the owner names a section of the settings. */
export const sectionNouns: Record<SectionName, string> = {
  firm: "the details of your firm",
  look: "your logo and colors",
  adviser: "the texts about you",
  contact: "your contact details",
  mail: "your email settings",
  licenses: "your licenses",
  disclosures: "your disclosures",
  pages: "your menu",
  home: "your home page",
  services: "your services",
  calculators: "your calculators",
  blog: "your blog page",
  testimonials: "your testimonials page",
  notice: "your notice",
  site: "your technical settings",
};

const rules: readonly Rule[] = [
  // For the person who runs the server.
  error("site-url-missing", "SITE_URL", {
    find: ({ address: { source, mayConfirm } }) =>
      source === null && !mayConfirm && "SITE_URL is not set",
    fix: "Set it to the public address of the site",
  }),
  error("site-url-loopback", "SITE_URL", {
    find: ({ address: { source, siteUrl } }) =>
      source === "environment" &&
      isLoopbackUrl(siteUrl) &&
      `SITE_URL is ${siteUrl}, which only this machine can reach`,
    fix: "Set it to the public address of the site",
  }),
  error("site-url-http", "SITE_URL", {
    find: ({ address: { source, siteUrl } }) =>
      source === "environment" &&
      !isLoopbackUrl(siteUrl) &&
      !siteUrl.startsWith("https:") &&
      `SITE_URL is ${siteUrl}, without encryption`,
    fix: "Serve the site over TLS and set SITE_URL to its https address",
  }),
  error("site-url-answer", "SITE_URL", {
    find: ({ address: { source, siteUrl, answer } }) =>
      source === "environment" && answer === "another site" && `At ${siteUrl} another site answers`,
    fix: "Point the domain to this site, or correct SITE_URL",
  }),
  error("site-url-answer", "SITE_URL", {
    find: ({ address: { source, siteUrl, answer } }) =>
      source === "environment" &&
      answer !== null &&
      typeof answer === "object" &&
      `At ${siteUrl} this site does not answer (${answer.problem})`,
    fix: "Check the domain, the proxy and SITE_URL",
  }),
  error("trusted-proxies", "TRUSTED_PROXIES", {
    find: ({ address: { proxies, trustedProxies } }) =>
      trustedProxies === 0 &&
      (proxies ?? 0) > 0 &&
      "A proxy stands in front of the site, so all visitors share one rate limit",
    fix: "Set TRUSTED_PROXIES to the number of proxies",
  }),
  error("trusted-proxies", "TRUSTED_PROXIES", {
    find: ({ address: { proxies, trustedProxies } }) =>
      proxies !== null &&
      trustedProxies > proxies &&
      `TRUSTED_PROXIES is ${trustedProxies}, but requests pass ${proxies}, so visitors can invent their address`,
    fix: "Correct TRUSTED_PROXIES",
  }),
  error("mail-held", "npm run restore -- --live", {
    find: ({ mail }) =>
      mail?.isConfigured === true &&
      mail.isHeld &&
      "Outgoing mail is held, because this site was restored from a backup",
    fix: "Run npm run restore -- --live if it is the live site",
  }),
  error("mail-unreachable", "SMTP_URL", {
    find: ({ mail }) =>
      mail?.problem != null &&
      !mail.isEntered &&
      `The mail service cannot be used (${mail.problem})`,
    fix: "Correct SMTP_URL or RESEND_API_KEY",
  }),
  warning("account-mails", "SEND_EMAIL_HOOK_SECRET", {
    find: ({ mail }) =>
      mail?.takesAccountMails === false &&
      "Auth sends mails about accounts itself, as the secret SEND_EMAIL_HOOK_SECRET is not set",
    fix: "Run npm run deploy with SMTP_URL or RESEND_API_KEY set",
  }),
  error("archive", "npm run archive:verify", {
    find: ({ archive }) =>
      archive === "changed" && "The archive is not what the last backup has, as rows were changed",
    fix: "Compare it with that backup",
  }),
  warning("archive", "SITE_KEY", {
    find: ({ archive }) =>
      archive === "no key" && "The archive keeps nothing, as SITE_KEY is not set",
    fix: "Create the key under Visits and set it",
  }),
  warning("archive", "SITE_KEY", {
    find: ({ archive }) =>
      archive === "failing" && "The site cannot add copies of its pages to the archive",
    fix: "Read its log, and with a Supabase project compare the key",
  }),
  warning("archive", "ARCHIVE_INTERVAL", {
    find: ({ archive }) =>
      archive === "off" && "The archive keeps nothing, as ARCHIVE_INTERVAL is off",
    fix: "Remove this setting",
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
  ...sectionTasks("unreadable", {
    action: "Open",
    find: ({ content }, section) =>
      content.unreadableSections.includes(section) &&
      `Publish ${sectionNouns[section]} again, because visitors still see the version before`,
  }),
  ...sectionTasks("fictional", {
    action: "Edit",
    step: "firm",
    find: ({ settings }, section) =>
      isFictionalSection(settings, section) &&
      `Take the name of the sample firm out of ${sectionNouns[section]}`,
  }),
  urgent("address", "/manage/settings/site", {
    action: "Confirm",
    find({ address, mail }) {
      const { source, siteUrl, mayConfirm, reachedAt, answer } = address;
      const isLocal = reachedAt !== null && isLoopbackUrl(reachedAt);
      if (source === null) return mayConfirm && !isLocal && "Confirm the address of your site";
      if (source === "environment") return null;
      // A restored copy has the address of the site that it was copied from.
      const isElsewhere = reachedAt !== null && (!isLocal || mail?.isHeld === true);
      if (isElsewhere && hostOf(reachedAt) !== hostOf(siteUrl)) {
        return `Confirm the address of your site again, because you opened it at ${reachedAt} and its links lead to ${siteUrl}`;
      }
      if (answer === "another site") {
        return `Confirm the address of your site again, because another site answers at ${siteUrl}`;
      }
      if (answer === null || answer === "this site") return null;
      return `Check the address of your site, because it does not answer at ${siteUrl} (${answer.problem})`;
    },
  }),
  urgent("no-mail", "/manage/settings/mail", {
    action: "Set up",
    find: ({ mail }) =>
      mail?.isConfigured === false &&
      !mail.isUnreadable &&
      "Set up email, because messages of visitors only wait in your inbox",
  }),
  urgent("mail-unreadable", "/manage/settings/mail", {
    action: "Enter",
    find: ({ mail }) =>
      mail?.isUnreadable === true &&
      "Enter the password for your emails again, because this machine cannot read it",
  }),
  urgent("mail-refused", "/manage/settings/mail", {
    action: "Open",
    find: ({ mail }) =>
      mail?.problem != null &&
      mail.isEntered &&
      `Send a test mail, because your mail service cannot be used (${mail.problem})`,
  }),
  calm("mail-sender", "/manage/settings/mail", {
    action: "Look",
    find({ mail }) {
      const wrong = mail?.sender?.filter(({ state }) => state === "wrong") ?? [];
      if (wrong.length === 0) return null;
      return `Have your domain corrected, or your emails may be taken for spam (${some(wrong.map(({ text }) => text))})`;
    },
  }),
  urgent("backup-trial", "/manage/backups", {
    action: "Look",
    find: ({ machine }) =>
      machine?.trial?.problem != null &&
      `Download a backup and keep it, because restoring one failed on ${dateOf(machine.trial.at)} (${machine.trial.problem})`,
  }),
  calm("backup", "/manage/backups", {
    action: "Look",
    find({ machine, now }) {
      if (!machine) return null;
      const { lastBackup, firstDay, backupProblem } = machine;
      const since = lastBackup ?? firstDay;
      const reason = backupProblem ? ` (${backupProblem})` : "";
      // A new site has its first backup after its first night.
      if (since && now.getTime() - since.getTime() <= 2 * day) {
        return backupProblem !== null && `See what is wrong with the last backup${reason}`;
      }
      return lastBackup
        ? `See why the last backup is from ${dateOf(lastBackup)}, more than 48 hours ago${reason}`
        : `See why there is no backup yet${reason}`;
    },
  }),
  calm("backup-copy", "/manage/backups", {
    action: "Test",
    find: ({ machine }) =>
      machine?.copy?.problem != null &&
      `Test your bucket, because the last backup could not be copied to it (${machine.copy.problem})`,
  }),
  urgent("sample-testimonials", "/manage/settings/site", {
    action: "Remove…",
    step: "samples",
    find({ settings, content }) {
      const { testimonials, pages } = settings;
      const showsSamples = testimonials.samples && !pages.hidden.includes("testimonials");
      const number = content.sampleTestimonials + (showsSamples ? builtInSamples : 0);
      if (number === 0) return null;
      return `Remove the ${count(number, "testimonial")} by invented people, which 16 CFR 465.2 forbids`;
    },
  }),
  urgent("fictional-testimonials", "/manage/testimonials", {
    action: "Open",
    find: ({ content: { fictionalTestimonials: names } }) =>
      names.length > 0 && `Delete the testimonials that name the sample firm (by ${some(names)})`,
  }),
  urgent("sample-posts", "/manage/settings/site", {
    action: "Remove…",
    step: "samples",
    find: ({ content: { samplePosts } }) =>
      samplePosts > 0 &&
      `Remove the ${samplePosts === 1 ? "sample post" : `${samplePosts} sample posts`}`,
  }),
  urgent("fictional-posts", "/manage/posts", {
    action: "Open",
    find: ({ content: { fictionalPosts } }) =>
      fictionalPosts.length > 0 &&
      `Take the name of the sample firm out of your posts (${some(fictionalPosts)})`,
  }),
  urgent("no-license", "/manage/settings/licenses", {
    action: "Add",
    step: "licenses",
    find: ({ settings }) => settings.licenses.licenses.length === 0 && "Add your license number",
  }),
  urgent("state-without-license", "/manage/settings/licenses", {
    action: "Add",
    find({ settings: { licenses } }) {
      const licensed = licenses.licenses;
      const others = licenses.statesServed.filter(
        (served) => !licensed.some(({ state }) => isSameState(state, served)),
      );
      // Without any license, the check above says enough.
      if (licensed.length === 0 || others.length === 0) return null;
      return `Add your license for ${some(others)}, or take it off the states that you serve`;
    },
  }),
  urgent("no-california-number", "/manage/settings/licenses", {
    action: "Add",
    step: "licenses",
    find: ({ settings: { licenses } }) =>
      licenses.licenses.some(({ state, number }) => isCalifornia(state) && !number) &&
      "Add your license number for California, which asks for it (Ins. Code 1726)",
  }),
  urgent("no-california-place", "/manage/settings/contact", {
    action: "Add",
    step: "licenses",
    find: ({ settings: { licenses, contact } }) =>
      isInCalifornia(licenses) &&
      !(contact.city && contact.region) &&
      "Add your city and state, which California asks for (Ins. Code 1726)",
  }),
  urgent("no-domicile", "/manage/settings/licenses", {
    action: "Add",
    step: "licenses",
    find: ({ settings: { licenses } }) =>
      isInCalifornia(licenses) &&
      !licenses.domicile &&
      "Add your state of domicile, which California asks for (Ins. Code 1726)",
  }),
  urgent("no-privacy", "/manage/pages/new?template=privacy", {
    action: "Start",
    step: "privacy",
    find: ({ settings, content }) =>
      !content.hasPrivacyPage && !isFictionalSection(settings, "firm") && "Write your privacy page",
  }),
  urgent("license-expired", "/manage/settings/licenses", {
    action: "Update",
    find: (facts) =>
      licenses(facts.settings, "", siteDay(facts)).map(
        ({ name, date }) => `${name} expired on ${date} and is no longer on your site`,
      ),
  }),
  urgent("no-disclosures", "/manage/settings/disclosures", {
    action: "Write",
    step: "disclosures",
    find: ({ settings }) =>
      settings.disclosures.footer.every((text) => text.trim() === "") &&
      "Write the disclosures that stand at the end of every page",
  }),
  urgent("default-owner", "/manage/account", {
    action: "Change",
    step: "account",
    find: ({ owner }) => owner?.hasDefaultEmail === true && "Sign in with your own email address",
  }),
  urgent("local-posts", "/manage/posts", {
    action: "Open",
    find: ({ content: { localPosts } }) =>
      localPosts.length > 0 &&
      `Repair a link or an image that visitors cannot open (${some(localPosts)})`,
  }),
  ...sectionTasks("local", {
    action: "Open",
    find: ({ content }, section) =>
      content.localSections.includes(section) &&
      `Repair a link or an image in ${sectionNouns[section]} that visitors cannot open`,
  }),
  ...(["home", "adviser", "services"] as const).map((section) =>
    calm(`starting-${section}`, `/manage/settings/${section}`, {
      action: "Review",
      step: section,
      find({ settings }) {
        const unread = unreadTexts(section, settings[section]).length;
        // Of the fictional firm itself, the check of its names says enough.
        if (unread === 0 || isFictionalSection(settings, "firm")) return null;
        return `Read ${startingTexts[section]}: ${unread} left`;
      },
    }),
  ),
  calm("empty-services", "/manage/settings/services", {
    action: "Write",
    step: "services",
    find: ({ settings }) => describeEmptyServices(settings.services),
  }),
  calm("initial-password", "/manage/account", {
    action: "Change",
    step: "account",
    find: ({ owner }) =>
      owner?.hasInitialPassword === true &&
      "Choose a password of your own, because others may know the first one",
  }),
  calm("license-expires", "/manage/settings/licenses", {
    action: "Update",
    find: (facts) =>
      licenses(facts.settings, siteDay(facts), siteDay(facts, soon + 1)).map(
        ({ name, date }) => `${name} expires on ${date} and then leaves your site`,
      ),
  }),
  calm("shipped-images", "/manage/settings/home", {
    action: "Choose",
    step: "images",
    find: ({ content: { shippedImages } }) =>
      shippedImages.length > 0 &&
      `Choose images of your own in place of the ${shippedImages.length === 1 ? "one" : shippedImages.length} that came with the site`,
  }),
];

const startingTexts = {
  home: "your home page texts",
  adviser: "your message to visitors",
  services: "your service texts",
};

/** Runs all checks. @returns the problems, errors first */
export function runChecks(facts: SiteFacts): Check[] {
  const checks = rules.flatMap(({ find, id, ...rule }) =>
    [find(facts) || []]
      .flat()
      .map(
        (text, index): Check => ({ ...rule, text, id: index === 0 ? id : `${id}-${index + 1}` }),
      ),
  );
  return checks.toSorted((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
}

const maxLines = 5;

export function withPage({ text, fixAt }: Check): string {
  return fixAt.startsWith("/") ? `${text} (${fixAt}).` : text;
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

/** Without `www.`, which often leads to the same site. */
function hostOf(url: string): string {
  return new URL(url).host.replace(/^www\./, "");
}

export function isLoopbackUrl(url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? "";
  return isLoopback(hostname) || hostname.endsWith(".localhost");
}

function error(id: string, fixAt: ServerPlace, problem: Problem): Rule {
  return forServer({ severity: "error", id, fixAt }, problem);
}

function warning(id: string, fixAt: ServerPlace, problem: Problem): Rule {
  return forServer({ severity: "warning", id, fixAt }, problem);
}

function forServer(rule: Pick<Rule, "severity" | "id" | "fixAt">, { find, fix }: Problem): Rule {
  return {
    ...{ ...rule, action: null, step: null },
    find: (facts) => [find(facts) || []].flat().map((problem) => `${problem}. ${fix}.`),
  };
}

function urgent(id: string, fixAt: `/${string}`, task: Task): Rule {
  return { severity: "error", id, fixAt, step: null, ...task };
}

function calm(id: string, fixAt: `/${string}`, task: Task): Rule {
  return { severity: "warning", id, fixAt, step: null, ...task };
}

/** @param from in megabytes, like `below` */
function freeSpace(from: number, below: number): Problem {
  return {
    find: ({ machine }) =>
      machine !== null &&
      machine.freeBytes >= from * megabyte &&
      machine.freeBytes < below * megabyte &&
      `Only ${Math.round(machine.freeBytes / megabyte)} MB are free on the disk of DATA_DIR`,
    fix: "Make room there",
  };
}

interface SectionTask extends Omit<Task, "find"> {
  find: (facts: SiteFacts, section: SectionName) => string | false;
}

/** A task for each section with the problem. */
function sectionTasks(kind: string, { find, ...task }: SectionTask): Rule[] {
  return sectionNames.map((section) =>
    urgent(`${kind}-${section}`, `/manage/settings/${section}`, {
      ...task,
      find: (facts) => find(facts, section),
    }),
  );
}

function isFictionalSection(settings: SiteSettings, section: SectionName): boolean {
  return isFictional(JSON.stringify(settings[section]));
}

function isInCalifornia({ licenses }: SiteSettings["licenses"]): boolean {
  return licenses.some(({ state }) => isCalifornia(state));
}

/** The licenses that expire within a range of days. */
function licenses({ licenses }: SiteSettings, from: string, before: string) {
  return licenses.licenses
    .filter(({ expires }) => expires && expires >= from && expires < before)
    .map(({ type, state, expires }) => ({
      name: `Your license for ${type} in ${state}`,
      date: dayOf(expires),
    }));
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
