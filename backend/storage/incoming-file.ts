// Reads the one file of an upload request, as storage-js or a plain XMLHttpRequest sends it.
// Covers: multipart (Blob, File, FormData) and raw bodies. Does not cover: custom metadata.
import { chunksOf } from "./byte-stream.ts";
import { boundaryOf, readParts } from "./multipart.ts";
import { invalidRequest } from "./storage-error.ts";

export interface IncomingFile<Received> {
  received: Received;
  /** Lower case, without parameters. */
  contentType: string;
  cacheControl: string;
}

/** `receive` is called once, with the content as it arrives. */
export async function readIncomingFile<Received>(
  request: Request,
  receive: (contentType: string, content: AsyncIterable<Buffer>) => Promise<Received>,
): Promise<IncomingFile<Received>> {
  const header = request.headers.get("content-type") ?? "";
  const boundary = boundaryOf(header);

  if (!boundary) {
    const contentType = bareType(header);
    const received = await receive(contentType, chunksOf(request.body));
    const cacheControl = safeCacheControl(request.headers.get("cache-control"));
    return { received, contentType, cacheControl };
  }

  let file: Omit<IncomingFile<Received>, "cacheControl"> | null = null;
  let seconds: string | null = null;
  for await (const part of readParts(chunksOf(request.body), boundary)) {
    if (part.filename !== null) {
      if (file) throw invalidRequest("Send one file per request");
      const contentType = bareType(part.contentType);
      file = { contentType, received: await receive(contentType, part.content) };
    } else if (part.name === "cacheControl") {
      seconds = await readField(part.content);
    }
  }
  if (!file) throw invalidRequest("No file provided");
  return { ...file, cacheControl: safeCacheControl(seconds && `max-age=${seconds}`) };
}

function bareType(header: string | null): string {
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream";
}

/** It is sent back as a header later: only what can stand there. */
function safeCacheControl(value: string | null): string {
  return value && /^[\w ,=-]{1,100}$/.test(value) ? value : "no-cache";
}

async function readField(content: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of content) {
    if (text.length > 1000) throw invalidRequest("A form field is too long");
    text += chunk.toString("latin1");
  }
  return text;
}
