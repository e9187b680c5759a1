// Stores the bytes of objects on disk: one file per upload, named by the upload's random version.
// Covers: files that are either complete or absent, even after a power failure; removing files that a crash left behind.
// Does not cover: deduplication, encryption, quotas.
import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, HttpError } from "../errors.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type Files = ReturnType<typeof createFiles>;

export function createFiles(directory: string) {
  const incoming = join(directory, "incoming");
  const committed = join(directory, "objects");

  return {
    /** Creates the folders and removes files whose version the database does not have. */
    async prepare(knownVersions: () => Promise<Set<string>>): Promise<void> {
      await mkdir(committed, { recursive: true, mode: 0o700 });
      // No upload has started yet, so an earlier process left these files.
      await rm(incoming, { recursive: true, force: true });
      await mkdir(incoming, { mode: 0o700 });
      const found = await readdir(committed);
      const known = await knownVersions();
      // Removes only files that this module can have written, because the folder may be a mount point.
      const unknown = found.filter((name) => uuid.test(name) && !known.has(name));
      await Promise.all(unknown.map((name) => rm(join(committed, name), { force: true })));
    },

    /**
     * Writes an upload to a temporary file and syncs it. `open` does not find the file before `commit`.
     * @returns its size, its MD5 and its first twelve bytes
     * @throws HttpError when the upload has too many bytes
     */
    async receive(version: string, content: AsyncIterable<Uint8Array>, maxBytes: number) {
      const hash = createHash("md5");
      let head = Buffer.alloc(0);
      let size = 0;
      const file = await open(join(incoming, assertVersion(version)), "wx", 0o600);
      try {
        for await (const chunk of content) {
          hash.update(chunk);
          if (head.length < 12) head = Buffer.concat([head, chunk]).subarray(0, 12);
          size += chunk.length;
          if (size > maxBytes) throw tooLarge();
          await file.writeFile(chunk);
        }
        await file.sync();
      } finally {
        await file.close();
      }
      return { size, md5: hash.digest("hex"), head };
    },

    /** The path of a received file until `commit` or `discard`. */
    receivedPath(version: string): string {
      return join(incoming, assertVersion(version));
    },

    /** Moves a received file to its final path. */
    async commit(version: string): Promise<void> {
      await rename(join(incoming, assertVersion(version)), join(committed, version));
      // Sync the new name before the row that refers to it is committed.
      const folder = await open(committed);
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    },

    /** Removes a received file that was not committed. */
    async discard(version: string): Promise<void> {
      await rm(join(incoming, assertVersion(version)), { force: true });
    },

    /** @returns null when there is no such file */
    async open(version: string): Promise<FileHandle | null> {
      try {
        return await open(join(committed, assertVersion(version)));
      } catch (error) {
        if (codeOf(error) === "ENOENT") return null;
        throw error;
      }
    },

    async remove(versions: string[]): Promise<void> {
      await Promise.all(
        versions.map((version) => rm(join(committed, assertVersion(version)), { force: true })),
      );
    },
  };
}

/** Rejects a version that is not a plain file name: a role that may write versions could store a path. */
function assertVersion(version: string): string {
  if (!uuid.test(version)) throw new Error(`Not a version: ${version}`);
  return version;
}

function tooLarge(): HttpError {
  return new HttpError(413, "Payload too large", "The object exceeded the maximum allowed size");
}
