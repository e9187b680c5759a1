import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { z } from "zod/mini";
import { showToast } from "../../ui/toast.ts";
import { isImageStored } from "./image-storage.ts";
import { isSameDraft, readDraft, storeDraft } from "./post-draft.ts";
import type { PostDraft } from "./post-schema.ts";
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

interface Failure {
  title: string;
  /** In the toast. */
  description?: string;
  /** In the form; by default the description. */
  text?: string;
}

/** Stops a save. Shows the given failure, or nothing when the owner cancelled. */
export class StoppedSave extends Error {
  readonly failure: Failure | null;

  constructor(failure: Failure | null) {
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
  const [submitting, setSubmitting] = useState(false);
  const [failureText, setFailureText] = useState<string>();
  // Handlers that await something see changes made since their render.
  const newest = useRef(original);
  const settled = useRef(false);

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
      setFailureText(imageGone);
      if (newest.current.image?.url !== url) return;
      newest.current = { ...newest.current, image: null };
      setDraft(newest.current);
    });
  }, [postId]);

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

  function showFailure({ title, description, text = description }: Failure) {
    setFailureText(text);
    showToast({ tone: "error", title, description });
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
      showFailure({ title: missingTitle, description: error.issues[0]?.message });
      return;
    }
    setFailureText(undefined);
    setSubmitting(true);
    try {
      await save(post);
      settled.current = true;
      await cleanUp?.();
      storeDraft(postId, null);
      showToast({
        tone: "success",
        title: "Success! 🚀",
        description: texts[action].success,
      });
      navigate("/blog");
    } catch (error) {
      if (error instanceof StoppedSave) {
        if (error.failure) showFailure(error.failure);
        return;
      }
      console.error(texts[action].log, error);
      const isSlugCheck = error instanceof SlugCheckError;
      showFailure({
        title: errorTitle,
        description: isSlugCheck ? error.message : texts[action].failure,
      });
    } finally {
      setSubmitting(false);
    }
  }

  return {
    draft,
    /** Whether the draft comes from the browser's storage. */
    restored,
    submitting,
    failureText,
    change,
    discard,
    submit,
    showFailure,
    /** Whether leaving needs no confirmation: the draft was saved or discarded. */
    settled,
    isChanged: !isSameDraft(draft, original),
  };
}
