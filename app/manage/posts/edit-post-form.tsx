import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { blocksToText, findRelatedServices, parseBlocks } from "../../posts/post-content.ts";
import type { Post } from "../../posts/posts.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { showToast } from "../../ui/toast.ts";
import { editedBlocks } from "./blocks-text.ts";
import { ImageField } from "./image-field.tsx";
import { checkImage } from "./image-file.ts";
import { removeImage, type UploadedImage, uploadImage } from "./image-storage.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { discardDraft, keepDraft, type PostDraft, readDraft } from "./post-draft.ts";
import { PostFields, RestoredNotice } from "./post-form.tsx";
import { NewerVersionError, removeStoredImage, SlugCheckError, updatePost } from "./write-posts.ts";

/** The stored image, none, or a file that is uploaded when the post is saved. */
type ImageChoice =
  | { kind: "stored"; url: string }
  | { kind: "none" }
  | { kind: "file"; file: File; preview: string };

/** The edit form (sections 2, 4, 5 and 8). */
export default function EditPostForm({ post }: { post: Post }) {
  const navigate = useNavigate();
  const original = draftOf(post);
  const [draft, setDraft] = useState(original);
  const [restored, setRestored] = useState(false);
  const [image, setImage] = useState<ImageChoice>(() => storedImage(post));
  const [progress, setProgress] = useState<number | null>(null);
  const [imageUploaded, setImageUploaded] = useState(false);
  const [submitting, setSubmitting] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [newerVersion, setNewerVersion] = useState(false);
  const uploading = useRef<AbortController>(null);
  const finished = useRef(false);
  const textTouched = draft.text !== original.text;
  const hasRichBlocks = parseBlocks(post.content).some(({ type }) => type !== "paragraph");

  useEffect(() => {
    const kept = readDraft(post.id);
    if (!kept) return;
    setDraft(kept);
    setRestored(true);
  }, [post.id]);

  useEffect(() => {
    if (image.kind !== "file") return;
    return () => URL.revokeObjectURL(image.preview);
  }, [image]);

  useEffect(
    () => () => uploading.current?.abort(new DOMException("The form was left", "AbortError")),
    [],
  );

  function change(changes: Partial<PostDraft>) {
    setDraft((current) => {
      const next = { ...current, ...changes };
      if (sameText(next, original)) discardDraft(post.id);
      else keepDraft(post.id, next);
      return next;
    });
  }

  async function save({ overwrite }: { overwrite: boolean }) {
    const content = editedBlocks(parseBlocks(post.content), draft.text);
    const title = draft.title.trim();
    const category = draft.category.trim();
    if (!title || !category || content.length === 0) {
      const description = "Please fill out all required fields.";
      setFailure(description);
      showToast({ tone: "error", title: "Uh oh! Something is missing.", description });
      return;
    }
    setFailure(undefined);
    setNewerVersion(false);
    setSubmitting(true);
    let uploaded: UploadedImage | null = null;
    try {
      uploaded = await uploadChosen();
      const image_url = uploaded?.url ?? (image.kind === "stored" ? image.url : null);
      const related_services = draft.relatedServices.map((slug) => ({ slug }));
      await updatePost(
        await getBrowserClient(),
        post,
        {
          title,
          category,
          // Untouched text goes back as it was stored, unknown blocks included.
          content: textTouched ? content : (post.content as unknown as typeof content),
          image_url,
          related_services,
        },
        overwrite ? null : (draft.seenVersion ?? post.updated_at),
      );
      finished.current = true;
      if (image.kind !== "stored") await removeStoredImage(post.image_url);
      discardDraft(post.id);
      showToast({
        tone: "success",
        title: "Success! 🚀",
        description: "Your blog post has been updated.",
      });
      navigate("/blog");
    } catch (error) {
      if (uploaded) await removeImage(uploaded.path);
      if (!(error instanceof UploadFailure)) tellFailure(error);
    } finally {
      setImageUploaded(false);
      setSubmitting(false);
    }
  }

  /** @throws UploadFailure after it was told; the preview reverts to the stored image (section 4). */
  async function uploadChosen(): Promise<UploadedImage | null> {
    if (image.kind !== "file") return null;
    const controller = new AbortController();
    uploading.current = controller;
    setProgress(0);
    try {
      const uploaded = await uploadImage(image.file, {
        signal: controller.signal,
        onProgress: setProgress,
      });
      setImageUploaded(true);
      showToast({
        tone: "success",
        title: "Image Uploaded",
        description: "The post is being saved.",
      });
      return uploaded;
    } catch (error) {
      // Cancelling is removing the image; after a failure the form shows the stored one again.
      if (controller.signal.aborted) setImage({ kind: "none" });
      else {
        setImage(storedImage(post));
        tellUploadFailure(
          error,
          `The image was not uploaded and the post was not saved. ${(error as Error).message}`,
        );
      }
      throw new UploadFailure();
    } finally {
      uploading.current = null;
      setProgress(null);
    }
  }

  function tellUploadFailure(error: unknown, description: string) {
    console.error("Uploading the image failed", error);
    showToast({ tone: "error", title: "Image upload failed" });
    setFailure(description);
  }

  /** Shows a file at once. When it cannot be decoded, shows what was there before. */
  function select(file: File) {
    const chosen = chosenFile(file);
    setImage(chosen);
    checkImage(file).catch((error: Error) => {
      // The address of a replaced preview was revoked.
      const previous = image.kind === "file" ? chosenFile(image.file) : image;
      setImage((current) => (current === chosen ? previous : current));
      tellUploadFailure(error, error.message);
    });
  }

  function tellFailure(error: unknown) {
    if (error instanceof NewerVersionError) {
      setNewerVersion(true);
      showToast({
        tone: "error",
        title: "Error! 😢",
        description: "This post was changed somewhere else after you opened it.",
      });
      return;
    }
    console.error("Updating the post failed", error);
    const description =
      error instanceof SlugCheckError
        ? error.message
        : "There was a problem updating your post. Please try again.";
    setFailure(description);
    showToast({ tone: "error", title: "Error! 😢", description });
  }

  function discard() {
    discardDraft(post.id);
    setDraft(original);
    setImage(storedImage(post));
    setRestored(false);
  }

  const imageChanged = image.kind !== storedImage(post).kind;
  return (
    <>
      <LeaveGuard
        hasUnsavedChanges={() => !finished.current && (imageChanged || !sameText(draft, original))}
        onDiscard={() => {
          finished.current = true;
          discard();
        }}
      />
      <PostFields
        heading="Edit Post"
        draft={draft}
        onChange={change}
        notice={restored && <RestoredNotice onDiscard={discard} />}
        image={
          <ImageField
            preview={previewOf(image)}
            progress={progress}
            uploaded={imageUploaded}
            disabled={submitting}
            onSelect={select}
            onRemove={() => {
              if (uploading.current)
                uploading.current.abort(new DOMException("Cancelled", "AbortError"));
              else setImage({ kind: "none" });
            }}
          />
        }
        contentNote={
          hasRichBlocks
            ? textTouched
              ? "You changed the text: saving turns its headings, lists and quotes into paragraphs."
              : "While you leave the text as it is, its headings, lists and quotes stay. A change turns them into paragraphs."
            : undefined
        }
        failure={
          newerVersion ? (
            <NewerVersion post={post} onOverwrite={() => save({ overwrite: true })} />
          ) : (
            failure
          )
        }
        submitting={submitting}
        submitLabel={submitting ? "Saving..." : "Save Changes"}
        onSubmit={() => save({ overwrite: false })}
        onCancel={() => navigate(post.slug ? `/blog/${post.slug}` : "/blog")}
      />
    </>
  );
}

/** The upload failed and was told already. */
class UploadFailure extends Error {}

function NewerVersion({ post, onOverwrite }: { post: Post; onOverwrite: () => void }) {
  return (
    <>
      <p>
        This post was changed somewhere else after you opened it. Nothing was saved, and what you
        typed is still here.
      </p>
      <p className="mt-4 flex flex-wrap gap-3">
        <a
          href={`/blog/${post.slug}`}
          target="_blank"
          rel="noopener"
          className={buttonClass("secondary", "small")}
        >
          See the other version<span className="sr-only"> (opens in a new tab)</span>
        </a>
        <button type="button" className={buttonClass("danger", "small")} onClick={onOverwrite}>
          Overwrite it with mine
        </button>
      </p>
    </>
  );
}

function draftOf(post: Post): PostDraft {
  return {
    title: post.title,
    category: post.category,
    text: blocksToText(parseBlocks(post.content)),
    relatedServices: findRelatedServices(post.related_services).map(({ slug }) => slug),
    seenVersion: post.updated_at,
  };
}

function sameText(a: PostDraft, b: PostDraft): boolean {
  const services = (draft: PostDraft) => draft.relatedServices.toSorted().join();
  return (
    a.title === b.title &&
    a.category === b.category &&
    a.text === b.text &&
    services(a) === services(b)
  );
}

function storedImage(post: Post): ImageChoice {
  return post.image_url ? { kind: "stored", url: post.image_url } : { kind: "none" };
}

function chosenFile(file: File): ImageChoice {
  return { kind: "file", file, preview: URL.createObjectURL(file) };
}

function previewOf(image: ImageChoice): string | null {
  if (image.kind === "none") return null;
  return image.kind === "stored" ? image.url : image.preview;
}
