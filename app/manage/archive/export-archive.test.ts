import { BlobReader, Uint8ArrayWriter, ZipReader } from "@zip.js/zip.js";
import { afterEach, expect, test, vi } from "vitest";
import { loadRouteFile, versionOf } from "../../../tests/archive-versions.ts";
import type { Client } from "../../supabase/client-context.ts";
import { type ExportOptions, exportArchive } from "./export-archive.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const first = "2027-01-01T00:00:00.000001Z";
const firm = versionOf("settings", "firm", { name: "Byron Life" });
const post = (number: number, text: string, image_url = "images/public/a.jpg") =>
  versionOf("post", "p", {
    ...{ id: "p", slug: "term", title: `=Term ${number}`, category: "Taxes", author: "Ada" },
    ...{ tagline: "", alt: "", image_url, related_services: [], published_date: first },
    content: [{ type: "paragraph", text }],
    ...{ created_at: first, updated_at: first },
  });
const testimonial = versionOf("testimonial", "t", {
  ...{ id: "t", name: "=Grace", content: "Kept her word.", rating: 5, created_at: first },
});

interface Arguments {
  moment: string;
  wanted_kind: string;
  wanted_item: string | null;
  after: number;
}

/** An archive whose database knows only these versions, one per day of January 2027. */
function archiveOf(versions: ReturnType<typeof versionOf>[]) {
  const rows = versions.map((version, index) => ({
    ...{ number: index + 1, until: null, by: "Ada", digest: `d${index}`, hash: `h${index}` },
    ...{ since: `2027-01-${String(index + 1).padStart(2, "0")}T00:00:00.000001Z`, ...version },
  }));
  const functions: Record<string, (args: Arguments) => unknown> = {
    archive_at({ moment, wanted_kind, wanted_item }) {
      const found = rows.filter(
        ({ since, kind, item }) =>
          since <= moment && kind === wanted_kind && item === (wanted_item ?? item),
      );
      return { total: found.length, rows: found };
    },
    archive_period: ({ after }) => ({
      rows: rows.filter(({ number }) => number > after).slice(0, 2),
    }),
  };
  const rpc = (name: string, args: Arguments) => ({
    throwOnError: async () => ({ data: functions[name]?.(args) }),
  });
  const summary = {
    ...{ entries: rows.length, first_at: first, last_number: rows.length, last_hash: "last" },
  };
  return { client: { rpc } as unknown as Client, summary };
}

async function exported(
  versions: ReturnType<typeof versionOf>[],
  options: Partial<ExportOptions> = {},
) {
  vi.stubGlobal("fetch", async (address: string) => {
    if (address.includes("gone")) return new Response(null, { status: 404 });
    if (address.endsWith(".css")) return new Response('@font-face{src:url("/assets/a.woff2")}');
    const type = address.endsWith(".woff2") ? "font/woff2" : "image/webp";
    return new Response(address, { headers: { "content-type": type } });
  });
  const { file, missing } = await exportArchive({
    ...archiveOf(versions),
    ...{ starts: first, ends: "2027-02-01T00:00:00Z", timeZone: "UTC" },
    ...{ stylesheet: "/assets/app.css", signal: new AbortController().signal },
    ...{ onProgress: () => {}, loadFile: loadRouteFile, ...options },
  });
  const files = new Map<string, string>();
  for (const entry of await new ZipReader(new BlobReader(file)).getEntries()) {
    if (entry.directory) continue;
    const bytes = await entry.getData(new Uint8ArrayWriter());
    files.set(entry.filename, new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  }
  return { missing, files };
}

test("each version has a page whose links and images are files of the export", async () => {
  const { files } = await exported([firm, post(2, "Before."), testimonial, post(4, "After.")]);
  expect([...files.keys()]).toEqual(expect.arrayContaining(["style.css", "pages/start/home.html"]));
  expect(files.get("style.css")).toContain('url("assets/1.woff2")');
  expect(files.get("assets/1.woff2")).toBe("/assets/a.woff2");
  expect(files.get("pages/2/blog-term.html")).toContain("Before.");
  expect(files.get("pages/4/blog-term.html")).toContain("After.");
  expect(files.get("pages/3/testimonials.html")).toContain("Kept her word.");
  for (const [path, text] of files) {
    if (!path.endsWith(".html")) continue;
    expect(text, path).not.toMatch(/(src|srcset|href|action)="(\/|https?:\/\/site)/i);
    for (const [, target = ""] of text.matchAll(/ (?:src|href)="([^"#:]+)"/g)) {
      const file = new URL(target, `file:///${path}`).pathname.slice(1);
      expect([...files.keys()], `${path} links to ${file}`).toContain(file);
    }
  }
});

test("the manifest has the hash of each file and entry, and tables run no formulas", async () => {
  const { files } = await exported([firm, post(2, "Text."), testimonial]);
  const manifest = JSON.parse(files.get("manifest.json") ?? "");
  expect(manifest).toMatchObject({ last_number: 3, last_hash: "last", missing: [] });
  expect(manifest.entries.map(({ hash }: { hash: string }) => hash)).toEqual(["h0", "h1", "h2"]);
  for (const { path, sha256 } of manifest.files) {
    const bytes = new TextEncoder().encode(files.get(path));
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    expect(Buffer.from(digest).toString("hex"), path).toBe(sha256);
  }
  expect(files.get("testimonials.csv")).toContain(",'=Grace,");
});

test("a change of settings has the pages that show it, and an entry after the start is left out", async () => {
  const renamed = versionOf("settings", "firm", { name: "Lovelace Life" });
  const archive = archiveOf([firm, post(2, "Text."), renamed, post(4, "Too late.")]);
  const { files } = await exported([], {
    ...archive,
    summary: { ...archive.summary, last_number: 3 },
  });
  expect(files.get("pages/start/home.html")).toContain("Byron Life");
  expect(files.get("pages/3/home.html")).toContain("Lovelace Life");
  expect(files.get("pages/3/home.html")).toContain('href="../../pages/2/blog-term.html"');
  expect(files.has("pages/4/blog-term.html")).toBe(false);
});

test.each(["images/public/gone.jpg", "https://other.example/image.jpg"])(
  "the image %s is named, not loaded, and the export goes on",
  async (image) => {
    const { missing, files } = await exported([firm, post(2, "Text.", image)]);
    expect(missing).toEqual([expect.stringContaining(image.replace("images/public", ""))]);
    expect(files.get("index.html")).toContain(missing[0]);
    expect(files.get("pages/2/blog-term.html")).toContain("Text.");
    expect(files.get("pages/2/blog-term.html")).not.toMatch(/src="[^"]*(gone|other)/);
  },
);

test("a post that was published while the blog was off has its page", async () => {
  const off = versionOf("settings", "pages", { hidden: ["blog"] });
  const { files } = await exported([
    firm,
    off,
    post(3, "Text."),
    versionOf("settings", "pages", {}),
  ]);
  expect(files.get("pages/3/blog-term.html")).toContain("Text.");
  expect(files.get("pages/4/blog.html")).toContain("../../pages/3/blog-term.html");
});

test("the table of approvals says who decided what about which words, and when", async () => {
  const approval = versionOf("approval", "p", { title: "Term", content: [] });
  const { files } = await exported([firm, { ...approval, event: "returned", is_public: false }]);
  const line = "2,returned,2027-01-02T00:00:00+00:00,,Ada,Term,d1";
  expect(files.get("approvals.csv")).toContain(line);
});

test("a cancelled export has no file", async () => {
  const stop = new AbortController();
  const onProgress = () => stop.abort();
  await expect(
    exported([firm, post(2, "Text.")], { signal: stop.signal, onProgress }),
  ).rejects.toThrow(stop.signal.reason);
});

test("a connection that is lost during an export ends it without a file", async () => {
  const { client, summary } = archiveOf([firm, post(2, "Text."), testimonial]);
  const lost = new TypeError("Failed to fetch");
  const rpc = (name: string, args: Arguments) => {
    if (args.after === 2) throw lost;
    return client.rpc(name as "archive_period", args as never);
  };
  await expect(exported([], { client: { rpc } as unknown as Client, summary })).rejects.toBe(lost);
});
