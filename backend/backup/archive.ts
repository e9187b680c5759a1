// The file of a backup: a gzipped tar archive with a manifest, readable with common tools.
// Covers: writing and reading it as a stream, with one chunk in memory at a time. Does not cover: encryption.
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream, TransformStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from "modern-tar";
import { z } from "zod";
import { sequenceSchema, tableSchema } from "./tables.ts";

export const manifestSchema = z.object({
  format: z.literal("adviser-site backup 1"),
  /** ISO 8601. */
  madeAt: z.string(),
  /** Versions of the migrations that created the tables. */
  migrations: z.array(z.string()),
  tables: z.array(tableSchema),
  sequences: z.array(sequenceSchema),
  /** The number of images. The key is part of the file format. */
  pictures: z.number().int(),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const ENTRY_NAMES = {
  manifest: "manifest.json",
  secrets: "secrets.json",
  /** The last entry: an archive without it is truncated. */
  end: "end",
} as const;

export interface ArchiveWriter {
  add(name: string, content: string | Uint8Array): Promise<void>;
  /** Adds a file from a stream. @param size must be exact. */
  addStream(name: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** The archive cannot be used. The message is for the person who named it. */
export class BadArchive extends Error {}

/**
 * Writes an archive that only its owner can read. `file` appears when everything is on the disk.
 * @throws BadArchive when `file` exists
 */
export async function writeArchive(
  file: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  if (await exists(file)) throw new BadArchive(`${file} exists. Name another file.`);
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  const { readable, controller } = createTarPacker();
  const written = pipeline(
    // The library has the stream types of the browser, which differ from Node's in name only.
    Readable.fromWeb(readable as ReadableStream),
    createGzip(),
    createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }),
  );
  // The await below reports the error; until then it must not count as unhandled.
  written.catch(() => {});
  try {
    await fill({
      async add(name, content) {
        const bytes = Buffer.from(content);
        await addStream(name, bytes.length, [bytes]);
      },
      addStream,
    });
    controller.finalize();
    await written;
    await rename(unfinished, file);
    await syncFolder(dirname(file));
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

export interface ArchiveEntry {
  name: string;
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** Yields the entries in the order of the file. Read each before requesting the next. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  if (!(await exists(file))) throw new BadArchive(`${file} does not exist.`);
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  // The stream types of the browser again, here and below.
  const decoder = createTarDecoder({ strict: true }) as TransformStream<Uint8Array, ParsedTarEntry>;
  const entries = Readable.toWeb(source.pipe(gunzip)).pipeThrough(decoder);
  try {
    for await (const { header, body } of entries) {
      const { name, size } = header;
      yield { name, size, content: contentOf(Readable.fromWeb(body as ReadableStream)) };
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

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Makes the rename durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
