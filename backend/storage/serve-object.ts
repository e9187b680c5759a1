// Sends an object's bytes.
// Covers: HEAD, 304, one byte range, downloads. Does not cover: several ranges, image transformation.
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { z } from "zod";
import type { Files } from "./files.ts";
import { noSuchObject, StorageError } from "./storage-error.ts";

export interface StoredObject {
  version: string | null;
  metadata: unknown;
}

const metadataSchema = z.object({
  eTag: z.string(),
  mimetype: z.string(),
  cacheControl: z.string(),
  lastModified: z.coerce.date(),
});

/** `find` is asked again when the file has just been replaced. */
export async function serveObject(
  request: Request,
  files: Files,
  find: () => Promise<StoredObject | undefined>,
): Promise<Response> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const object = await find();
    if (!object?.version) break;
    const file = await files.open(object.version);
    if (file) return answer(request, file, object.metadata);
  }
  throw noSuchObject();
}

async function answer(request: Request, file: FileHandle, stored: unknown): Promise<Response> {
  let streaming = false;
  try {
    const { size } = await file.stat();
    const metadata = metadataSchema.parse(stored);
    const headers = new Headers({
      "accept-ranges": "bytes",
      "cache-control": metadata.cacheControl,
      "content-type": safeType(metadata.mimetype),
      etag: metadata.eTag,
      "last-modified": metadata.lastModified.toUTCString(),
      // The site has the same origin: whatever is stored must not run as a page of it.
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    const download = new URL(request.url).searchParams.get("download");
    if (download !== null) headers.set("content-disposition", attachment(download));

    if (isUnchanged(request, metadata)) return new Response(null, { status: 304, headers });

    const range = readRange(request, size, metadata.eTag);
    if (range === "unsatisfiable") {
      throw new StorageError(416, "InvalidRange", "The requested range is not satisfiable", {
        httpStatus: 416,
        headers: { "content-range": `bytes */${size}` },
      });
    }
    const { start, end } = range ?? { start: 0, end: size - 1 };
    headers.set("content-length", String(end - start + 1));
    if (range) headers.set("content-range", `bytes ${start}-${end}/${size}`);
    const status = range ? 206 : 200;
    if (request.method === "HEAD" || size === 0) return new Response(null, { status, headers });

    streaming = true;
    const content = file.createReadStream({ start, end });
    return new Response(Readable.toWeb(content) as ReadableStream, { status, headers });
  } finally {
    // A stream closes the file itself, at its end or when the visitor leaves.
    if (!streaming) await file.close();
  }
}

/** Browsers would run a page, and a hosted project sends it as text for that reason. */
function safeType(type: string): string {
  return type === "text/html" ? "text/plain" : type;
}

function attachment(filename: string): string {
  if (filename === "") return "attachment;";
  const encoded = encodeURIComponent(filename);
  return `attachment; filename=${encoded}; filename*=UTF-8''${encoded};`;
}

function isUnchanged(request: Request, known: { eTag: string; lastModified: Date }): boolean {
  const tags = request.headers.get("if-none-match");
  if (tags) {
    return tags.split(",").some((tag) => {
      const bare = tag.trim().replace(/^W\//, "");
      return bare === "*" || bare === known.eTag;
    });
  }
  const since = Date.parse(request.headers.get("if-modified-since") ?? "");
  return Math.floor(known.lastModified.getTime() / 1000) * 1000 <= since;
}

/** Null: the whole file, also for what is malformed or asks for several ranges (RFC 9110, 14.2). */
function readRange(
  request: Request,
  size: number,
  eTag: string,
): { start: number; end: number } | "unsatisfiable" | null {
  const match = request.headers.get("range")?.match(/^bytes=(\d*)-(\d*)$/);
  const [, first = "", last = ""] = match ?? [];
  if (!match || (first === "" && last === "")) return null;
  const condition = request.headers.get("if-range");
  if (condition && condition !== eTag) return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= size ? "unsatisfiable" : { start, end };
}
