// The file of a backup: a gzipped tar archive with a manifest, readable with common tools.
// Covers: writing and reading it as a stream, with one chunk in memory at a time. Does not cover: encryption.
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { ReadableStream, TransformStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from "modern-tar";
import { z } from "zod";
import { sequenceSchema, type Table, tableSchema } from "./tables.ts";

export const manifestSchema = z.object({
  /** As `formatOf` the project's name. */
  format: z.string(),
  /** When the backup was made, in ISO 8601. */
  madeAt: z.string(),
  /** Versions of the migrations that created the tables. */
  migrations: z.array(z.string()),
  tables: z.array(tableSchema),
  sequences: z.array(sequenceSchema),
  /** The number of images. The key is part of the file format. */
  pictures: z.number().int(),
  /** What the project adds (config.ts). */
  facts: z.optional(z.unknown()),
});
export type Manifest = z.infer<typeof manifestSchema>;

export function formatOf(name: string): string {
  return `${name} backup 1`;
}

export const ENTRY_NAMES = {
  manifest: "manifest.json",
  secrets: "secrets.json",
  /** The name of the last entry. An archive without it is truncated. */
  end: "end",
} as const;

export interface ArchiveWriter {
  add(name: string, content: string | Uint8Array): Promise<void>;
  /** @param size the exact number of bytes that the stream has */
  addStream(name: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** The archive cannot be used. The message is printed for the person who chose the file. */
export class BadArchive extends Error {}

/**
 * Writes an archive that only its owner can read. `file` appears when everything is on the disk.
 * @param verify reads the archive back before it gets its name
 * @returns what `fill` returns
 * @throws BadArchive when `file` exists
 */
export async function writeArchive<Result>(
  file: string,
  fill: (archive: ArchiveWriter) => Promise<Result>,
  verify: (unfinished: string) => Promise<void>,
): Promise<Result> {
  if (existsSync(file)) throw new BadArchive(`${file} exists. Name another file.`);
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  const { readable, controller } = createTarPacker();
  const written = pipeline(
    // The library declares the stream types of the browser, which Node declares separately.
    Readable.fromWeb(readable as ReadableStream),
    createGzip(),
    createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }),
  );
  // The await below reports the error. Until then the rejection must not count as unhandled.
  written.catch(() => {});
  try {
    const result = await fill({
      async add(name, content) {
        const bytes = Buffer.from(content);
        await addStream(name, bytes.length, [bytes]);
      },
      addStream,
    });
    controller.finalize();
    await written;
    await verify(unfinished);
    await rename(unfinished, file);
    await syncFolder(dirname(file));
    return result;
  } catch (error) {
    controller.error(error);
    await written.catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }

  async function addStream(
    name: string,
    size: number,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    const entry = controller.add({ name, size, mode: 0o600, type: "file" });
    // On a full disk `written` rejects, and the other pipeline would wait forever.
    await Promise.race([pipeline(content, Writable.fromWeb(entry)), written]);
  }
}

type BackupEntry =
  | { table: Table; rows: string }
  | { version: string; content: AsyncIterable<Uint8Array> };

export type OpenBackup = Awaited<ReturnType<typeof openBackup>>;

/**
 * @param name of the project that made the backup
 * @throws BadArchive when the file cannot be read, and while reading its entries
 */
export async function openBackup(name: string, file: string) {
  const archive = readArchive(file);
  const manifest = parseManifest(name, await nextEntry(archive, ENTRY_NAMES.manifest));
  const secrets = await nextEntry(archive, ENTRY_NAMES.secrets);
  return { manifest, secrets, entries: readEntries(archive, manifest) };
}

async function nextEntry(archive: AsyncGenerator<ArchiveEntry>, name: string): Promise<string> {
  const { value } = await archive.next();
  if (value?.name !== name) throw new BadArchive("This is not a backup of this site.");
  return text(value.content);
}

function parseManifest(name: string, json: string): Manifest {
  const { data } = manifestSchema.safeParse(JSON.parse(json));
  if (data?.format !== formatOf(name))
    throw new BadArchive("This is not a backup of this site, or of a newer version of it.");
  return data;
}

const TABLE_ENTRY = /^tables\/(.+)\/\d+\.json$/;
/** The names of the entries are part of the file format. */
const IMAGE_ENTRY = /^pictures\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The entries in the order of the file. Read each one before requesting the next. */
async function* readEntries(
  archive: AsyncGenerator<ArchiveEntry>,
  { tables }: Manifest,
): AsyncGenerator<BackupEntry> {
  const byName = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]));
  for await (const { name, content } of archive) {
    const table = byName.get(TABLE_ENTRY.exec(name)?.[1] ?? "");
    const version = IMAGE_ENTRY.exec(name)?.[1];
    if (table) {
      yield { table, rows: await text(content) };
    } else if (version) {
      yield { version, content };
    } else if (name === ENTRY_NAMES.end) {
      return;
    } else {
      throw new BadArchive(`The archive contains an unknown entry: ${JSON.stringify(name)}.`);
    }
  }
  throw new BadArchive("The archive is truncated: its end is missing.");
}

interface ArchiveEntry {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  if (!existsSync(file)) throw new BadArchive(`${file} does not exist.`);
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  // The library declares the stream types of the browser, here and below.
  const decoder = createTarDecoder({ strict: true }) as TransformStream<Uint8Array, ParsedTarEntry>;
  const entries = Readable.toWeb(source.pipe(gunzip)).pipeThrough(decoder);
  try {
    for await (const { header, body } of entries) {
      yield { name: header.name, content: contentOf(Readable.fromWeb(body as ReadableStream)) };
    }
  } catch (error) {
    throw asBadArchive(error);
  } finally {
    source.destroy();
  }
}

async function* contentOf(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw asBadArchive(error);
  }
}

function asBadArchive(error: unknown): BadArchive {
  const reason = error instanceof Error ? error.message : String(error);
  return new BadArchive(`The archive is damaged: ${reason}`, { cause: error });
}

/** Syncs the folder, so that the rename survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
