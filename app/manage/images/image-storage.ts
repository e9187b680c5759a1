// Uploads, checks and removes images and PDFs in their storage buckets.
import { z } from "zod/mini";
import { fileSizes } from "../../../supabase/functions/_shared/database-limits.ts";
import {
  imageAddress,
  imageWidths,
  maxImageMegabytes,
  uploads,
} from "../../config/image-address.ts";
import { getBrowserClient, projectUrl, readPublicSettings } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { newId } from "../../supabase/new-id.ts";
import { checkImage, imageTypes } from "./image-file.ts";
import { toReference } from "./image-reference.ts";

/** The largest PDF that can be uploaded. */
export const maxFileMegabytes = fileSizes.files / 1024 ** 2;

/** The private bucket for files of deleted posts and replaced images, under the same paths, for at least 30 days. */
const deletedBucket = "deleted-images";

const notFound = /not.found/i;

/** A new name for every upload: a reused one would show the former image from caches. */
export function newUpload(extension: string): string {
  return `${uploads}${newId()}.${extension}`;
}

/** Where an uploaded image or PDF is stored; null for other addresses. */
export function storedFile(address: string | null): { bucket: string; path: string } | null {
  const [pdf] = /(?<=^\/)files\/[a-z0-9-]+\.pdf$/.exec(address ?? "") ?? [];
  if (pdf) return { bucket: "files", path: pdf };
  const reference = toReference(address);
  if (!reference?.startsWith(uploads)) return null;
  try {
    return { bucket: "images", path: decodeURIComponent(reference.slice("images/".length)) };
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
  const src = newUpload(imageTypes[type]);
  await send(file.slice(0, file.size, type), src, options);
  const problem = await findServingProblem(src);
  if (problem) {
    await discardUpload(src);
    throw new Error(problem);
  }
  return { src, width, height };
}

/**
 * Why this site cannot scale an upload of a hosted project, which stores what browsers show: they show more than can be scaled.
 * The embedded backend scales it before it stores it. Null when the site scales it, or cannot be asked.
 */
export async function findServingProblem(src: string): Promise<string | null> {
  if (projectUrl() === window.location.origin) return null;
  const largest = imageAddress(src, Math.max(...imageWidths));
  try {
    const response = await fetch(largest, { headers: { accept: "image/webp" } });
    return response.status === 422 ? await response.text() : null;
  } catch {
    return null;
  }
}

/**
 * Uploads a PDF under its name and a random number.
 * @returns its address on this site
 * @throws Error with a message for the owner: not a PDF, too large, connection lost, not allowed
 */
export async function uploadPdf(file: File, options: UploadOptions): Promise<string> {
  const type = "application/pdf";
  if ((await file.slice(0, 5).text()) !== "%PDF-") throw new Error(describeFailure(type, 415));
  if (file.size > fileSizes.files) throw new Error(describeFailure(type, 413));
  const name = file.name.replace(/\.pdf$/i, "").toLowerCase();
  const words =
    name
      .match(/[a-z0-9]+/g)
      ?.join("-")
      .slice(0, 60) ?? "file";
  const path = `/files/${words}-${newId().replaceAll("-", "").slice(0, 16)}.pdf`;
  await send(file.slice(0, file.size, type), `files${path}`, options);
  return path;
}

/** Whether an upload is stored. Also true for all other images, and when the server can't be reached. */
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
 * Takes an image or PDF that a post no longer shows out of the public bucket, if it is there: its address responds with 404.
 * It can be restored as long as a version of the post can. A failure is only logged.
 */
export async function removeStoredImage(address: string | null): Promise<void> {
  const stored = storedFile(address);
  if (!stored) return;
  const { bucket, path } = stored;
  const client = await getBrowserClient();
  const { error } = await client.storage
    .from(bucket)
    .move(path, path, { destinationBucket: deletedBucket });
  if (error && !notFound.test(error.message)) console.error("Removing a file failed", path, error);
}

/** Moves what `removeStoredImage` took away back to its public address. Does nothing when it was not taken away. */
export async function restoreStoredImage(client: Client, address: string): Promise<void> {
  const stored = storedFile(address);
  if (!stored) return;
  const { bucket, path } = stored;
  const { error } = await client.storage
    .from(deletedBucket)
    .move(path, path, { destinationBucket: bucket });
  if (error && !notFound.test(error.message)) throw error;
}

/**
 * Removes an upload that was replaced or discarded before it was published. The database rejects this while saved
 * settings, a post or a version of one refer to the image. That is not an error: a scheduled job removes images that
 * become unused.
 */
export async function discardUpload(address: string): Promise<void> {
  const stored = storedFile(address);
  if (!stored) return;
  const { bucket, path } = stored;
  const client = await getBrowserClient();
  const { error } = await client.storage.from(bucket).remove([path]);
  if (error) console.error("Removing an upload failed", path, error);
}

/** An XMLHttpRequest to the endpoint of storage-js, which does not report progress. */
async function send(
  body: Blob,
  reference: string,
  { onProgress, signal }: UploadOptions,
): Promise<void> {
  const client = await getBrowserClient();
  const { session } = (await client.auth.getSession()).data;
  if (!session) throw new Error("Your session has ended. Please log in again.");
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${projectUrl()}/storage/v1/object/${reference}`);
    request.setRequestHeader("apikey", readPublicSettings().anonKey);
    request.setRequestHeader("authorization", `Bearer ${session.access_token}`);
    request.setRequestHeader("cache-control", "max-age=3600");
    request.setRequestHeader("content-type", body.type);
    request.setRequestHeader("x-upsert", "false");
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(Math.round((loaded / total) * 100));
    request.onload = () => {
      if (request.status < 300) resolve();
      else reject(new Error(describeFailure(body.type, request.status, request.responseText)));
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
export function describeFailure(type: string, status: number, responseText = ""): string {
  const { statusCode, message } = parseBody(responseText);
  const isPdf = type === "application/pdf";
  const [kind, megabytes] = isPdf ? ["PDF", maxFileMegabytes] : ["image", maxImageMegabytes];
  switch (Number(statusCode) || status) {
    case 413:
      return `The ${kind} is too large: at most ${megabytes} MB.`;
    case 415:
      return `This file is not a ${isPdf ? "PDF" : "JPEG, PNG, GIF or WebP image"}.`;
    case 401:
    case 403:
      // Storage rejects an expired token with 403 as well.
      return message?.includes("row-level security")
        ? `This account may not upload ${kind}s.`
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
