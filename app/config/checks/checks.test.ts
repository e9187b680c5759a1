// Each check, once with its problem and once without.
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { completeSettings, defaultSettings } from "../site.ts";
import type { SiteImage, SiteSettings } from "../site-schema.ts";
import type { SiteFacts } from "./check.ts";
import { runChecks } from "./run-checks.ts";
import { shippedImages } from "./shipped-images.ts";

const now = new Date("2026-11-22T12:00:00Z");

function settingsWith(changes: Partial<SiteSettings> = {}): SiteSettings {
  const firm = { ...defaultSettings.firm, name: "Ash & Oak", tagline: "" };
  const complete = completeSettings({ firm });
  return {
    ...complete,
    licences: {
      ...complete.licences,
      licences: [{ state: "Ohio", type: "Life", number: "1", expires: "2027-03-31" }],
    },
    disclosures: { ...complete.disclosures, footer: ["Not advice."] },
    services: { ...complete.services, lead: "Ask us." },
    ...changes,
  };
}

/** A site that is ready. */
function factsWith(changes: Partial<SiteFacts> = {}): SiteFacts {
  return {
    now,
    settings: settingsWith(),
    content: {
      ...{ samplePosts: 0, sampleTestimonials: 0 },
      ...{
        fictionalPosts: [],
        fictionalTestimonials: [],
        shippedImages: [],
        unreadableSections: [],
      },
    },
    address: address(),
    mail: { isConfigured: true, isHeld: false, problem: null },
    owner: { hasDefaultEmail: false, hasGeneratedPassword: false },
    brokenLinks: [],
    machine: { lastBackup: new Date("2026-11-21T03:00:00Z"), freeBytes: 20 * 1024 ** 3 },
    measure: (text, size) => text.length * size * 0.5,
    ...changes,
  };
}

function address(changes: Partial<SiteFacts["address"]> = {}): SiteFacts["address"] {
  return {
    siteUrl: "https://www.example.com",
    isSet: true,
    answer: "this site",
    trustedProxies: 1,
    forwarded: { hops: 1, fromProxy: true, host: "www.example.com", protocol: "https" },
    ...changes,
  };
}

const content = (changes: Partial<NonNullable<SiteFacts["content"]>>) => ({
  content: {
    ...{ samplePosts: 0, sampleTestimonials: 0 },
    ...{ fictionalPosts: [], fictionalTestimonials: [], shippedImages: [], unreadableSections: [] },
    ...changes,
  },
});
const licence = (expires: string) => ({
  settings: settingsWith({
    licences: {
      ...settingsWith().licences,
      licences: [{ state: "Ohio", type: "Life", number: "1", expires }],
    },
  }),
});
const named = (name: string, shortName = "", logo: SiteImage | null = null) => ({
  settings: settingsWith({ firm: { ...settingsWith().firm, name, shortName, logo } }),
});
const wide = (facts: Partial<SiteFacts>) => ({
  ...facts,
  measure: (text: string, size: number) => text.length * size * 1.1,
});
const forwarded = (changes: object) => ({
  hops: 1,
  fromProxy: true,
  host: "www.example.com",
  protocol: "https",
  ...changes,
});

test("a site that is ready has nothing to fix", () => {
  expect(runChecks(factsWith())).toEqual([]);
});

test.each<[id: string, severity: string, changes: Partial<SiteFacts>, fragment: string]>([
  ["sample-posts", "error", content({ samplePosts: 1 }), "1 sample post: remove"],
  ["sample-posts", "error", content({ samplePosts: 8 }), "8 sample posts: remove"],
  ["sample-testimonials", "error", content({ sampleTestimonials: 7 }), "7 reviews by people who"],
  [
    "sample-testimonials",
    "error",
    { settings: settingsWith({ testimonials: { lead: "", samples: true, approveFirst: false } }) },
    "5 reviews",
  ],
  [
    "unreadable-firm",
    "error",
    content({ unreadableSections: ["firm"] }),
    "an earlier version of the section firm",
  ],
  [
    "shipped-images",
    "warning",
    content({ shippedImages: ["/images/hero.svg"] }),
    "/images/hero.svg",
  ],
  [
    "fictional-contact",
    "error",
    { settings: settingsWith({ contact: defaultSettings.contact }) },
    "/manage/settings/contact",
  ],
  [
    "starting-services",
    "warning",
    { settings: settingsWith({ services: defaultSettings.services }) },
    "/manage/settings/services",
  ],
  [
    "fictional-posts",
    "error",
    content({ fictionalPosts: ["A", "B", "C", "D"] }),
    "A, B, C, 1 more",
  ],
  ["fictional-testimonials", "error", content({ fictionalTestimonials: ["Ada"] }), "by Ada"],
  [
    "no-licence",
    "error",
    { settings: settingsWith({ licences: completeSettings({}).licences }) },
    "no licence",
  ],
  ["licence-expired", "error", licence("2026-11-21"), "expired on 2026-11-21"],
  ["licence-expires", "warning", licence("2026-11-22"), "expires on 2026-11-22"],
  ["licence-expires", "warning", licence("2027-01-21"), "expires on 2027-01-21"],
  [
    "no-disclosures",
    "error",
    { settings: settingsWith({ disclosures: { ...settingsWith().disclosures, footer: [" "] } }) },
    "no disclosures",
  ],
  [
    "broken-link",
    "warning",
    {
      brokenLinks: [
        { name: "Facebook", url: "https://a.example", reason: "its server responds with 404" },
      ],
    },
    "Facebook (https://a.example) does not work (its server responds with 404)",
  ],
  ["name-width", "warning", named("A".repeat(18)), "at 320 px: give a short name"],
  ["name-width", "warning", named("Ash", "A".repeat(18)), "at 320 px: give a shorter short name"],
  ["name-width", "warning", wide(named("A".repeat(60))), "at 320, 640 px: give a short name"],
  ["name-width", "warning", wide(named("A".repeat(60), "Ash")), "at 640 px: give a shorter name"],
  ["site-url-missing", "error", { address: address({ isSet: false }) }, "SITE_URL is not set"],
  [
    "site-url-path",
    "error",
    { address: address({ siteUrl: "https://www.example.com/b" }) },
    "has a path",
  ],
  [
    "site-url-loopback",
    "error",
    { address: address({ siteUrl: "http://127.0.0.1:3000" }) },
    "only this machine",
  ],
  [
    "site-url-loopback",
    "error",
    { address: address({ siteUrl: "https://localhost" }) },
    "only this machine",
  ],
  [
    "site-url-http",
    "error",
    {
      address: address({
        siteUrl: "http://www.example.com",
        forwarded: forwarded({ protocol: "http" }),
      }),
    },
    "without encryption",
  ],
  [
    "site-url-answer",
    "error",
    { address: address({ answer: "another site" }) },
    "another site answers",
  ],
  [
    "site-url-answer",
    "error",
    { address: address({ answer: { problem: "ENOTFOUND" } }) },
    "(ENOTFOUND)",
  ],
  ["trusted-proxies", "error", { address: address({ trustedProxies: 0 }) }, "share one rate limit"],
  ["trusted-proxies", "error", { address: address({ trustedProxies: 2 }) }, "invent their address"],
  [
    "forwarded-host",
    "warning",
    { address: address({ forwarded: forwarded({ host: "b.example" }) }) },
    "b.example",
  ],
  [
    "forwarded-protocol",
    "warning",
    { address: address({ forwarded: forwarded({ protocol: "http" }) }) },
    "over http",
  ],
  [
    "no-mail",
    "error",
    { mail: { isConfigured: false, isHeld: false, problem: null } },
    "SMTP_URL or RESEND_API_KEY",
  ],
  [
    "mail-held",
    "error",
    { mail: { isConfigured: true, isHeld: true, problem: null } },
    "npm run restore -- --live",
  ],
  [
    "mail-unreachable",
    "error",
    { mail: { isConfigured: true, isHeld: false, problem: "EAUTH" } },
    "(EAUTH)",
  ],
  [
    "default-owner",
    "error",
    { owner: { hasDefaultEmail: true, hasGeneratedPassword: false } },
    "owner@example.com",
  ],
  [
    "generated-password",
    "warning",
    { owner: { hasDefaultEmail: false, hasGeneratedPassword: true } },
    "/manage/account",
  ],
  ["backup", "warning", { machine: { lastBackup: null, freeBytes: 2 ** 40 } }, "no backup yet"],
  [
    "backup",
    "warning",
    { machine: { lastBackup: new Date("2026-11-20T11:59:00Z"), freeBytes: 2 ** 40 } },
    "48 hours",
  ],
  ["disk", "warning", { machine: { lastBackup: now, freeBytes: 900 * 1024 ** 2 } }, "900 MB"],
  ["disk", "error", { machine: { lastBackup: now, freeBytes: 100 * 1024 ** 2 } }, "100 MB"],
])("%s (%s)", (id, severity, changes, fragment) => {
  const checks = runChecks(factsWith(changes));
  expect(checks).toEqual([
    { id, severity, text: expect.stringContaining(fragment), fixAt: expect.any(String) },
  ]);
  const [check] = checks;
  // Each check is one sentence and names the page, variable or command that fixes the problem.
  expect(check?.text).toMatch(/^[A-Z][^\n]*\.$/);
  expect(`${check?.text} ${check?.fixAt}`).toContain(check?.fixAt.split(" ")[0]);
  expect(check?.fixAt).toMatch(/^(\/|[A-Z_]+$|npm run )/);
});

test.each<[what: string, changes: Partial<SiteFacts>]>([
  ["a licence that never expires", licence("")],
  ["a licence that expires in 61 days", licence("2027-01-22")],
  ["a name that fits in three lines", named("A".repeat(60))],
  [
    "a name that a logo replaces",
    named("A".repeat(18), "", { src: "/images/a.svg", alt: "", width: 80, height: 20 }),
  ],
  ["a long name with a short one for phones", named("Ash and Oak Partners", "Ash & Oak")],
  ["a hosted project", { mail: null, owner: null, machine: null }],
  ["an address that was not asked", { address: address({ answer: null, forwarded: null }) }],
  [
    "forwarded headers that a visitor made up",
    {
      address: address({
        trustedProxies: 0,
        forwarded: forwarded({ fromProxy: false, host: "evil.example" }),
      }),
    },
  ],
])("%s is fine", (_what, changes) => {
  expect(runChecks(factsWith(changes))).toEqual([]);
});

test("errors come before warnings", () => {
  const checks = runChecks(factsWith({ ...licence("2026-12-01"), ...content({ samplePosts: 8 }) }));
  expect(checks.map(({ severity }) => severity)).toEqual(["error", "warning"]);
});

test("a new site has problems with its samples and the fictional firm", () => {
  const ids = runChecks(
    factsWith({ settings: defaultSettings, ...content({ samplePosts: 8, sampleTestimonials: 7 }) }),
  ).map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining(["sample-posts", "sample-testimonials", "fictional-firm", "no-licence"]),
  );
});

test("the hashes of the shipped images are those of the files", () => {
  const folder = join(import.meta.dirname, "../../../public");
  const files = globSync("images/**/*.svg", { cwd: folder })
    // These suit any firm.
    .filter((file) => !file.startsWith("images/neutral/"))
    .sort();
  const hashes = files.map((file) => [
    `/${file}`,
    createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex"),
  ]);
  expect([...shippedImages]).toEqual(hashes);
});
