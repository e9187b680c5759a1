import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { defaultSettings } from "../app/config/site.ts";
import { createSiteSettingsStore, readPublishedSettings } from "./site-settings.ts";

type Rows = { section: string; document: unknown; version: number }[];

let folder: string;
let rows: Rows;
let failing: boolean;
let reads: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "site-settings-"));
  [rows, failing, reads] = [[], false, 0];
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.spyOn(console, "error").mockReturnValue();
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

function openStore() {
  return createSiteSettingsStore({
    async read() {
      reads += 1;
      const read = rows;
      await Promise.resolve();
      if (failing) throw new Error("no database");
      return read;
    },
    cacheFile: join(folder, "cache/settings.json"),
    settings: { sampleContent: true, siteUrl: "http://127.0.0.1:3000", isSiteUrlSet: false },
  });
}

const firm = (name: string, version = 1): Rows => [
  { section: "firm", document: { name }, version },
];
const nameOf = async (store: ReturnType<typeof openStore>) =>
  (await store.current()).site.firm.name;

test("a new site shows the default firm", async () => {
  expect(await nameOf(openStore())).toBe(defaultSettings.firm.name);
});

test.each(["42P01", "PGRST205"])(
  "a project that lacks the table, with %s, shows the default firm",
  async (code) => {
    const fetch = async () => Response.json({ code, message: "missing" }, { status: 404 });
    const client = createClient("http://project.example", "key", { global: { fetch } });
    expect(await readPublishedSettings(client)()).toEqual([]);
  },
);

test("a change is shown to every request after its report", async () => {
  const store = openStore();
  rows = firm("One");
  store.setRealtimeConnected(true);
  expect(await nameOf(store)).toBe("One");
  rows = firm("Two", 2);
  void store.refresh();
  expect(await nameOf(store)).toBe("Two");
  expect(Math.floor((await store.current()).version)).toBe(2);
});

test("a change that is reported during a read is read, too", async () => {
  const store = openStore();
  rows = firm("One");
  void store.refresh();
  rows = firm("Two");
  void store.refresh();
  expect(await nameOf(store)).toBe("Two");
});

test("concurrent requests share one read", async () => {
  const store = openStore();
  await Promise.all(Array.from({ length: 20 }, () => store.current()));
  expect(reads).toBe(1);
});

test("without reports the settings are read again after five seconds, with reports after five minutes", async () => {
  const store = openStore();
  rows = firm("One");
  await store.current();
  rows = firm("Two");
  vi.advanceTimersByTime(4_999);
  expect(await nameOf(store)).toBe("One");
  vi.advanceTimersByTime(2);
  expect(await nameOf(store)).toBe("Two");
  store.setRealtimeConnected(true);
  await store.current();
  rows = firm("Three");
  vi.advanceTimersByTime(299_000);
  expect(await nameOf(store)).toBe("Two");
  vi.advanceTimersByTime(2_000);
  expect(await nameOf(store)).toBe("Three");
});

test("while the backend fails the last known settings are shown, also after a restart", async () => {
  rows = firm("Kept");
  const store = openStore();
  await store.current();
  failing = true;
  await store.refresh();
  expect(await nameOf(store)).toBe("Kept");
  expect(await nameOf(openStore())).toBe("Kept");
});

test("settings that could never be read are an error, not the default firm", async () => {
  failing = true;
  await expect(openStore().current()).rejects.toThrow("could not be read");
});

test("repeated failures are logged once, and not every request waits for another one", async () => {
  failing = true;
  const store = openStore();
  for (let request = 0; request < 5; request += 1) await store.current().catch(() => {});
  expect(console.error).toHaveBeenCalledOnce();
  expect(reads).toBe(1);
});

test.each([
  ["firm", { name: "\ufeffTwo" }],
  ["look", { logo: { src: "/images/%", width: 1, height: 1 } }],
  [
    "look",
    {
      icon: { src: `images/public/%`, width: 1, height: 1 },
    },
  ],
  ["look", { icon: { src: "/images/é.png", width: 1, height: 1 } }],
  ["adviser", { name: 3 }],
])(
  "a published section %s that cannot be read, %j, changes nothing, also after a restart",
  async (section, document) => {
    const mainColor = "#1f3a8a";
    rows = [
      ...firm("One"),
      { section: "adviser", document: { name: "Ada" }, version: 2 },
      { section: "look", document: { mainColor }, version: 2 },
    ];
    const store = openStore();
    await store.current();
    rows = rows.map((row) => (row.section === section ? { section, document, version: 3 } : row));
    await store.refresh();
    for (const opened of [store, openStore()]) {
      const { site, version } = await opened.current();
      expect(site.firm.name).toBe("One");
      expect(site.colors?.properties).toMatchObject({ "--light-evergreen": mainColor });
      expect(site.adviser.name).toBe("Ada");
      expect(Math.floor(version)).toBe(3);
    }
  },
);

test("of a firm that could never be read, at least the name is shown", async () => {
  rows = [{ section: "firm", document: { name: "\ufeffHill & Dale", motto: 3 }, version: 1 }];
  expect(await nameOf(openStore())).toBe("Hill & Dale");
  rmSync(join(folder, "cache"), { recursive: true });
  rows = [{ section: "firm", document: { name: 3 }, version: 1 }];
  await expect(openStore().current()).rejects.toThrow("could not be read");
});

test("a section that does not fit this version is left out, and never shows the default firm", async () => {
  rows = [...firm("Hill & Dale"), { section: "adviser", document: { name: 3 }, version: 1 }];
  const { site } = await openStore().current();
  expect(site.adviser.name).toBe("Hill & Dale");
  expect(console.error).toHaveBeenCalledWith(
    expect.stringContaining("The settings adviser do not fit this version"),
  );
  expect(readFileSync(join(folder, "cache/settings.json"), "utf8")).toContain("Hill & Dale");
});

test("notices and licenses start and end at midnight in the site's time zone, and open windows hear of it", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"], now: Date.parse("2026-11-25T07:59:59Z") });
  const days = { firstDay: "2026-11-25", lastDay: "2026-11-26" };
  rows = [
    ...firm("One"),
    { section: "contact", document: { timeZone: "America/Los_Angeles" }, version: 2 },
    { section: "notice", document: { text: "Closed", link: "", ...days }, version: 3 },
    {
      section: "licenses",
      document: { licenses: [{ state: "Ohio", type: "Life", expires: "2026-11-27" }] },
      version: 3,
    },
  ];
  const store = openStore();
  const stateAt = async (time: string) => {
    vi.setSystemTime(time);
    const { site, version } = await store.current();
    const { licenses } = site.licenses;
    return [site.notice?.text, licenses.length > 0, version, store.known()?.isLastDay];
  };
  store.setRealtimeConnected(true);
  expect(await stateAt("2026-11-25T07:59:59Z")).toEqual([undefined, true, 3.20781, true]);
  expect(await stateAt("2026-11-25T08:00:00Z")).toEqual(["Closed", true, 3.20782, false]);
  expect(await stateAt("2026-11-27T07:59:59Z")).toEqual(["Closed", true, 3.20783, true]);
  expect(await stateAt("2026-11-27T08:00:00Z")).toEqual([undefined, true, 3.20784, true]);
  expect(await stateAt("2026-11-28T08:00:00Z")).toEqual([undefined, false, 3.20785, false]);
  expect(reads).toBe(1);
});
