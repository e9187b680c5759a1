// Writes a period of the archive to one zip file that a browser reads without the site. Rows and files are read one after
// the other, and what is written is in blobs, which browsers can move out of the memory of the page.
import type { Client } from "../../supabase/client-context.ts";
import { readConsents } from "../consent-records.tsx";
import { consentColumns } from "../consents/consents-csv.ts";
import { readAllRows, toCsv } from "../csv-export.tsx";
import { readRequests, requestColumns } from "../personal-data/privacy-requests.ts";
import { sha256 } from "../sha256.ts";
import { type Copy, type Period, readChanges, readFiles, readRows } from "./archive.ts";
import {
  changeColumns,
  copyColumns,
  createIndex,
  type ExportedCopy,
  fileOf,
  readMe,
  testimonialColumns,
} from "./export-files.ts";
import { createProvenance } from "./provenance.ts";
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
  const provenance = createProvenance();
  const index = createIndex(options, provenance);
  const copyList = [new Blob([toCsv(copyColumns, [], timeZone)])];
  const chain: Blob[] = [];
  const changes: Blob[] = [];
  const testimonials: Blob[] = [];
  const sums: string[] = [];
  /** The names of files by their hashes. */
  const written = new Map<string, string>();
  let incomplete = 0;
  let last: Copy | undefined;

  async function add(path: string, content: Blob, hash: string): Promise<void> {
    await zip.add(path, await compress(content));
    sums.push(`${hash}  ${path}\n`);
  }

  function describe(copy: Copy): ExportedCopy {
    const { digest, files } = copy;
    // What was published since without another copy looks the same.
    const time = Math.max(Date.parse(copy.since), Date.parse(options.starts));
    const names = files.flatMap((hash) => written.get(hash) ?? []);
    const page = written.get(digest ?? "");
    return {
      ...{ ...copy, page, others: names.filter((name) => name !== page) },
      shown: provenance.shownAt(copy, time),
      isComplete: names.length === files.length,
    };
  }

  for (let first = 0; ; ) {
    const rows = await readChanges(client, options, first);
    const changed = rows.filter(({ kind }) => kind === "testimonial");
    const isFirst = first === 0;
    changes.push(new Blob([toCsv(changeColumns, rows, timeZone, isFirst)]));
    testimonials.push(new Blob([toCsv(testimonialColumns, changed, timeZone, isFirst)]));
    provenance.add(rows);
    if (rows.length === 0) break;
    first += rows.length;
  }

  for (let first = 0; ; ) {
    const { rows, total } = await readRows(client, {}, first);
    if (rows.length === 0) break;
    const copies = rows.filter((row) => isInPeriod(row, options));
    const shown = new Set(copies.flatMap(({ files }) => files));
    const wanted = [...shown].filter((hash) => !written.has(hash));
    for await (const { hash, type, bytes } of readFiles(client, wanted)) {
      await add(fileOf(hash, type), new Blob([bytes]), hash);
      written.set(hash, fileOf(hash, type));
    }
    const described = new Map(copies.map((copy) => [copy.number, describe(copy)]));
    for (const row of rows) index.add(row, described.get(row.number) ?? null);
    copyList.push(new Blob([toCsv(copyColumns, [...described.values()], timeZone, false)]));
    chain.push(new Blob(rows.map(({ line }) => `${line}\n`)));
    incomplete += [...described.values()].filter(({ isComplete }) => !isComplete).length;
    last = rows.at(-1);
    first += rows.length;
    onProgress(first, total);
  }
  const consents = await readAllRows(
    async (first, count) => {
      const { rows, counts } = await readConsents(client, "all", first, count);
      return { rows, total: counts.all ?? 0 };
    },
    () => {},
  );

  const requests = [new Blob([toCsv(requestColumns, [], timeZone)])];
  for (let first = 0; ; ) {
    const rows = await readRequests(client, first);
    if (rows.length === 0) break;
    requests.push(new Blob([toCsv(requestColumns, rows, timeZone, false)]));
    first += rows.length;
  }

  const lists = {
    ...{ "index.html": index.end(), "copies.csv": copyList, "chain.tsv": chain },
    ...{ "changes.csv": changes, "testimonials.csv": testimonials },
    "consents.csv": [toCsv(consentColumns, consents, timeZone)],
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
