// Adds the images of imported posts to their drafts. It can be repeated: a draft that has its images is left as it is.
import { z } from "zod";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import type { Client } from "../../supabase/client-context.ts";
import { maxAltLength } from "../images/image-reference.ts";
import { type UploadedImage, uploadImage } from "../images/image-storage.ts";
import { readDocument } from "../posts/post-schema.ts";
import { readDraft, type StoredDraft, saveDraft, type Thing } from "../versions/content-store.ts";
import { linkedImages, placeImages } from "./place-images.ts";
import type { NamedImage } from "./post-html.ts";
import type { ReadPost } from "./read-export.ts";

/** An imported post with the images that it had. */
export interface PostImages extends Pick<ReadPost, "featured" | "images"> {
  id: string;
  title: string;
  isPage: boolean;
}

export interface ImageRun {
  /** How many posts were looked at. */
  done: number;
  /** How many images were added. */
  added: number;
  /** The images that could not be had, each once, with the first post that has it. */
  failures: { address: string; reason: string; post: PostImages }[];
  /** Posts without a draft: published already, or deleted. */
  withoutDraft: PostImages[];
}

interface RunOptions {
  client: Client;
  /** @throws StoppedRun, or an Error with the reason why there is no such image */
  getImage: (address: string) => Promise<Blob>;
  signal: AbortSignal;
  onProgress: (run: ImageRun) => void;
  upload?: typeof uploadImage;
}

/** At most so many images, of so many bytes together, are added at a time. */
const limits = { images: 3000, bytes: 3_000_000_000 };

/** Ends a run before its last post, with a message for the owner. */
export class StoppedRun extends Error {}

/** @throws StoppedRun, or the backend's error */
export async function importImages(
  posts: readonly PostImages[],
  { client, getImage, signal, onProgress, upload = uploadImage }: RunOptions,
): Promise<void> {
  const run: ImageRun = { done: 0, added: 0, failures: [], withoutDraft: [] };
  const uploads = new Map<string, UploadedImage>();
  const failed = new Set<string>();
  let bytes = 0;
  for (const post of posts) {
    await addTo(post);
    run.done++;
    onProgress({ ...run });
  }

  async function addTo(post: PostImages): Promise<void> {
    const draft = await readDraft(client, thingOf(post));
    if (!draft) {
      run.withoutDraft.push(post);
      return;
    }
    const stop = await loadAll(missingImages(post, readDocument(draft.document)), post);
    await store(post, draft);
    if (stop) throw stop.reason;
  }

  async function store(post: PostImages, first: StoredDraft): Promise<void> {
    let draft: StoredDraft | null = first;
    // Another window may save the draft meanwhile.
    for (let attempt = 0; draft && attempt < 5; attempt++) {
      const { base: version, savedAt } = draft;
      const document = readDocument(draft.document);
      const changed = withImages(post, document, uploads);
      if (!changed) return;
      const replaced = { savedAt, version };
      if (await saveDraft(client, thingOf(post), { ...document, ...changed }, replaced)) return;
      draft = await readDraft(client, thingOf(post));
    }
    if (draft) throw new StoppedRun(`“${post.title}” is being changed in another window.`);
  }

  /** @returns why the run ends, after which the post still gets the images that were loaded */
  async function loadAll(images: readonly NamedImage[], post: PostImages) {
    for (const { address } of images) {
      try {
        signal.throwIfAborted();
        await load(address, post);
      } catch (reason) {
        return { reason };
      }
      onProgress({ ...run });
    }
    return null;
  }

  async function load(address: string, post: PostImages): Promise<void> {
    if (uploads.has(address) || failed.has(address)) return;
    try {
      const image = await getImage(address);
      bytes += image.size;
      if (run.added >= limits.images || bytes > limits.bytes) {
        throw new StoppedRun("This is enough for one run. Add the images again to continue.");
      }
      uploads.set(address, await upload(image, { signal, onProgress: () => {} }));
      run.added++;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof StoppedRun) throw error;
      failed.add(address);
      run.failures.push({ address, post, reason: messageOf(error) });
    }
  }
}

function thingOf({ id, isPage }: PostImages): Thing {
  return { kind: isPage ? "page" : "post", thing: id };
}

type Draft = Pick<ReturnType<typeof readDocument>, "content" | "image_url" | "alt">;

/** The images that a draft does not have yet. */
export function missingImages({ featured, images }: PostImages, draft: Draft): NamedImage[] {
  const linked = linkedImages(draft.content, images);
  return featured && draft.image_url === null ? [featured, ...linked] : linked;
}

/** The columns of a draft that change with the images. Null when none does. */
function withImages(post: PostImages, draft: Draft, uploads: ReadonlyMap<string, UploadedImage>) {
  const content = placeImages(draft.content, post.images, uploads);
  const linked = linkedImages(draft.content, post.images);
  // Without a featured image of its own, a post shows its first one at the top.
  const first = post.featured ?? linked.find(({ address }) => uploads.has(address));
  const top = post.isPage || draft.image_url !== null ? undefined : first;
  const featured = top && uploads.get(top.address);
  if (!featured && !linked.some(({ address }) => uploads.has(address))) return null;
  return {
    content,
    ...(featured && {
      image_url: featured.src,
      alt: draft.alt || [...(top?.alt ?? "")].slice(0, maxAltLength).join(""),
    }),
  };
}

const reasonSchema = z.object({ reason: z.string() });
const errorSchema = z.object({ error: z.string() });

/** Fetches images through the function import-images. @throws StoppedRun, or an Error with the reason of one image */
export function createImageFetcher(client: Client, hosts: readonly string[], http: boolean) {
  return async (address: string): Promise<Blob> => {
    const body = { address, hosts, http };
    const { data, error } = await client.functions.invoke("import-images", { body });
    if (data instanceof Blob) return data;
    const { data: told } = reasonSchema.safeParse(data);
    if (told) throw new Error(told.reason);
    const response: unknown = error?.context;
    if (!(response instanceof Response)) {
      throw new StoppedRun("There is no connection. Add the images again to continue.");
    }
    const { data: refusal } = errorSchema.safeParse(await response.json().catch(() => null));
    // The function was ended because one image took too long.
    if (response.status === 504) throw new Error("It took too long.");
    throw new StoppedRun(refusal?.error ?? "The server cannot fetch images now. Please try again.");
  };
}

/** The hosts of images with how many each has, the most first. A name with and without 'www.' is one. */
export function hostsOf(posts: readonly PostImages[]) {
  const all = posts.flatMap(({ featured, images }) => [...(featured ? [featured] : []), ...images]);
  const addresses = [...new Set(all.map(({ address }) => address))].map(
    (address) => new URL(address),
  );
  const hosts = Map.groupBy(addresses, ({ hostname }) => hostname.replace(/^www\./, ""));
  return [...hosts]
    .map(([host, urls]) => ({
      host,
      count: urls.length,
      isPlain: urls.some(({ protocol }) => protocol === "http:"),
    }))
    .sort((a, b) => b.count - a.count);
}
