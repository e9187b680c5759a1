import { useEffect, useRef, useState } from "react";
import { type ServiceLink, useSite } from "../../config/use-site.ts";
import { messageOf } from "../../forms/use-form-submit.ts";
import { findRelatedServices, parseBlocks } from "../../posts/post-content.ts";
import type { Post } from "../../posts/posts.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { showToast } from "../../ui/toast.ts";
import { checkImage } from "../image-file.ts";
import {
  removeImage,
  removeStoredImage,
  type UploadedImage,
  uploadImage,
} from "../image-storage.ts";
import { blocksToText } from "./blocks-to-text.ts";
import { ImageField } from "./image-field.tsx";
import { PostForm } from "./post-form.tsx";
import {
  editedPostSchema,
  fitsContent,
  type PostDraft,
  textTooLong,
  toPostInput,
  unchangedTextSchema,
} from "./post-schema.ts";
import { errorTitle, StoppedSave, usePostForm } from "./use-post-form.ts";
import { NewerVersionError, updatePost } from "./write-posts.ts";

/** The stored image, none, or a file that is uploaded when the post is saved. */
type ImageChoice =
  | { kind: "stored"; url: string }
  | { kind: "none" }
  | { kind: "file"; file: File; preview: string };

/** Edits a post (sections 2, 4, 5 and 8). */
export default function EditPostForm({ post }: { post: Post }) {
  const { services } = useSite();
  const original = draftOf(post, services);
  const form = usePostForm({ action: "update", postId: post.id, original });
  const { draft, submitting, failure } = form;
  const [image, setImage] = useState<ImageChoice>(() => storedImage(post));
  const [progress, setProgress] = useState<number | null>(null);
  const [imageUploaded, setImageUploaded] = useState(false);
  const [isOutdated, setIsOutdated] = useState(false);
  const uploading = useRef<AbortController>(null);
  const textChanged = draft.text !== original.text;

  useEffect(() => {
    if (image.kind !== "file") return;
    return () => URL.revokeObjectURL(image.preview);
  }, [image]);

  useEffect(() => () => uploading.current?.abort(), []);

  async function save({ overwrite }: { overwrite: boolean }) {
    await form.submit(
      textChanged || parseBlocks(post.content).length === 0
        ? editedPostSchema
        : unchangedTextSchema,
      async (edited) => {
        setIsOutdated(false);
        const storedImageUrl = image.kind === "stored" ? image.url : null;
        const stored = toPostInput(edited, storedImageUrl, post.content);
        const content = textChanged ? stored.content : post.content;
        if (!fitsContent(content)) {
          throw new StoppedSave({ title: errorTitle, description: textTooLong });
        }
        const uploaded = await uploadChosen();
        const input = { ...stored, content, image_url: uploaded?.url ?? storedImageUrl };
        try {
          const version = overwrite ? null : (edited.seenVersion ?? post.updated_at);
          await updatePost(await getBrowserClient(), post, input, version);
        } catch (error) {
          if (uploaded) await removeImage(uploaded.path);
          if (!(error instanceof NewerVersionError)) throw error;
          setIsOutdated(true);
          throw new StoppedSave({
            title: errorTitle,
            description: "This post was changed somewhere else after you opened it.",
          });
        } finally {
          setImageUploaded(false);
        }
      },
      async () => {
        if (image.kind !== "stored") await removeStoredImage(post.image_url);
      },
    );
  }

  /** @throws StoppedSave when there is no upload; after a failure the form shows the stored image again (section 4) */
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
      if (controller.signal.aborted) {
        setImage({ kind: "none" });
        throw new StoppedSave(null);
      }
      setImage(storedImage(post));
      console.error("Uploading the image failed", error);
      throw new StoppedSave({
        title: "Image upload failed",
        text: `The image was not uploaded and the post was not saved. ${messageOf(error)}`,
      });
    } finally {
      uploading.current = null;
      setProgress(null);
    }
  }

  /** Shows a file at once, and the former choice again when the file can't be decoded. */
  function select(file: File) {
    const chosen = chosenFile(file);
    setImage(chosen);
    checkImage(file).catch((error: unknown) => {
      // The preview of a replaced file was revoked, so it needs a new one.
      const former = image.kind === "file" ? chosenFile(image.file) : image;
      setImage((current) => (current === chosen ? former : current));
      console.error("Uploading the image failed", error);
      form.fail({ title: "Image upload failed", text: messageOf(error) });
    });
  }

  return (
    <PostForm
      form={form}
      heading="Edit Post"
      image={
        <ImageField
          preview={previewOf(image)}
          progress={progress}
          uploaded={imageUploaded}
          disabled={submitting}
          onSelect={select}
          onRemove={() => {
            if (uploading.current) uploading.current.abort();
            else setImage({ kind: "none" });
          }}
        />
      }
      imageChanged={image.kind !== storedImage(post).kind}
      failure={
        isOutdated ? (
          <NewerVersion post={post} onOverwrite={() => save({ overwrite: true })} />
        ) : (
          failure
        )
      }
      submitLabel={submitting ? "Saving..." : "Save Changes"}
      onSubmit={() => save({ overwrite: false })}
      cancelPath={post.slug ? `/blog/${post.slug}` : "/blog"}
      onDiscard={() => {
        form.discard();
        setImage(storedImage(post));
      }}
    />
  );
}

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

function draftOf(post: Post, services: readonly ServiceLink[]): PostDraft {
  return {
    title: post.title,
    category: post.category,
    text: blocksToText(parseBlocks(post.content)),
    relatedServices: findRelatedServices(services, post.related_services).map(({ slug }) => slug),
    image: null,
    id: null,
    seenVersion: post.updated_at,
  };
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
