// Uploads, checks and removes images in the storage bucket.
import { z } from "zod/mini";
import { getBrowserClient, projectUrl, readPublicSettings } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { newId } from "../../supabase/new-id.ts";
import { checkImage, imageTypes } from "./image-file.ts";

const bucket = "images";
/** The private bucket for images of deleted posts and replaced images, under the same paths, for at least 30 days. */
const deletedBucket = "deleted-images";
/** The folder of the bucket that everyone may read. */
const publicFolder = "public";

/** Each upload gets a new path: caches would show the former image at a reused address. */
export function newImagePath(extension: string): string {
  return `${publicFolder}/${newId()}.${extension}`;
}

/**
 * The path in the bucket of an image's address.
 * @param project the address of the backend that owns the bucket
 * @returns null for images of the site itself, of other hosts and outside the public folder
 */
export function imagePathOf(imageUrl: string | null, project: string): string | null {
  if (!imageUrl || !URL.canParse(imageUrl)) return null;
  const { origin, pathname } = new URL(imageUrl);
  const prefix = `/storage/v1/object/public/${bucket}/`;
  if (origin !== new URL(project).origin || !pathname.startsWith(prefix)) return null;
  try {
    const path = decodeURIComponent(pathname.slice(prefix.length));
    return path.startsWith(`${publicFolder}/`) && !path.includes("..") ? path : null;
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
 * @returns its address and its size in pixels
 * @throws Error with a message for the owner: wrong type, damaged, too large, connection lost, not allowed
 */
export async function uploadImage(file: Blob, options: UploadOptions): Promise<UploadedImage> {
  const { type, width, height } = await checkImage(file);
  const client = await getBrowserClient();
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error("Your session has ended. Please log in again.");

  const path = newImagePath(imageTypes[type]);
  options.signal.throwIfAborted();
  await send(file.slice(0, file.size, type), path, data.session.access_token, options);
  const { publicUrl } = client.storage.from(bucket).getPublicUrl(path).data;
  return { src: publicUrl, width, height };
}

/** Whether an image is stored. Returns true when the server cannot be reached. */
export async function isImageStored(url: string): Promise<boolean> {
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
export async function removeStoredImage(imageUrl: string | null): Promise<void> {
  const path = imagePathOf(imageUrl, projectUrl());
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
export async function restoreStoredImage(client: Client, imageUrl: string): Promise<void> {
  const path = imagePathOf(imageUrl, projectUrl());
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
export async function discardUpload(imageUrl: string): Promise<void> {
  const path = imagePathOf(imageUrl, projectUrl());
  if (!path) return;
  const client = await getBrowserClient();
  const { error } = await client.storage.from(bucket).remove([path]);
  if (error) console.error("Removing an upload failed", path, error);
}

/** An XMLHttpRequest to the endpoint of storage-js, which does not report progress. */
function send(
  body: Blob,
  path: string,
  token: string,
  { onProgress, signal }: UploadOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${projectUrl()}/storage/v1/object/${bucket}/${path}`);
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
function describeFailure({ responseText, status }: XMLHttpRequest): string {
  const { statusCode, message } = parseBody(responseText);
  switch (Number(statusCode) || status) {
    case 413:
      return "The picture is too large: at most 50 MB.";
    case 415:
      return "This file is not a JPEG, PNG, GIF or WebP picture.";
    case 401:
      return "Your session has ended. Please log in again.";
    case 403:
      return "This account may not upload pictures.";
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
