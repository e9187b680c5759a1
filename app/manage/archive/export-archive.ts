// Writes a period of the archive to one zip file that a browser reads without the site. Rows and files are read one after
// the other, and what is written is in blobs, which browsers can move out of the memory of the page.
import type { Client } from "../../supabase/client-context.ts";
import { toCsv } from "../csv-export.tsx";
import { readRequests, requestColumns } from "../personal-data/privacy-requests.ts";
import { sha256 } from "../sha256.ts";
import { type Copy, type Period, readChanges, readFiles, readRows } from "./archive.ts";
import {
  changeColumns,
  fileOf,
  indexEnd,
  indexHead,
  indexRow,
  readMe,
  testimonialColumns,
} from "./export-files.ts";
import { compress, createZip } from "./zip.ts";

interface ExportOptions extends Period {
  client: Client;
  timeZone: string;
  /** Called with numbers of rows. */
  onProgress: (done: number, total: number) => void;
}

/**
 * @returns the file, and how many copies are not complete in it
 * @throws when the connection was lost; there is no file then
 */
export async function exportArchive(
  options: ExportOptions,
): Promise<{ file: Blob; incomplete: number }> {
  const { client, timeZone, onProgress } = options;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const file = new Response(readable).blob();
  const zip = createZip(writable);
  const index = [new Blob([indexHead(options)])];
  const chain: Blob[] = [];
  const changes: Blob[] = [];
  const testimonials: Blob[] = [];
  const sums: string[] = [];
  const written = new Set<string>();
  let incomplete = 0;
  let last: Copy | undefined;

  async function add(path: string, content: Blob, hash: string): Promise<void> {
    await zip.add(path, await compress(content));
    sums.push(`${hash}  ${path}\n`);
  }

  for (let first = 0; ; ) {
    const { rows, total } = await readRows(client, {}, first);
    if (rows.length === 0) break;
    const copies = rows.filter((row) => isInPeriod(row, options));
    const shown = new Set(copies.flatMap(({ files }) => files));
    const wanted = [...shown].filter((hash) => !written.has(hash));
    for await (const { hash, type, bytes } of readFiles(client, wanted)) {
      await add(fileOf(hash, type), new Blob([bytes]), hash);
      written.add(hash);
    }
    index.push(new Blob(copies.map((copy) => indexRow(copy, written, timeZone))));
    chain.push(new Blob(rows.map(({ line }) => `${line}\n`)));
    incomplete += copies.filter(({ files }) => files.some((hash) => !written.has(hash))).length;
    last = rows.at(-1);
    first += rows.length;
    onProgress(first, total);
  }
  index.push(new Blob([indexEnd]));

  for (let first = 0; ; ) {
    const rows = await readChanges(client, options, first);
    const changed = rows.filter(({ kind }) => kind === "testimonial");
    const isFirst = first === 0;
    changes.push(new Blob([toCsv(changeColumns, rows, timeZone, isFirst)]));
    testimonials.push(new Blob([toCsv(testimonialColumns, changed, timeZone, isFirst)]));
    if (rows.length === 0) break;
    first += rows.length;
  }

  const requests = [new Blob([toCsv(requestColumns, [], timeZone)])];
  for (let first = 0; ; ) {
    const rows = await readRequests(client, first);
    if (rows.length === 0) break;
    requests.push(new Blob([toCsv(requestColumns, rows, timeZone, false)]));
    first += rows.length;
  }

  const lists = {
    ...{ "index.html": index, "chain.tsv": chain },
    ...{ "changes.csv": changes, "testimonials.csv": testimonials },
    "privacy-requests.csv": requests,
    "README.txt": [readMe(options, last)],
  };
  for (const [path, parts] of Object.entries(lists)) {
    const content = new Blob(parts);
    await add(path, content, await sha256(await content.arrayBuffer()));
  }
  await zip.add("SHA256SUMS", await compress(new Blob(sums)));
  await zip.close();
  return { file: await file, incomplete };
}

function isInPeriod({ digest, since, until }: Copy, { starts, ends }: Period): boolean {
  const wasPublic = Date.parse(since) < Date.parse(ends);
  return digest !== null && wasPublic && (!until || Date.parse(until) > Date.parse(starts));
}
