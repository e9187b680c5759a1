// Writes a period of the archive to one zip file that a browser reads without the site. Entries, pages and images are read
// one after the other, so the size of the archive does not matter.
import { ZipWriter } from "@zip.js/zip.js/lib/zip-core-writer.js";
import type { Client } from "../../supabase/client-context.ts";
import { toCsv } from "../csv-export.tsx";
import { type ArchivedVersion, readDay, readPeriod, type Summary } from "./archive.ts";
import { approvalColumns, indexPage, testimonialColumns } from "./export-files.ts";
import { type PastSite, pagesOf, toPost, withEntries } from "./past-site.ts";
import { renderPage } from "./render-page.tsx";

export interface ExportOptions {
  client: Client;
  /** Of the archive when the export starts: later entries are left out. */
  summary: Summary;
  /** ISO 8601 */
  starts: string;
  /** ISO 8601; excluded. */
  ends: string;
  timeZone: string;
  /** The path of the site's style sheet. */
  stylesheet: string;
  /** Loads the files of visitors' pages, in tests. */
  loadFile?: Parameters<typeof renderPage>[2];
  signal: AbortSignal;
  /** @param number of the entry that was written */
  onProgress: (number: number) => void;
}

/** An entry and the pages that were written for it. */
export interface ExportedEntry extends ArchivedVersion {
  /** Of a post; the name of who wrote a testimonial. */
  title: string;
  files: string[];
}

const imageAddress = /(?<= src=")(?!data:)[^"]+/g;
const fontAddress = /(?<=url\("?)(?!data:)[^")]+/g;

/**
 * @returns the file, and the addresses of images that could not be read
 * @throws the reason when it was cancelled or the connection was lost; there is no file then
 */
export async function exportArchive(
  options: ExportOptions,
): Promise<{ file: Blob; missing: string[] }> {
  const { client, summary, ends, timeZone, stylesheet, loadFile, signal, onProgress } = options;
  const [starts = ""] = [options.starts, summary.first_at ?? ""].sort(byTime).reverse();
  const { target, fileOf } = collectFile();
  const zip = new ZipWriter(target, { useWebWorkers: false });
  const files: { path: string; bytes: number; sha256: string; source: string | undefined }[] = [];
  const entries: ExportedEntry[] = [];
  /** The files of images and fonts by their address; empty for those that are missing. */
  const assets = new Map<string, string>();
  /** The file of each page of the site at the current entry. */
  const pages = new Map<string, string>();

  async function add(path: string, content: string | Blob, source?: string): Promise<void> {
    signal.throwIfAborted();
    const bytes = await new Blob([content]).arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    files.push({ path, bytes: bytes.byteLength, sha256, source });
    await zip.add(path, new Blob([bytes]).stream());
  }

  /** @throws without a connection */
  async function download(address: string): Promise<Blob | null> {
    // The policy of the site forbids to load what other hosts have.
    const response = address.startsWith("/") ? await fetch(address, { signal }) : null;
    return response?.ok ? response.blob() : null;
  }

  /** A page or a style sheet, with the addresses of files in the export. */
  async function withAssets(text: string, pattern: RegExp, up = ""): Promise<string> {
    for (const [found] of text.matchAll(pattern)) {
      const address = decodeAttribute(found);
      if (assets.has(address)) continue;
      const asset = await download(address);
      const type = /\/(\w+)/.exec(asset?.type ?? "")?.[1] ?? "bin";
      const file = asset ? `assets/${assets.size + 1}.${type}` : "";
      if (asset) await add(file, asset, address);
      assets.set(address, file);
    }
    return text.replace(pattern, (found) => {
      const file = assets.get(decodeAttribute(found));
      return file ? up + file : "";
    });
  }

  /** @returns the name of the file */
  async function addPage(past: PastSite, moment: string, path: string, folder: string, post = {}) {
    // A post that is public while the blog is switched off has its page.
    const site = { ...past.site, closed: [] };
    const shown = { ...past, site, moment, stylesheet: "../../style.css", post: toPost(post) };
    // React escapes quotes in texts and attributes, so this finds attributes alone.
    const html = ((await renderPage(shown, path, loadFile)) ?? "")
      .replace(/ sizes="[^"]*"| action="[^"]*"/g, "")
      .replace(/ srcSet="[^"]*?([^" ,]+) \d+w" src="[^"]*"/g, ' src="$1"')
      .replace(/ href="(\/[^"]*)"/g, (_, address) => {
        const file = pages.get(decodeAttribute(address).replace(/#.*/, ""));
        return file ? ` href="../../${file}"` : "";
      });
    const file = pageFile(folder, path);
    await add(file, await withAssets(html, imageAddress, "../../"));
    return file;
  }

  /** All pages but those of posts. */
  async function addSite(past: PastSite, moment: string, folder: string): Promise<string[]> {
    const paths = pagesOf(past).map(({ path }) => path);
    for (const path of paths) pages.set(path, pageFile(folder, path));
    const added: string[] = [];
    for (const path of paths) added.push(await addPage(past, moment, path, folder));
    return added;
  }

  async function addPagesOf(past: PastSite, entry: ArchivedVersion): Promise<string[]> {
    const { document, number, kind, since, is_public } = entry;
    const fields = Object(document);
    if (!is_public || fields.erased) return [];
    const folder = String(number);
    const isNew = number > atStart.last;
    const moment = isNew ? since : starts;
    if (kind === "post") {
      const path = `/blog/${fields.slug}`;
      pages.set(path, pageFile(folder, path));
      return [await addPage(past, moment, path, folder, fields)];
    }
    if (kind === "testimonial") {
      const { testimonials: options } = past.site;
      const testimonials = { ...options, samples: options.samples && fields.is_sample };
      const alone = { ...past, testimonials: [fields], site: { ...past.site, testimonials } };
      return [await addPage(alone, moment, "/testimonials", folder)];
    }
    return isNew ? addSite(past, moment, folder) : [pageFile("start", "/")];
  }

  const sheet = await (await download(stylesheet))?.text();
  await add("style.css", await withAssets(sheet ?? "", fontAddress));
  const atStart = await readDay(client, starts);
  for (const { slug, number } of atStart.posts) {
    pages.set(`/blog/${slug}`, pageFile(String(number), `/blog/${slug}`));
  }
  await addSite(atStart, starts, "start");

  const end = summary.last_number ?? 0;
  let past: PastSite = atStart;
  let last = 0;
  while (last < end) {
    const rows = await readPeriod(client, { starts, ends }, last);
    if (rows.length === 0) break;
    for (const row of rows.filter(({ number }) => number <= end)) {
      const { number, kind, document } = row;
      if (number > atStart.last) past = withEntries(past, [row]);
      const { title, name } = Object(document);
      entries.push({
        ...row,
        until: row.until && byTime(row.until, ends) < 0 ? row.until : null,
        // The others are too many, and stand in their pages.
        document: kind === "testimonial" ? document : undefined,
        title: kind === "settings" ? "" : (title ?? name),
        files: await addPagesOf(past, row),
      });
      onProgress(number);
    }
    last = rows.at(-1)?.number ?? end;
  }

  const missing = [...assets].flatMap(([address, file]) => (file ? [] : address));
  const rowsOf = (wanted: string) => entries.filter(({ kind }) => kind === wanted);
  await add("testimonials.csv", toCsv(testimonialColumns, rowsOf("testimonial"), timeZone));
  await add("approvals.csv", toCsv(approvalColumns, rowsOf("approval"), timeZone));
  await add("index.html", indexPage({ entries, missing, starts, ends, timeZone }));
  const { last_number, last_hash } = summary;
  const chain = entries.map(({ document: _, ...entry }) => entry);
  const manifest = { starts, ends, last_number, last_hash, missing, files, entries: chain };
  await add("manifest.json", JSON.stringify(manifest, null, 1));
  await zip.close();
  return { file: fileOf(), missing };
}

function pageFile(folder: string, path: string): string {
  return `pages/${folder}/${path.slice(1).replaceAll("/", "-") || "home"}.html`;
}

function decodeAttribute(attribute: string): string {
  return attribute.replaceAll("&amp;", "&");
}

function byTime(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b);
}

/** Collects a file in pieces of 4 MB, which browsers can move out of the memory of the page. */
function collectFile() {
  const pieces: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const target = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes < 4_000_000) return;
      pieces.push(new Blob(chunks));
      chunks = [];
      bytes = 0;
    },
  });
  return { target, fileOf: () => new Blob([...pieces, ...chunks], { type: "application/zip" }) };
}
