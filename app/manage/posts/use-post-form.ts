import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { z } from "zod/mini";
import { type FormFailure, useSubmission } from "../../forms/use-form-submit.ts";
import { isImageStored } from "../image-storage.ts";
import { type PostDraft, postDraftSchema } from "./post-schema.ts";
import { SlugCheckError } from "./slug.ts";

/** The fixed texts of section 8. */
const texts = {
  create: {
    success: "Your new blog post has been published.",
    failure: "There was a problem creating your post. Please try again.",
    log: "Creating the post failed",
  },
  update: {
    success: "Your blog post has been updated.",
    failure: "There was a problem updating your post. Please try again.",
    log: "Updating the post failed",
  },
} as const;

export const missingTitle = "Uh oh! Something is missing.";
/** A scheduled job removes an image that no post has referred to for a day. */
export const imageGone =
  "The image that you had uploaded is no longer stored. Please upload it again.";
export const errorTitle = "Error! 😢";

/** Stops a save. Shows the given failure, or nothing when the owner cancelled. */
export class StoppedSave extends Error {
  readonly failure: FormFailure | null;

  constructor(failure: FormFailure | null) {
    super(failure?.title ?? "Cancelled");
    this.failure = failure;
  }
}

interface PostFormOptions {
  action: keyof typeof texts;
  /** The post that is edited; null for a new one. */
  postId: string | null;
  /** The content of the form before anything is typed. */
  original: PostDraft;
}

export type PostFormState = ReturnType<typeof usePostForm>;

/** What creating and editing a post share: the draft, its storage, and the save with its outcome. */
export function usePostForm({ action, postId, original }: PostFormOptions) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(original);
  const [restored, setRestored] = useState(false);
  // Handlers that await something see changes made since their render.
  const newest = useRef(original);
  const settled = useRef(false);
  const { failure, setFailure, submitting, fail, run } = useSubmission({
    sent: { title: "Success! 🚀", description: texts[action].success },
    onSent: () => navigate("/blog"),
    describeFailure(error) {
      if (error instanceof StoppedSave) return error.failure;
      console.error(texts[action].log, error);
      const isSlugCheck = error instanceof SlugCheckError;
      return {
        title: errorTitle,
        description: isSlugCheck ? error.message : texts[action].failure,
      };
    },
  });

  useEffect(() => {
    const stored = readDraft(postId);
    if (!stored) return;
    newest.current = stored;
    setDraft(stored);
    setRestored(true);
    const url = stored.image?.url;
    if (!url) return;
    isImageStored(url).then((exists) => {
      if (exists) return;
      setFailure(imageGone);
      if (newest.current.image?.url !== url) return;
      newest.current = { ...newest.current, image: null };
      setDraft(newest.current);
    });
  }, [postId, setFailure]);

  function change(changes: Partial<PostDraft>) {
    newest.current = { ...newest.current, ...changes };
    setDraft(newest.current);
    storeDraft(postId, isSameDraft(newest.current, original) ? null : newest.current);
  }

  function discard() {
    newest.current = original;
    setDraft(original);
    setRestored(false);
    storeDraft(postId, null);
  }

  /**
   * Saves the draft and goes to the blog. After a failure the form stays open.
   * @param save throws when nothing was saved
   * @param cleanUp runs after the save; leaving no longer asks for confirmation
   */
  async function submit<Post>(
    schema: z.ZodMiniType<Post>,
    save: (post: Post) => Promise<void>,
    cleanUp?: () => Promise<void>,
  ) {
    const { data: post, error } = schema.safeParse(newest.current);
    if (error) {
      fail({ title: missingTitle, description: error.issues[0]?.message ?? "" });
      return;
    }
    await run(async () => {
      await save(post);
      settled.current = true;
      await cleanUp?.();
      storeDraft(postId, null);
    });
  }

  return {
    draft,
    /** Whether the draft comes from the browser's storage. */
    restored,
    submitting,
    failure,
    change,
    discard,
    submit,
    fail,
    /** Whether leaving needs no confirmation: the draft was saved or discarded. */
    settled,
    isChanged: !isSameDraft(draft, original),
  };
}

// Drafts of posts in this browser. Unlike the drafts of visitors' forms they outlive the tab.

/** Drafts of earlier releases lack these fields where they had no value. */
const optionalFields = { image: null, id: null, seenVersion: null };

function storageKey(postId: string | null): string {
  return `post-draft:${postId ?? "new"}`;
}

/**
 * @param postId null for a new post
 * @returns null when no draft is stored or it can't be read
 */
export function readDraft(postId: string | null): PostDraft | null {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey(postId)) ?? "null");
    return postDraftSchema.safeParse({ ...optionalFields, ...stored }).data ?? null;
  } catch {
    return null;
  }
}

/** Stores a draft; null removes it. */
export function storeDraft(postId: string | null, draft: PostDraft | null): void {
  try {
    if (draft) localStorage.setItem(storageKey(postId), JSON.stringify(draft));
    else localStorage.removeItem(storageKey(postId));
  } catch (error) {
    // The form works without storage, which can be full or forbidden.
    console.error("Storing the draft failed", error);
  }
}

/** Whether two drafts have the same content. */
export function isSameDraft(a: PostDraft, b: PostDraft): boolean {
  const services = (draft: PostDraft) => draft.relatedServices.toSorted().join();
  return (
    a.title === b.title &&
    a.category === b.category &&
    a.text === b.text &&
    services(a) === services(b) &&
    a.image?.path === b.image?.path
  );
}
