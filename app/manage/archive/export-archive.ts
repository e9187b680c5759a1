// Writes a period of the archive to one zip file that a browser reads without the site. Entries, pages and images are read
// one after the other, so the size of the archive does not matter.
import { ZipWriter } from "@zip.js/zip.js/lib/zip-core-writer.js";
import type { Client } from "../../supabase/client-context.ts";
import { toCsv } from "../csv-export.tsx";
import { type ArchivedVersion, readDay, readPeriod, readPost, type Summary } from "./archive.ts";
import { approvalColumns, decisionColumns, indexPage, testimonialColumns } from "./export-files.ts";
import {
  type PastPost,
  type PastSite,
  pagesOf,
  pathsOf,
  toPost,
  withEntries,
} from "./past-site.ts";
import { renderPage } from "./render-page.tsx";

export interface Period {
  /** ISO 8601 */
  starts: string;
  /** ISO 8601; excluded. */
  ends: string;
}

export interface ExportOptions extends Period {
  client: Client;
  /** Of the archive when the export starts: later entries are left out. */
  summary: Summary;
  /** Where the file is written. Aborted when the export fails. */
  target: WritableStream<Uint8Array>;
  /** The complete address of the site's style sheet. */
  stylesheet: string;
  /** Loads the files of visitors' pages, in tests. */
  loadFile?: Parameters<typeof renderPage>[2];
  timeZone: string;
  signal: AbortSignal;
  /** @param number of the entry that was written */
  onProgress: (number: number) => void;
}

/** An entry and the pages that were written for it. */
export type ExportedEntry = Omit<ArchivedVersion, "document"> & {
  /** Of a post; the name of who wrote a testimonial. */
  title: string;
  files: string[];
};

export interface Exported {
  entries: ExportedEntry[];
  /** The addresses of images that could not be read. */
  missing: string[];
}

/** @throws the reason when it was cancelled or could not be completed; the file is incomplete then */
export async function exportArchive(options: ExportOptions): Promise<Exported> {
  const { client, summary, target, stylesheet, timeZone, signal, onProgress } = options;
  const zip = new ZipWriter(target, { useWebWorkers: false });
  const manifest: { path: string; bytes: number; sha256: string; source?: string }[] = [];
  const exported: Exported = { entries: [], missing: [] };
  const testimonials: ArchivedVersion[] = [];
  const approvals: ArchivedVersion[] = [];
  /** The files of images by their address; null for those that are missing. */
  const images = new Map<string, string | null>();
  /** The file of each address of the site at the current entry. */
  const files = new Map<string, string>();

  async function add(path: string, content: string | Blob, source?: string): Promise<void> {
    signal.throwIfAborted();
    const bytes = await new Blob([content]).arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    manifest.push({ path, bytes: bytes.byteLength, sha256, ...(source && { source }) });
    await zip.add(path, new Blob([bytes]).stream());
  }

  /** @returns null when the site does not have the file any more. @throws without a connection */
  async function download(address: string): Promise<Blob | null> {
    return retry(signal, async () => {
      const response = await fetch(address, { signal });
      if (response.status === 429 || response.status >= 500) {
        throw new Error(`${address} answered ${response.status}`);
      }
      return response.ok ? response.blob() : null;
    }).catch((error) => {
      if (signal.aborted || error instanceof TypeError) throw error;
      return null;
    });
  }

  async function imageFile(address: string): Promise<string | null> {
    const known = images.get(address);
    if (known !== undefined) return known;
    const image = await download(address);
    const type = image && (/image\/(\w+)/.exec(image.type)?.[1] ?? "bin");
    const file = image && `images/${images.size + 1}.${type}`;
    if (image && file) await add(file, image, address);
    else exported.missing.push(address);
    images.set(address, file);
    return file;
  }

  /** The site at a moment, with links and images that lead to files of the export. */
  async function addPage(
    past: PastSite,
    moment: string,
    path: string,
    file: string,
    own?: unknown,
  ) {
    const up = "../".repeat(file.split("/").length - 1);
    const read = ({ id }: PastPost) => retry(signal, () => readPost(client, moment, id));
    const html = await renderPage(
      {
        ...past,
        moment,
        stylesheet: `${up}style.css`,
        readPost: async (post) => (own ? toPost(own) : read(post)),
      },
      path,
      options.loadFile,
    );
    if (html === null) return false;
    await add(file, await withFiles(html, up));
    return true;
  }

  async function withFiles(html: string, up: string): Promise<string> {
    // React escapes quotes in texts and attributes, so this finds attributes alone.
    const largest = html
      .replace(/ sizes="[^"]*"| action="[^"]*"/g, "")
      .replace(/ srcSet="[^"]*?([^" ,]+) \d+w" src="[^"]*"/g, ' src="$1"');
    for (const [, address = ""] of largest.matchAll(/ src="(\/[^"]*)"/g)) {
      await imageFile(decodeAttribute(address));
    }
    return largest
      .replace(/ src="(\/[^"]*)"/g, (_, address) => {
        const file = images.get(decodeAttribute(address));
        return file ? ` src="${up}${file}"` : "";
      })
      .replace(/ href="(\/[^"]*)"/g, (_, address) => {
        const file = files.get(decodeAttribute(address).replace(/#.*/, ""));
        return file ? ` href="${up}${file}"` : "";
      });
  }

  /** The pages of settings that changed, of a moment. */
  async function addPages(past: PastSite, moment: string, folder: string, paths: string[]) {
    const added = paths.map((path) => [path, `${folder}/${fileName(path)}`] as const);
    for (const [path, file] of added) files.set(path, file);
    for (const [path, file] of added) {
      if (!(await addPage(past, moment, path, file))) files.delete(path);
    }
    return paths.flatMap((path) => files.get(path) ?? []);
  }

  async function addEntry(before: PastSite, entry: ArchivedVersion): Promise<PastSite> {
    const { document, ...rest } = entry;
    const { number, kind, item, since, is_public } = rest;
    const isNew = number > lastAtStart;
    const moment = isNew ? since : starts;
    const past = isNew ? withEntries(before, [entry]) : before;
    const fields = Object(document);
    const added: string[] = [];
    if (is_public && !fields.erased) {
      if (kind === "post") {
        const file = `posts/${number}.html`;
        files.set(`/blog/${fields.slug}`, file);
        if (await addPage(past, moment, `/blog/${fields.slug}`, file, document)) added.push(file);
      } else if (kind === "testimonial") {
        const file = `testimonials/${number}.html`;
        const alone = { ...past, testimonials: [fields], site: withoutSamples(past) };
        if (await addPage(alone, moment, "/testimonials", file)) added.push(file);
      } else if (isNew) {
        added.push(...(await addPages(past, moment, `pages/${number}`, pathsOf(past, kind, item))));
      } else {
        added.push("pages/start/home.html");
      }
    }
    if (kind === "testimonial") testimonials.push(entry);
    if (kind === "approval") approvals.push({ ...entry, document: { title: fields.title } });
    const title = kind === "settings" ? "" : (fields.title ?? fields.name);
    exported.entries.push({ ...rest, title, files: added });
    return past;
  }

  const { ends } = options;
  /** The last entry that the site showed at the beginning. */
  let lastAtStart = 0;
  const starts = laterOf(options.starts, summary.first_at ?? options.starts);
  try {
    const sheet = (await (await download(stylesheet))?.text()) ?? "";
    await add("style.css", await withFonts(sheet));
    const day = await retry(signal, () => readDay(client, starts));
    lastAtStart = day.entries.reduce((last, { number }) => Math.max(last, number), 0);
    let past: PastSite = day;
    for (const { slug, number } of past.posts) files.set(`/blog/${slug}`, `posts/${number}.html`);
    const paths = pagesOf(past).map(({ path }) => path);
    await addPages(past, starts, "pages/start", paths);
    let rows: ArchivedVersion[];
    let last = 0;
    do {
      rows = await retry(signal, () => readPeriod(client, { starts, ends }, last));
      for (const row of rows) {
        last = row.number;
        if (last > (summary.last_number ?? 0)) break;
        const until = row.until && Date.parse(row.until) < Date.parse(ends) ? row.until : null;
        past = await addEntry(past, { ...row, until });
        onProgress(last);
      }
    } while (rows.length > 0 && last < (summary.last_number ?? 0));

    const decisions = testimonials.filter(({ event }) => event !== "received");
    await add("testimonials.csv", toCsv(testimonialColumns, testimonials, timeZone));
    await add("decisions.csv", toCsv(decisionColumns, decisions, timeZone));
    await add("approvals.csv", toCsv(approvalColumns, approvals, timeZone));
    await add("index.html", indexPage(exported, { starts, ends }, timeZone));
    const { last_number, last_hash } = summary;
    const facts = { starts, ends, last_number, last_hash, missing: exported.missing };
    const entries = exported.entries.map(({ title: _, ...entry }) => entry);
    await add("manifest.json", JSON.stringify({ ...facts, files: manifest, entries }, null, 1));
    await zip.close();
    return exported;
  } catch (error) {
    await target.abort(error).catch(() => {});
    throw error;
  }

  async function withFonts(sheet: string): Promise<string> {
    const fonts = new Map<string, string>();
    for (const [, address = ""] of sheet.matchAll(/url\("?([^")]+\.woff2)"?\)/g)) {
      const font = await download(new URL(address, stylesheet).href);
      const file = `fonts/${address.replace(/^.*\//, "")}`;
      if (font && !fonts.has(address)) await add(file, font);
      fonts.set(address, file);
    }
    return sheet.replace(/url\("?([^")]+\.woff2)"?\)/g, (all, address) => {
      const file = fonts.get(address);
      return file ? `url("${file}")` : all;
    });
  }
}

function withoutSamples({ site }: PastSite) {
  return { ...site, testimonials: { ...site.testimonials, samples: false } };
}

function fileName(path: string): string {
  return `${path.slice(1).replaceAll("/", "-") || "home"}.html`;
}

function decodeAttribute(attribute: string): string {
  return attribute.replaceAll("&amp;", "&");
}

function laterOf(a: string, b: string): string {
  return Date.parse(a) > Date.parse(b) ? a : b;
}

/** Tries again after short pauses, because one lost request should not end a long export. */
async function retry<Value>(signal: AbortSignal, read: () => PromiseLike<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await read();
    } catch (error) {
      if (attempt === 3 || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * attempt));
    }
  }
}
