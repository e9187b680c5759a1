// The file of a backup: a gzipped tar archive that any machine can look into.
// Covers: writing and reading it as a stream, one piece in memory at a time. Does not cover: encryption.
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream, TransformStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from "modern-tar";

export interface ArchiveWriter {
  add(name: string, content: string | Uint8Array): Promise<void>;
  /** A file whose bytes come one after the other. @param size their number, exactly. */
  addStream(name: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** The archive cannot be used. Its message is for the person who named it. */
export class BadArchive extends Error {}

/**
 * Writes an archive that only its owner can read. `file` has its name when everything is on the disk,
 * and does not exist before that. @throws when `file` exists.
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
    // The library's types are the browser's.
    Readable.fromWeb(readable as ReadableStream),
    createGzip(),
    createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }),
  );
  // Reported by the await below; until then it must not end the process.
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
    // A full disk breaks the pipeline, and nobody would take the bytes.
    await Promise.race([pipeline(content, Writable.fromWeb(entry)), written]);
  }
}

export interface ArchiveEntry {
  name: string;
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** The entries in the order in which they were added. Each is read before the next one is asked for. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  if (!(await exists(file))) throw new BadArchive(`${file} does not exist.`);
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
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

/** The new name, too, survives a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
