// Writes a period of the archive to one zip file that a browser reads without the site. Rows and files are read one after
// the other, and what is written is in blobs, so the size of the archive does not matter.
import { ZipWriter } from "@zip.js/zip.js/lib/zip-core-writer.js";
import type { Client } from "../../supabase/client-context.ts";
import { type Columns, toCsv } from "../csv-export.tsx";
import {
  type Change,
  type Period,
  readChanges,
  readFiles,
  readRows,
  type Summary,
} from "./archive.ts";
import {
  changeColumns,
  indexEnd,
  indexHead,
  indexRow,
  pageFile,
  readMe,
  testimonialColumns,
} from "./export-files.ts";

export interface ExportOptions extends Period {
  client: Client;
  /** Of the archive when the export starts: later rows are left out. */
  summary: Summary;
  timeZone: string;
  signal: AbortSignal;
  /** @param number of the row that was written */
  onProgress: (number: number) => void;
}

const extensions: Record<string, string> = {
  ...{ "text/css": "css", "font/woff2": "woff2", "image/webp": "webp", "image/avif": "avif" },
  ...{ "image/jpeg": "jpg", "image/png": "png", "image/svg+xml": "svg", "image/gif": "gif" },
};

/**
 * @returns the file, and how many copies are not complete in it
 * @throws the reason when it was cancelled or the connection was lost; there is no file then
 */
export async function exportArchive(
  options: ExportOptions,
): Promise<{ file: Blob; incomplete: number }> {
  const { client, summary, timeZone, signal, onProgress } = options;
  const end = summary.last_number ?? 0;
  const file = collect();
  const zip = new ZipWriter(new WritableStream(file), { useWebWorkers: false });
  const sums = collect();
  const [index, chain, changes, testimonials] = [collect(), collect(), collect(), collect()];
  /** The hashes of everything in the export. */
  const written = new Set<string>();
  let incomplete = 0;

  async function add(path: string, content: Blob, hash: string): Promise<void> {
    signal.throwIfAborted();
    await zip.add(path, content.stream());
    sums.write(`${hash}  ${path}\n`);
  }

  index.write(indexHead(options, timeZone));
  for (let last = 0; last < end; ) {
    const rows = (await readRows(client, options, last)).filter(({ number }) => number <= end);
    const copies = rows.filter(({ is_in_period }) => is_in_period);
    const pages = Map.groupBy(copies, ({ digest }) => digest);
    const wanted = new Set(copies.flatMap(({ files }) => files));
    const missing = [...wanted].filter((hash) => pages.has(hash) || !written.has(hash));
    for await (const { hash, type, bytes } of readFiles(client, missing)) {
      const copiesOf = pages.get(hash)?.map(({ number }) => pageFile(number));
      for (const path of copiesOf ?? [`files/${hash}.${extensions[type] ?? "bin"}`]) {
        // Under the hash of the row, so that the sums also prove that the bytes are those of the archive.
        await add(path, new Blob([bytes]), hash);
      }
      written.add(hash);
    }
    for (const copy of copies) {
      const isComplete = copy.files.every((hash) => written.has(hash));
      const isKept = copy.digest !== null && written.has(copy.digest);
      if (!isComplete) incomplete++;
      const state = isComplete ? "complete" : isKept ? "incomplete" : "no longer kept";
      index.write(indexRow(copy, state, timeZone));
    }
    for (const { line } of rows) chain.write(`${line}\n`);
    last = rows.at(-1)?.number ?? end;
    onProgress(last);
  }
  index.write(indexEnd);

  for (let first = 0; ; ) {
    const rows = await readChanges(client, options, first);
    const reviews = rows.filter(({ kind }) => kind === "testimonial");
    changes.write(csvOf(changeColumns, rows, first === 0));
    testimonials.write(csvOf(testimonialColumns, reviews, first === 0));
    first += rows.length;
    if (rows.length === 0) break;
  }

  const lists = {
    ...{ "index.html": index.blob(), "chain.tsv": chain.blob() },
    ...{ "changes.csv": changes.blob(), "testimonials.csv": testimonials.blob() },
    "README.txt": new Blob([readMe(options, summary, timeZone)]),
  };
  for (const [path, list] of Object.entries(lists)) await add(path, list, await sha256(list));
  await zip.add("SHA256SUMS", sums.blob().stream());
  await zip.close();
  return { file: file.blob("application/zip"), incomplete };

  function csvOf(columns: Columns<Change>, rows: readonly Change[], hasHeadings: boolean): string {
    const csv = toCsv(columns, rows, timeZone);
    return hasHeadings ? csv : csv.slice(csv.indexOf("\n") + 1);
  }
}

async function sha256(content: Blob): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await content.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Collects a file in pieces of 4 MB, which browsers can move out of the memory of the page. */
function collect() {
  const pieces: Blob[] = [];
  let chunks: (string | Uint8Array<ArrayBuffer>)[] = [];
  let size = 0;
  return {
    write(chunk: string | Uint8Array<ArrayBuffer>): void {
      chunks.push(chunk);
      size += chunk.length;
      if (size < 4_000_000) return;
      pieces.push(new Blob(chunks));
      chunks = [];
      size = 0;
    },
    blob: (type = "") => new Blob([...pieces, ...chunks], { type }),
  };
}
