import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { site } from "../../config/site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { newId } from "../../supabase/new-id.ts";
import { showToast } from "../../ui/toast.ts";
import { textToBlocks } from "./blocks-text.ts";
import { ImageField } from "./image-field.tsx";
import { isImageStored, removeImage, uploadImage } from "./image-storage.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { discardDraft, keepDraft, type PostDraft, readDraft } from "./post-draft.ts";
import { PostFields, RestoredNotice } from "./post-form.tsx";
import { createPost, SlugCheckError } from "./write-posts.ts";

const empty: PostDraft = { title: "", category: "", text: "", relatedServices: [], image: null };

/** A scheduled job removes an image that no post has referred to for a day. */
const imageMissing = "The image that you had uploaded is no longer stored. Please upload it again.";

/** The create form (sections 2, 4, 5 and 8). The image is uploaded as soon as it is chosen. */
export default function NewPostForm() {
  const navigate = useNavigate();
  const [restored, setRestored] = useState(false);
  const [draft, setDraft] = useState(empty);
  const [upload, setUpload] = useState<{ preview: string; progress: number } | null>(null);
  const [submitting, setSubmitting] = useState(false);
  const [failure, setFailure] = useState<string>();
  const uploading = useRef<AbortController>(null);
  const finished = useRef(false);
  const image = draft.image ?? null;

  useEffect(() => {
    const kept = readDraft(null);
    if (kept) {
      setDraft(kept);
      setRestored(true);
    }
    const url = kept?.image?.url;
    if (url) {
      isImageStored(url).then((stored) => {
        if (stored) return;
        setDraft((current) => (current.image?.url === url ? { ...current, image: null } : current));
        setFailure(imageMissing);
      });
    }
    return () => uploading.current?.abort(new DOMException("The form was left", "AbortError"));
  }, []);

  function change(changes: Partial<PostDraft>) {
    setDraft((current) => {
      const next = { ...current, ...changes };
      if (isEmpty(next)) discardDraft(null);
      else keepDraft(null, next);
      return next;
    });
  }

  async function select(file: File) {
    uploading.current?.abort(new DOMException("Another file was chosen", "AbortError"));
    const controller = new AbortController();
    const preview = URL.createObjectURL(file);
    uploading.current = controller;
    setUpload({ preview, progress: 0 });
    try {
      const uploaded = await uploadImage(file, {
        signal: controller.signal,
        onProgress: (progress) => setUpload({ preview, progress }),
      });
      if (image) removeImage(image.path);
      change({ image: uploaded });
      showToast({
        tone: "success",
        title: "Image Uploaded",
        description: "The image is ready to publish.",
      });
    } catch (error) {
      if (controller.signal.aborted) return;
      console.error("Uploading the image failed", error);
      showToast({
        tone: "error",
        title: "Image upload failed",
        description: (error as Error).message,
      });
    } finally {
      URL.revokeObjectURL(preview);
      if (uploading.current === controller) {
        uploading.current = null;
        setUpload(null);
      }
    }
  }

  function removeCurrentImage() {
    uploading.current?.abort(new DOMException("Cancelled", "AbortError"));
    setUpload(null);
    if (image) removeImage(image.path);
    change({ image: null });
  }

  async function publish() {
    const content = textToBlocks(draft.text);
    const title = draft.title.trim();
    const category = draft.category.trim();
    if (!title || !category || content.length === 0 || !image) {
      const description = "Please fill out all fields and upload an image.";
      setFailure(description);
      showToast({ tone: "error", title: "Uh oh! Something is missing.", description });
      return;
    }
    setFailure(undefined);
    setSubmitting(true);
    try {
      if (!(await isImageStored(image.url))) {
        change({ image: null });
        setFailure(imageMissing);
        showToast({
          tone: "error",
          title: "Uh oh! Something is missing.",
          description: imageMissing,
        });
        return;
      }
      const id = draft.id ?? newId();
      change({ id });
      const related_services = draft.relatedServices.map((slug) => ({ slug }));
      const input = { title, category, content, image_url: image.url, related_services };
      await createPost(await getBrowserClient(), id, input, site.author);
      finished.current = true;
      discardDraft(null);
      showToast({
        tone: "success",
        title: "Success! 🚀",
        description: "Your new blog post has been published.",
      });
      navigate("/blog");
    } catch (error) {
      console.error("Creating the post failed", error);
      const description =
        error instanceof SlugCheckError
          ? error.message
          : "There was a problem creating your post. Please try again.";
      setFailure(description);
      showToast({ tone: "error", title: "Error! 😢", description });
    } finally {
      setSubmitting(false);
    }
  }

  function discard() {
    removeCurrentImage();
    discardDraft(null);
    setDraft(empty);
    setRestored(false);
  }

  return (
    <>
      <LeaveGuard
        hasUnsavedChanges={() => !finished.current && (!isEmpty(draft) || upload !== null)}
        onDiscard={() => {
          finished.current = true;
          discard();
        }}
      />
      <PostFields
        heading="Create New Blog Post"
        draft={draft}
        onChange={change}
        notice={restored && <RestoredNotice onDiscard={discard} />}
        image={
          <ImageField
            preview={upload?.preview ?? image?.url ?? null}
            progress={upload?.progress ?? null}
            uploaded={image !== null}
            disabled={submitting}
            onSelect={select}
            onRemove={removeCurrentImage}
          />
        }
        failure={failure}
        submitting={submitting}
        submitLabel={submitting ? "Publishing..." : "Publish Post"}
        submitBlockedBy={
          upload
            ? "You can publish as soon as the image is uploaded."
            : image
              ? undefined
              : "To publish the post, upload a featured image."
        }
        onSubmit={publish}
        onCancel={() => navigate("/blog")}
      />
    </>
  );
}

function isEmpty({ title, category, text, relatedServices, image }: PostDraft): boolean {
  return !title && !category && !text && relatedServices.length === 0 && !image;
}
