// Uploads, checks and removes images in the storage bucket.
import { z } from "zod/mini";
import { maxImageMegabytes, uploads } from "../../config/image-address.ts";
import { getBrowserClient, projectUrl, readPublicSettings } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { newId } from "../../supabase/new-id.ts";
import { checkImage, imageTypes } from "./image-file.ts";
import { toReference } from "./image-reference.ts";

const bucket = "images";
/** The private bucket for images of deleted posts and replaced images, under the same paths, for at least 30 days. */
const deletedBucket = "deleted-images";

/** A new name for every upload: a reused one would show the former image from caches. */
export function newUpload(extension: string): string {
  return `${uploads}${newId()}.${extension}`;
}

/** The path of an upload in the bucket; null for other images. */
export function storedPath(image: string | null): string | null {
  const reference = toReference(image);
  if (!reference?.startsWith(uploads)) return null;
  try {
    return decodeURIComponent(reference.slice(bucket.length + 1));
  } catch {
    return null;
  }
}

export interface UploadedImage {
  src: string;
  width: number;
  height: number;
}

interface UploadOptions {
  /** Called with the percentage of the bytes sent, 0 to 100. */
  onProgress: (percent: number) => void;
  /** Aborts the upload; the promise then rejects with the signal's reason. */
  signal: AbortSignal;
}

/**
 * Uploads an image to `public/{generated id}.{extension}`.
 * @returns its reference and its size in pixels
 * @throws Error with a message for the owner: wrong type, damaged, too large, connection lost, not allowed
 */
export async function uploadImage(file: Blob, options: UploadOptions): Promise<UploadedImage> {
  const { type, width, height } = await checkImage(file);
  const client = await getBrowserClient();
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error("Your session has ended. Please log in again.");

  const src = newUpload(imageTypes[type]);
  options.signal.throwIfAborted();
  await send(file.slice(0, file.size, type), src, data.session.access_token, options);
  return { src, width, height };
}

/** Whether an upload is stored. Assumes so when the server can't be asked, and of all other images. */
export async function isImageStored(image: string): Promise<boolean> {
  const reference = toReference(image);
  if (!reference?.startsWith(uploads)) return true;
  const url = `${projectUrl()}/storage/v1/object/public/${reference}`;
  try {
    const { status } = await fetch(url, { method: "HEAD", cache: "no-store" });
    return status < 400 || status >= 500;
  } catch {
    return true;
  }
}

/**
 * Takes an image that a post no longer shows out of the public bucket, if it is there: its address responds with 404. It
 * can be restored as long as a version of the post can. A failure is only logged.
 */
export async function removeStoredImage(image: string | null): Promise<void> {
  const path = storedPath(image);
  if (!path) return;
  const client = await getBrowserClient();
  const { error } = await client.storage
    .from(bucket)
    .move(path, path, { destinationBucket: deletedBucket });
  if (error) console.error("Removing an image failed", path, error);
}

/**
 * Moves an image that `removeStoredImage` took away back to its public address. Does nothing when it was not taken away.
 * @throws the backend's error
 */
export async function restoreStoredImage(client: Client, image: string): Promise<void> {
  const path = storedPath(image);
  if (!path) return;
  const { error } = await client.storage
    .from(deletedBucket)
    .move(path, path, { destinationBucket: bucket });
  if (error && !/not.found/i.test(error.message)) throw error;
}

/**
 * Removes an upload that was replaced or discarded before it was published. The database rejects this while saved
 * settings, a post or a version of one refer to the image. That is not an error: a scheduled job removes images that
 * become unused.
 */
export async function discardUpload(image: string): Promise<void> {
  const path = storedPath(image);
  if (!path) return;
  const client = await getBrowserClient();
  const { error } = await client.storage.from(bucket).remove([path]);
  if (error) console.error("Removing an upload failed", path, error);
}

/** An XMLHttpRequest to the endpoint of storage-js, which does not report progress. */
function send(
  body: Blob,
  reference: string,
  token: string,
  { onProgress, signal }: UploadOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${projectUrl()}/storage/v1/object/${reference}`);
    request.setRequestHeader("apikey", readPublicSettings().anonKey);
    request.setRequestHeader("authorization", `Bearer ${token}`);
    request.setRequestHeader("cache-control", "max-age=3600");
    request.setRequestHeader("content-type", body.type);
    request.setRequestHeader("x-upsert", "false");
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(Math.round((loaded / total) * 100));
    request.onload = () => {
      if (request.status < 300) resolve();
      else reject(new Error(describeFailure(request)));
    };
    request.onerror = () => reject(new Error("The connection was lost. Please try again."));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}

const bodySchema = z.object({
  statusCode: z.optional(z.string()),
  message: z.optional(z.string()),
});

/** Storage responds with 400 to most failures and puts the actual status into the body. */
export function describeFailure({
  responseText,
  status,
}: Pick<XMLHttpRequest, "responseText" | "status">): string {
  const { statusCode, message } = parseBody(responseText);
  switch (Number(statusCode) || status) {
    case 413:
      return `The picture is too large: at most ${maxImageMegabytes} MB.`;
    case 415:
      return "This file is not a JPEG, PNG, GIF or WebP picture.";
    case 401:
    case 403:
      // Storage rejects an expired token with 403 as well.
      return message?.includes("row-level security")
        ? "This account may not upload pictures."
        : "Your session has ended. Please log in again.";
    default:
      return message ?? `The server answered ${statusCode ?? status}.`;
  }
}

function parseBody(text: string): z.infer<typeof bodySchema> {
  try {
    return bodySchema.parse(JSON.parse(text));
  } catch {
    // A proxy's error page.
    return {};
  }
}
