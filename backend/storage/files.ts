// The bytes of the objects on disk, one file per upload, named by the upload's random version.
// Covers: complete or absent files, also after a power cut; a sweep of what a crash left behind.
// Does not cover: deduplication, encryption, quotas.
import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** What became known about the bytes while they were written. */
export interface ReceivedFile {
  size: number;
  md5: string;
}

export interface Files {
  /** Makes the folders and removes files whose version the database does not know. */
  prepare(knownVersions: () => Promise<Set<string>>): Promise<void>;
  /** Writes an upload aside, to the disk itself. Not visible before `keep`. */
  receive(version: string, content: AsyncIterable<Buffer>): Promise<ReceivedFile>;
  /** Where a received file lies until `keep` or `forget`. */
  receivedPath(version: string): string;
  /** Moves a received file to where `open` finds it. */
  keep(version: string): Promise<void>;
  /** Drops what `receive` wrote, if it was not kept. */
  forget(version: string): Promise<void>;
  /** Answers null when there is no such file. */
  open(version: string): Promise<FileHandle | null>;
  remove(versions: string[]): Promise<void>;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createFiles(directory: string): Files {
  const incoming = join(directory, "incoming");
  const kept = join(directory, "objects");

  return {
    async prepare(knownVersions) {
      await mkdir(kept, { recursive: true, mode: 0o700 });
      // Nothing is being received yet: whatever lies here was cut off.
      await rm(incoming, { recursive: true, force: true });
      await mkdir(incoming, { mode: 0o700 });
      const found = await readdir(kept);
      const known = await knownVersions();
      // Only files that this handler can have written: the folder may be a mounted one.
      const unknown = found.filter((name) => uuid.test(name) && !known.has(name));
      await Promise.all(unknown.map((name) => rm(join(kept, name), { force: true })));
    },

    async receive(version, content) {
      const hash = createHash("md5");
      let size = 0;
      const file = await open(join(incoming, assertVersion(version)), "wx", 0o600);
      try {
        for await (const chunk of content) {
          hash.update(chunk);
          size += chunk.length;
          await file.writeFile(chunk);
        }
        await file.sync();
      } finally {
        await file.close();
      }
      return { size, md5: hash.digest("hex") };
    },

    receivedPath(version) {
      return join(incoming, assertVersion(version));
    },

    async keep(version) {
      await rename(join(incoming, assertVersion(version)), join(kept, version));
      // The new name, too, must survive a power cut before the row that points to it is committed.
      const folder = await open(kept);
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    },

    async forget(version) {
      await rm(join(incoming, assertVersion(version)), { force: true });
    },

    async open(version) {
      try {
        return await open(join(kept, assertVersion(version)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },

    async remove(versions) {
      await Promise.all(
        versions.map((version) => rm(join(kept, assertVersion(version)), { force: true })),
      );
    },
  };
}

/** The version comes from the database, where a role may write it: it must not become a path. */
function assertVersion(version: string): string {
  if (!uuid.test(version)) throw new Error(`Not a version: ${version}`);
  return version;
}
