// Responds with an object's bytes.
// Covers: HEAD, 304. Does not cover: ranges, image transformation.
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import fresh from "fresh";
import { z } from "zod";
import { HttpError } from "../errors.ts";
import type { Files } from "./files.ts";

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
  throw noSuchObject();
}

export function noSuchObject(): HttpError {
  return new HttpError(404, "not_found", "Object not found");
}

async function respond(request: Request, file: FileHandle, stored: unknown): Promise<Response> {
  let streaming = false;
  try {
    const { size } = await file.stat();
    const { eTag, mimetype, cacheControl, lastModified } = metadataSchema.parse(stored);
    const headers = {
      "cache-control": cacheControl,
      "content-type": mimetype,
      etag: eTag,
      "last-modified": lastModified.toUTCString(),
      // The site has the same origin, so a stored file must not run scripts there.
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    };
    // Node's fetch adds Cache-Control to every conditional request.
    const { "cache-control": _, ...conditions } = Object.fromEntries(request.headers);
    if (fresh(conditions, headers)) {
      return new Response(null, { status: 304, headers });
    }
    const withLength = { headers: { ...headers, "content-length": String(size) } };
    if (request.method === "HEAD") return new Response(null, withLength);
    streaming = true;
    // Node declares its web streams separately from the global ones, although the classes are the same.
    return new Response(Readable.toWeb(file.createReadStream()) as ReadableStream, withLength);
  } finally {
    // A stream closes the file at its end or when the client disconnects.
    if (!streaming) await file.close();
  }
}
