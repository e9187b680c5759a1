// Runs each check once with its problem and once without.
import { expect, test } from "vitest";
import { completeSettings, defaultSettings, startingSettings } from "../site.ts";
import { type Service, type SiteSettings, sectionSchemas } from "../site-schema.ts";
import { listUnchecked, runChecks } from "./checks.ts";
import type { MachineFacts, SiteFacts } from "./facts.ts";

const now = new Date("2026-11-22T12:00:00Z");

function settingsWith(changes: Partial<SiteSettings> = {}): SiteSettings {
  const firm = { ...defaultSettings.firm, name: "Ash & Oak", tagline: "" };
  const complete = completeSettings({ firm });
  return {
    ...complete,
    licenses: {
      ...complete.licenses,
      licenses: [{ state: "Ohio", type: "Life", number: "1", expires: "2027-03-31", link: "" }],
    },
    disclosures: { ...complete.disclosures, footer: ["Not advice."] },
    services: changeServices((service) => ({ ...service, starter: false })),
    home: { ...complete.home, starter: false },
    adviser: { ...complete.adviser, starter: false },
    ...changes,
  };
}

function changeServices(change: (service: Service, index: number) => Service) {
  const { services } = defaultSettings;
  return { ...services, items: services.items.map(change) };
}

function machineWith(changes: Partial<MachineFacts> = {}): MachineFacts {
  return {
    ...{ lastBackup: new Date("2026-11-21T03:00:00Z"), firstDay: new Date("2026-01-01") },
    ...{ backupProblem: null, trial: { at: now, problem: null }, copy: null },
    freeBytes: 20 * 1024 ** 3,
    ...changes,
  };
}

/** A site that is ready. */
function factsWith(changes: Partial<SiteFacts> = {}): SiteFacts {
  return {
    now,
    settings: settingsWith(),
    ...content(),
    ...address(),
    ...mail(),
    owner: { hasDefaultEmail: false, hasInitialPassword: false },
    machine: machineWith(),
    archive: "on",
    ...changes,
  };
}

const address = (changes: Partial<SiteFacts["address"]> = {}) => ({
  address: {
    ...{ siteUrl: "https://www.example.com", source: "environment" as const, mayConfirm: true },
    ...{ reachedAt: "https://www.example.com", answer: "this site" as const },
    ...{ trustedProxies: 1, proxies: 1 },
    ...changes,
  },
});
const mail = (changes: Partial<NonNullable<SiteFacts["mail"]>> = {}) => ({
  mail: {
    ...{ isConfigured: true, isEntered: false, isUnreadable: false, isHeld: false },
    ...{ problem: null, takesAccountMails: true },
    sender: [{ state: "right" as const, text: "SPF is right" }],
    ...changes,
  },
});
const content = (changes: Partial<SiteFacts["content"]> = {}) => ({
  content: {
    ...{ samplePosts: 0, sampleTestimonials: 0 },
    ...{ fictionalPosts: [], fictionalTestimonials: [], shippedImages: [], unreadableSections: [] },
    ...{ localPosts: [], localSections: [], hasPrivacyPage: true },
    ...changes,
  },
});
const license = (expires: string) => ({
  settings: settingsWith({
    licenses: {
      ...settingsWith().licenses,
      licenses: [{ state: "Ohio", type: "Life", number: "1", expires, link: "" }],
    },
  }),
});
const licensedIn = (state: string, number = "0A1", changes: object = {}) => ({
  settings: settingsWith({
    licenses: sectionSchemas.licenses.parse({
      licenses: [{ state, type: "Life", number }],
      domicile: "California",
      ...changes,
    }),
    contact: sectionSchemas.contact.parse({ city: "Fresno", region: "CA" }),
  }),
});

test("the address is no task on this machine, for www, or where the owner is at it", () => {
  const local = "http://127.0.0.1:3000";
  for (const facts of [
    address({ source: null, siteUrl: local, reachedAt: local, answer: null }),
    address({ source: "confirmed" }),
    address({ source: "confirmed", reachedAt: "https://example.com" }),
    address({ source: "confirmed", reachedAt: local }),
    address({ source: "environment", reachedAt: "https://ash.com" }),
  ]) {
    expect(runChecks(factsWith(facts))).toEqual([]);
  }
  // A restored copy is tried out on another machine.
  const copy = { ...address({ source: "confirmed", reachedAt: local }), ...mail({ isHeld: true }) };
  expect(runChecks(factsWith(copy)).map(({ id }) => id)).toContain("address");
});

test("a site that is ready has nothing to fix", () => {
  expect(runChecks(factsWith())).toEqual([]);
});

test.each<[id: string, severity: string, changes: Partial<SiteFacts>, fragment: string]>([
  ["sample-posts", "error", content({ samplePosts: 1 }), "Remove the sample post"],
  ["sample-posts", "error", content({ samplePosts: 8 }), "Remove the 8 sample posts"],
  [
    "sample-testimonials",
    "error",
    content({ sampleTestimonials: 7 }),
    "Remove the 7 testimonials by invented people",
  ],
  [
    "sample-testimonials",
    "error",
    {
      settings: settingsWith({
        testimonials: sectionSchemas.testimonials.parse({ samples: true }),
      }),
    },
    "5 testimonials",
  ],
  [
    "unreadable-firm",
    "error",
    content({ unreadableSections: ["firm"] }),
    "Publish the details of your firm again",
  ],
  [
    "shipped-images",
    "warning",
    content({ shippedImages: ["/images/hero.svg"] }),
    "in place of the one that came with the site",
  ],
  [
    "fictional-contact",
    "error",
    { settings: settingsWith({ contact: defaultSettings.contact }) },
    "out of your contact details",
  ],
  [
    "starting-services",
    "warning",
    { settings: settingsWith({ services: defaultSettings.services }) },
    "Read your service texts: 7 left",
  ],
  [
    "starting-services",
    "warning",
    {
      settings: settingsWith({
        services: changeServices((service, index) =>
          index === 0 ? { ...service, title: "Pensions" } : { ...service, starter: false },
        ),
      }),
    },
    "Read your service texts: 1 left",
  ],
  [
    "starting-home",
    "warning",
    { settings: settingsWith({ home: { ...startingSettings.home, headline: "My own" } }) },
    "Read your home page texts: 12 left",
  ],
  [
    "empty-services",
    "warning",
    {
      settings: settingsWith({
        services: changeServices((service, index) => ({
          ...{ ...service, starter: false },
          ...(index === 1 && { description: "" }),
        })),
      }),
    },
    "“Infinite Banking Concept (IBC)” has no description",
  ],
  [
    "fictional-posts",
    "error",
    content({ fictionalPosts: ["A", "B", "C", "D"] }),
    "A, B, C, 1 more",
  ],
  ["local-posts", "error", content({ localPosts: ["A", "B"] }), "(A, B)"],
  [
    "local-firm",
    "error",
    content({ localSections: ["firm"] }),
    "Repair a link or an image in the details of your firm",
  ],
  ["fictional-testimonials", "error", content({ fictionalTestimonials: ["Ada"] }), "by Ada"],
  [
    "no-license",
    "error",
    { settings: settingsWith({ licenses: completeSettings({}).licenses }) },
    "Add your license number",
  ],
  ["license-expired", "error", license("2026-11-21"), "expired on Nov 21, 2026 and is no longer"],
  ["license-expires", "warning", license("2026-11-22"), "expires on Nov 22, 2026"],
  ["license-expires", "warning", license("2027-01-21"), "expires on Jan 21, 2027 and then leaves"],
  [
    "state-without-license",
    "error",
    licensedIn("CA", "0A1", { statesServed: ["California", "Ohio", "Utah"] }),
    "Add your license for Ohio, Utah, or take",
  ],
  ["no-california-number", "error", licensedIn("California", ""), "Ins. Code 1726"],
  ["no-domicile", "error", licensedIn("CA", "0A1", { domicile: "" }), "Ins. Code 1726"],
  [
    "no-california-place",
    "error",
    {
      settings: {
        ...licensedIn("California").settings,
        contact: sectionSchemas.contact.parse({ region: "CA" }),
      },
    },
    "Add your city and state",
  ],
  ["no-privacy", "error", content({ hasPrivacyPage: false }), "Write your privacy page"],
  [
    "no-disclosures",
    "error",
    { settings: settingsWith({ disclosures: { ...settingsWith().disclosures, footer: [" "] } }) },
    "Write the disclosures",
  ],
  [
    "site-url-missing",
    "error",
    address({ source: null, mayConfirm: false }),
    "SITE_URL is not set",
  ],
  ["address", "error", address({ source: null }), "Confirm the address of your site"],
  ["address", "error", address({ source: null, reachedAt: null }), "Confirm the address"],
  [
    "address",
    "error",
    address({ source: "confirmed", reachedAt: "https://ash.com" }),
    "you opened it at https://ash.com and its links lead to https://www.example.com",
  ],
  [
    "address",
    "error",
    address({ source: "confirmed", answer: "another site" }),
    "another site answers at https://www.example.com",
  ],
  [
    "address",
    "error",
    address({ source: "confirmed", answer: { problem: "ENOTFOUND" } }),
    "does not answer at https://www.example.com (ENOTFOUND)",
  ],
  [
    "site-url-loopback",
    "error",
    address({ siteUrl: "http://127.0.0.1:3000" }),
    "only this machine",
  ],
  ["site-url-loopback", "error", address({ siteUrl: "https://localhost" }), "only this machine"],
  ["site-url-http", "error", address({ siteUrl: "http://www.example.com" }), "without encryption"],
  ["site-url-answer", "error", address({ answer: "another site" }), "another site answers"],
  ["site-url-answer", "error", address({ answer: { problem: "ENOTFOUND" } }), "(ENOTFOUND)"],
  ["trusted-proxies", "error", address({ trustedProxies: 0 }), "share one rate limit"],
  ["trusted-proxies", "error", address({ trustedProxies: 2 }), "invent their address"],
  ["no-mail", "error", mail({ isConfigured: false }), "Set up email, because"],
  [
    "mail-unreadable",
    "error",
    mail({ isConfigured: false, isEntered: true, isUnreadable: true }),
    "Enter the password for your emails again",
  ],
  ["mail-refused", "error", mail({ isEntered: true, problem: "EAUTH 535" }), "(EAUTH 535)"],
  ["mail-held", "error", mail({ isHeld: true }), "npm run restore -- --live"],
  ["mail-unreachable", "error", mail({ problem: "EAUTH" }), "(EAUTH)"],
  [
    "mail-sender",
    "warning",
    mail({
      sender: [
        { state: "unknown", text: "Not this one" },
        { state: "wrong", text: "No DMARC" },
      ],
    }),
    "taken for spam (No DMARC)",
  ],
  [
    "account-mails",
    "warning",
    mail({ takesAccountMails: false }),
    "npm run deploy with SMTP_URL or RESEND_API_KEY set",
  ],
  [
    "default-owner",
    "error",
    { owner: { hasDefaultEmail: true, hasInitialPassword: false } },
    "your own email address",
  ],
  [
    "initial-password",
    "warning",
    { owner: { hasDefaultEmail: false, hasInitialPassword: true } },
    "Choose a password of your own",
  ],
  ["backup", "warning", { machine: machineWith({ lastBackup: null }) }, "no backup yet"],
  [
    "backup",
    "warning",
    {
      machine: machineWith({
        ...{ lastBackup: new Date("2026-11-19T11:59:00Z"), backupProblem: "The disk is full" },
      }),
    },
    "48 hours ago (The disk is full)",
  ],
  [
    "backup",
    "warning",
    { machine: machineWith({ backupProblem: "Images of the site are missing" }) },
    "wrong with the last backup (Images of the site are missing)",
  ],
  [
    "backup-copy",
    "warning",
    { machine: machineWith({ copy: { at: now, problem: "There is no bucket" } }) },
    "could not be copied to it (There is no bucket)",
  ],
  [
    "backup-trial",
    "error",
    { machine: machineWith({ trial: { at: now, problem: "The archive is damaged" } }) },
    "restoring one failed on 2026-11-22 (The archive is damaged)",
  ],
  ["archive", "error", { archive: "changed" }, "not what the last backup has"],
  ["archive", "warning", { archive: "no key" }, "SITE_KEY is not set"],
  ["archive", "warning", { archive: "failing" }, "cannot add copies"],
  ["archive", "warning", { archive: "off" }, "ARCHIVE_INTERVAL is off"],
  ["headers", "error", { findings: { headers: ["The header a is missing"] } }, "missing. Let the"],
  ["tls", "error", { findings: { tls: ["It ends"] } }, "It ends. Correct the proxy"],
  ["changes", "error", { findings: { changes: ["It is old"] } }, "It is old. Let WebSockets"],
  ["auth", "error", { findings: { auth: ["It is open"] } }, "npm run deploy"],
  ["functions", "error", { findings: { functions: ["A is missing"] } }, "npm run deploy"],
  ["database", "error", { findings: { database: ["A is missing"] } }, "npm run deploy, and undo"],
  ["schedule", "error", { findings: { schedule: ["A is missing"] } }, "npm run deploy"],
  ["disk", "warning", { machine: machineWith({ freeBytes: 900 * 1024 ** 2 }) }, "900 MB"],
  ["disk", "error", { machine: machineWith({ freeBytes: 100 * 1024 ** 2 }) }, "100 MB"],
])("%s (%s)", (id, severity, changes, fragment) => {
  const checks = runChecks(factsWith(changes));
  expect(checks).toMatchObject([{ id, severity, text: expect.stringContaining(fragment) }]);
  const [check] = checks;
  // A task of the owner is one line with a button; sentences for the person who runs the server end with a full stop.
  const isForOwner = check?.fixAt.startsWith("/");
  expect(check?.text).toMatch(isForOwner ? /^[A-Z][^\n]*[^.]$/ : /^[A-Z][^\n]*\.$/);
  expect(check?.action).toEqual(isForOwner ? expect.any(String) : null);
  expect(check?.text).not.toContain("/manage");
});

test.each<[what: string, changes: Partial<SiteFacts>]>([
  ["a license that never expires", license("")],
  ["a license in California with its number", licensedIn("California")],
  ["a license without a number elsewhere", licensedIn("Ohio", "", { statesServed: ["ohio"] })],
  ["a license that expires in 61 days", license("2027-01-22")],
  ["a hosted project", { mail: null, owner: null, machine: null }],
  [
    "a page with samples that is switched off",
    {
      settings: settingsWith({
        testimonials: { ...defaultSettings.testimonials, samples: true },
        pages: sectionSchemas.pages.parse({ hidden: ["testimonials"] }),
      }),
    },
  ],
  ["an address that was not asked", address({ answer: null, proxies: null })],
])("%s is fine", (_what, changes) => {
  expect(runChecks(factsWith(changes))).toEqual([]);
});

test("each license that expires has a check with an id of its own", () => {
  const [one] = settingsWith().licenses.licenses;
  const expired = { state: "", type: "", number: "", link: "", ...one, expires: "2026-01-01" };
  const settings = settingsWith({
    licenses: { ...settingsWith().licenses, licenses: [expired, expired] },
  });
  const ids = runChecks(factsWith({ settings })).map(({ id }) => id);
  expect(ids).toEqual(["license-expired", "license-expired-2"]);
});

test("what could not be checked is listed, of a hosted project more", () => {
  expect(listUnchecked(factsWith())).toEqual(["security headers", "TLS", "Realtime"]);
  const findings = { headers: [], tls: ["It ends"], changes: null, auth: [], functions: [] };
  const hosted = { mail: null, owner: null, machine: null, findings };
  expect(listUnchecked(factsWith(hosted))).toEqual([
    "Realtime",
    "the database",
    "the schedule",
    "mail",
    "accounts",
    "backups",
  ]);
  const { mail: unasked } = mail({ sender: null });
  expect(listUnchecked(factsWith({ ...hosted, mail: unasked })).slice(3)).toEqual([
    ...["accounts", "backups", "the sender's domain", "whether Auth uses its Send Email hook"],
  ]);
});

test("errors come before warnings", () => {
  const checks = runChecks(factsWith({ ...license("2026-12-01"), ...content({ samplePosts: 8 }) }));
  expect(checks.map(({ severity }) => severity)).toEqual(["error", "warning"]);
});

test("a new site has problems with its samples and the fictional firm", () => {
  const ids = runChecks(
    factsWith({ settings: defaultSettings, ...content({ samplePosts: 8, sampleTestimonials: 7 }) }),
  ).map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining(["sample-posts", "sample-testimonials", "fictional-firm", "no-license"]),
  );
  // What the law asks of a real firm comes once it has a name.
  expect(ids).not.toEqual(expect.arrayContaining(["no-privacy"]));
});
