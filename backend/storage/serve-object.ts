// Responds with an object's bytes.
// Covers: HEAD, 304, one byte range, downloads. Does not cover: several ranges, image transformation.
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import fresh from "fresh";
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

/** Calls `find` again when the file was replaced between reading its row and opening it. */
export async function serveObject(
  request: Request,
  files: Files,
  find: () => Promise<StoredObject | undefined>,
): Promise<Response> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const object = await find();
    if (!object?.version) break;
    const file = await files.open(object.version);
    if (file) return respond(request, file, object.metadata);
  }
  // Browsers and search engines read addresses of images, and only know the status.
  throw noSuchObject({ httpStatus: 404 });
}

async function respond(request: Request, file: FileHandle, stored: unknown): Promise<Response> {
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
      // The site has the same origin: a stored file must not run scripts in it.
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    const download = new URL(request.url).searchParams.get("download");
    if (download !== null) headers.set("content-disposition", attachment(download));

    if (isNotModified(request, headers)) return new Response(null, { status: 304, headers });

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
    // Node types its web streams apart from the global ones, which are the same classes.
    return new Response(Readable.toWeb(content) as ReadableStream, { status, headers });
  } finally {
    // A stream closes the file itself, at its end or when the client disconnects.
    if (!streaming) await file.close();
  }
}

/** As on a hosted project: browsers must not run a stored HTML page. */
function safeType(type: string): string {
  return type === "text/html" ? "text/plain" : type;
}

function attachment(filename: string): string {
  if (filename === "") return "attachment;";
  const encoded = encodeURIComponent(filename);
  return `attachment; filename=${encoded}; filename*=UTF-8''${encoded};`;
}

function isNotModified({ headers: request }: Request, response: Headers): boolean {
  return fresh(
    {
      "if-none-match": request.get("if-none-match") ?? undefined,
      "if-modified-since": request.get("if-modified-since") ?? undefined,
    },
    {
      etag: response.get("etag") ?? undefined,
      "last-modified": response.get("last-modified") ?? undefined,
    },
  );
}

/**
 * Null for the whole file, also when the header is malformed or has several ranges (RFC 9110, 14.2).
 * 2026-11-22: `range-parser` is not used because it responds 416 to `bytes=9-1` and to a suffix longer than the file,
 * where RFC 9110 asks for the whole file.
 */
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
