// The pictures that variants are made of: what lies in the images bucket's public folder, and the
// site's own files. Nothing else can be asked for.
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { uploadsPath } from "../../app/config/picture-sizes.ts";
import type { ImageAddress } from "./image-request.ts";
import { ImageError } from "./image-error.ts";

export type Source = Pick<ImageAddress, "from" | "segments">;

export interface Originals {
  /** Changes when the picture does. @throws ImageError 404 or 503. */
  identify(source: Source): Promise<string>;
  /** @throws ImageError 404, 422 or 503. */
  read(source: Source): Promise<Buffer>;
}

export interface OriginalsOptions {
  /** The site's own files. */
  siteFolder: string;
  /** The backend whose bucket it is. */
  projectUrl: string;
  fetchProject: typeof fetch;
}

/** Bytes; the bucket's own limit. */
const largestOriginal = 50 * 1024 * 1024;
const longestWait = 10_000;
const photograph = /\.(avif|gif|jpe?g|png|webp)$/i;

export function createOriginals(options: OriginalsOptions): Originals {
  const { siteFolder, projectUrl, fetchProject } = options;
  return {
    async identify({ from, segments }) {
      if (from === "site") {
        const { mtimeMs, size } = await statFile(segments);
        return `${mtimeMs} ${size}`;
      }
      const { headers } = await ask("HEAD", segments);
      return ["etag", "last-modified", "content-length"].map((name) => headers.get(name)).join(" ");
    },

    async read({ from, segments }) {
      if (from === "site") {
        await statFile(segments);
        return readFile(join(siteFolder, ...segments));
      }
      return readBody(await ask("GET", segments));
    },
  };

  async function statFile(segments: readonly string[]) {
    const found = photograph.test(segments.at(-1) ?? "")
      ? await stat(join(siteFolder, ...segments)).catch(() => null)
      : null;
    if (!found?.isFile()) throw new ImageError(404, "There is no such picture");
    return found;
  }

  async function ask(method: "HEAD" | "GET", segments: readonly string[]): Promise<Response> {
    const url = projectUrl + uploadsPath + segments.map(encodeURIComponent).join("/");
    let answer: Response;
    try {
      // A redirect would lead to a host that nobody configured.
      answer = await fetchProject(url, {
        method,
        redirect: "error",
        signal: AbortSignal.timeout(longestWait),
      });
    } catch (error) {
      throw new ImageError(503, "The backend can't be reached", { cause: error });
    }
    if (answer.ok) return answer;
    await answer.body?.cancel();
    // A hosted project answers 400 for what isn't there.
    if (answer.status < 500 && answer.status !== 429) {
      throw new ImageError(404, "There is no such picture");
    }
    throw new ImageError(503, `The backend answered ${answer.status}`);
  }
}

async function readBody(answer: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of answer.body ?? []) {
      size += piece.length;
      if (size > largestOriginal) throw new ImageError(422, "The picture is too large");
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof ImageError) throw error;
    throw new ImageError(503, "The backend broke off", { cause: error });
  }
  return Buffer.concat(pieces);
}

/** A short name for any text. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
