import { getBrowserClient, projectUrl, readPublicSettings } from "../supabase/browser-client.ts";
import { checkImage } from "./check-image.ts";
import { imageBucket, newImagePath } from "./image-path.ts";
import { imageTypes } from "./image-type.ts";

/** An image in the bucket. */
export interface UploadedImage {
  path: string;
  url: string;
}

interface UploadOptions {
  /** Hears the share of the bytes that were really sent, 0 to 100. */
  onProgress: (percent: number) => void;
  /** Aborting it cancels the upload; the promise then rejects with its reason. */
  signal: AbortSignal;
}

/**
 * Uploads an image to `public/{generated id}.{extension}` (section 7).
 * @throws Error with a message for the owner: wrong type, damaged, too large, connection lost, not allowed.
 */
export async function uploadImage(file: File, options: UploadOptions): Promise<UploadedImage> {
  const type = await checkImage(file);
  const client = await getBrowserClient();
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error("Your session has ended. Please log in again.");

  const path = newImagePath(imageTypes[type]);
  options.signal.throwIfAborted();
  await send(file.slice(0, file.size, type), path, data.session.access_token, options);
  return { path, url: client.storage.from(imageBucket).getPublicUrl(path).data.publicUrl };
}

/** Whether a file can still be read. Unknown counts as yes. */
export async function isImageStored(url: string): Promise<boolean> {
  try {
    const { status } = await fetch(url, { method: "HEAD", cache: "no-store" });
    return status < 400 || status >= 500;
  } catch {
    return true;
  }
}

/**
 * Removes an image that the form no longer shows. The database refuses while a post refers to it. A
 * failure is only logged (section 4): a scheduled job removes what stays behind.
 */
export async function removeImage(path: string): Promise<void> {
  const client = await getBrowserClient();
  const { data, error } = await client.storage.from(imageBucket).remove([path]);
  if (error || data.length === 0) console.error("Removing an image failed", path, error);
}

/** storage-js can't tell how far an upload is, so this speaks to the same endpoint by XMLHttpRequest. */
function send(
  body: Blob,
  path: string,
  token: string,
  { onProgress, signal }: UploadOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${projectUrl()}/storage/v1/object/${imageBucket}/${path}`);
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

/** Storage answers 400 for many things and puts the real status into the body. */
function describeFailure(request: XMLHttpRequest): string {
  let answer: { statusCode?: unknown; message?: unknown } = {};
  try {
    answer = JSON.parse(request.responseText);
  } catch {
    // A proxy in front may answer without JSON; the status says enough.
  }
  const status = Number(answer.statusCode) || request.status;
  if (status === 413) return "The picture is too large: at most 50 MB.";
  if (status === 415) return "This file is not a JPEG, PNG, GIF or WebP picture.";
  if (status === 401) return "Your session has ended. Please log in again.";
  if (status === 403) return "This account may not upload pictures.";
  return typeof answer.message === "string" ? answer.message : `The server answered ${status}.`;
}
