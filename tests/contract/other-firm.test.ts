// Turns a new site into another firm, as its owner does, and reads everything that it publishes: nothing of the
// fictional firm may be left.
import type { ChildProcess } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import freePort from "get-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultSettings } from "../../app/config/site.ts";
import type { Database } from "../../app/supabase/database.ts";
import { otherFirm, publishSettings } from "../other-firm.ts";
import { type SmtpServer, startSmtp } from "../smtp-server.ts";
import { openClient } from "../start-project.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

const password = "a-password-for-tests";

let folder: string;
let smtp: SmtpServer;
let site: ChildProcess;
let siteUrl: string;
let owner: SupabaseClient<Database>;
/** The share image of the home page before anything was published. */
let defaultShareImage: Buffer;

beforeAll(async () => {
  folder = await createTemporaryFolder("other-firm");
  smtp = await startSmtp();
  const port = await freePort();
  siteUrl = `http://127.0.0.1:${port}`;
  await start();
  defaultShareImage = await read("/share/home.png");
  const anonKey = /name="supabase-anon-key" content="([^"]+)"/.exec(await readText("/"))?.[1] ?? "";
  owner = openClient({ url: siteUrl, anonKey });
  const { error } = await owner.auth.signInWithPassword({
    email: "desk@brightwater.example",
    password,
  });
  if (error) throw error;
  await publishSettings(owner, otherFirm);
  await removeSamples();
});

afterAll(async () => {
  await owner?.auth.signOut();
  await stopSite(site);
  await smtp?.server.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  site = await startSite(Number(new URL(siteUrl).port), {
    DATA_DIR: join(folder, "data"),
    OWNER_EMAIL: "desk@brightwater.example",
    OWNER_PASSWORD: password,
    SMTP_URL: smtp.url,
    CONTACT_CONFIRMATION: "on",
  });
}

async function removeSamples(): Promise<void> {
  const { error } = await owner.rpc("remove_sample_content", {
    include_edited: true,
    shows_samples: false,
    shown_lead: otherFirm.testimonials.lead,
  });
  if (error) throw error;
}

async function read(path: string): Promise<Buffer> {
  const response = await fetch(siteUrl + path, { redirect: "manual" });
  return Buffer.from(await response.arrayBuffer());
}

async function readText(path: string): Promise<string> {
  return (await read(path)).toString();
}

/** Words that only texts about the fictional firm contain. */
const fictionalWords = [
  defaultSettings.firm.name,
  defaultSettings.adviser.name,
  ...defaultSettings.adviser.name.split(" "),
  defaultSettings.contact.street,
  defaultSettings.contact.city,
  defaultSettings.contact.phone,
  defaultSettings.contact.email,
  ...defaultSettings.contact.socials.map(({ url }) => url),
  ...defaultSettings.licences.statesServed,
  defaultSettings.contact.email.split("@")[1] ?? "",
  ...["harbor", "lighthouse", "hillside", "the lane", "hero.svg", "portrait.svg"],
];

function fictionalWordsIn(text: string): string[] {
  return fictionalWords.filter((word) => text.toLowerCase().includes(word.toLowerCase()));
}

/** Every address of the site that the pages and files lead to, with what it responds. */
async function crawl(): Promise<Map<string, { type: string; text: string }>> {
  const found = new Map<string, { type: string; text: string }>();
  const waiting = ["/", "/login", "/forgot-password", "/reset-password", "/nothing-here"];
  waiting.push("/rss.xml", "/atom.xml", "/sitemap.xml", "/robots.txt", "/favicon.svg");
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const response = await fetch(siteUrl + path);
    const type = response.headers.get("content-type") ?? "";
    const text = await response.text();
    found.set(path, { type, text });
    if (!/html|xml|svg|javascript|css/.test(type)) continue;
    for (const [, address = ""] of text.matchAll(/(?:href|src|content|loc)(?:="|>)([^"<\s]+)/g)) {
      // Other meta tags hold words that would be read as relative addresses.
      if (!/^(https?:|\/)/.test(address)) continue;
      const url = URL.parse(address.replaceAll("&amp;", "&"), siteUrl);
      if (url?.origin === siteUrl) waiting.push(url.pathname + url.search);
    }
  }
  return found;
}

test("no page, feed, file or share image names or shows the fictional firm", async () => {
  const found = await crawl();
  expect(found.size).toBeGreaterThan(25);
  const left = [...found].flatMap(([path, { type, text }]) =>
    // Hashes in scripts and compressed images can contain any short word.
    /html|xml|svg|plain/.test(type) ? fictionalWordsIn(text).map((word) => `${path}: ${word}`) : [],
  );
  expect(left).toEqual([]);
  expect(await read("/share/home.png")).not.toEqual(defaultShareImage);
});

test("pages show the other firm", async () => {
  const home = await readText("/");
  for (const text of [
    otherFirm.firm.name.replace("&", "&amp;"),
    "Dr. Ángel María Núñez-O",
    "(212) 555-0187 ext. 12",
    "tel:+12125550187;ext=12",
    "Ithaca, NY",
    "Counsel before coverage",
    "Farm Succession",
    "employed by none",
    "https://social.brightwater.example/@counsel",
  ]) {
    expect(home).toContain(text);
  }
  expect(home).not.toMatch(/9 Hidden Court|14850|Estate Planning/);
});

test("a deleted service leads to its successor, and a hidden street is nowhere", async () => {
  const response = await fetch(`${siteUrl}/services/estate-planning`, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([
    301,
    "/services/farm-succession",
  ]);
  const found = await crawl();
  expect([...found.values()].filter(({ text }) => text.includes("Hidden Court"))).toEqual([]);
});

test("mails go to the published recipients and name nothing of the fictional firm", async () => {
  const { error } = await owner.functions.invoke("send-email", {
    body: JSON.stringify({
      name: "Ada",
      email: "ada@example.com",
      phone: "",
      message: "Please call me tomorrow.",
    }),
  });
  expect(error).toBeNull();
  await owner.auth.resetPasswordForEmail("desk@brightwater.example", {
    redirectTo: `${siteUrl}/reset-password`,
  });
  await expect.poll(() => smtp.mails.length, { timeout: 20_000 }).toBe(3);
  const envelopes = smtp.mails.map(({ envelope }) => envelope.join(" ")).toSorted();
  for (const envelope of envelopes) expect(envelope).toContain("<website@brightwater.example>");
  expect(envelopes.map((envelope) => /TO:<([^>]+)>/.exec(envelope)?.[1])).toEqual([
    "ada@example.com",
    "desk@brightwater.example",
    "desk@brightwater.example",
  ]);
  const texts = smtp.mails.map(({ text }) => text).join();
  expect(texts).toContain("Please send no confidential data by e-mail.");
  expect(fictionalWordsIn(texts)).toEqual([]);
});

test("a published change is on every page at the next request", async () => {
  const firm = { ...otherFirm.firm, name: "Brightwater Counsel" };
  await Promise.all(["/", "/services", "/contact"].map(readText));
  await publishSettings(owner, { firm });
  for (const path of ["/", "/services", "/contact", "/rss.xml"]) {
    expect(await readText(path)).toContain("Brightwater Counsel");
  }
});

test("a site that is hidden from search engines says so on every page", async () => {
  await publishSettings(owner, { site: { ...otherFirm.site, visible: false } });
  for (const path of ["/", "/services", "/blog"]) {
    expect(await readText(path)).toContain('<meta name="robots" content="noindex"/>');
  }
  expect(await readText("/robots.txt")).not.toContain("Sitemap");
});

test("after a restart the site is still the other firm", async () => {
  await stopSite(site);
  await start();
  expect(fictionalWordsIn(await readText("/"))).toEqual([]);
});
