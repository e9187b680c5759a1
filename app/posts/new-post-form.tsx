import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { site } from "../config/site.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { showToast } from "../ui/toast.ts";
import { textToBlocks } from "./content-text.ts";
import { ImageField } from "./image-field.tsx";
import { uploadImage } from "./image-upload.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { discardDraft, keepDraft, type PostDraft, readDraft } from "./post-draft.ts";
import { PostFields, RestoredNotice } from "./post-fields.tsx";
import {
  dropUnsavedImage,
  forgetUnsavedImage,
  listUnsavedImages,
  rememberUnsavedImage,
} from "./unsaved-images.ts";
import { useDropImageOnExit } from "./use-drop-image-on-exit.ts";
import { createPost, SlugCheckError } from "./write-posts.ts";

const empty: PostDraft = { title: "", category: "", text: "", relatedServices: [], image: null };

/** The create form (sections 2, 4, 5 and 8). The image is uploaded as soon as it is chosen. */
export default function NewPostForm() {
  const navigate = useNavigate();
  const { session } = useAuth();
  const [restored, setRestored] = useState(false);
  const [draft, setDraft] = useState(empty);
  const [upload, setUpload] = useState<{ preview: string; progress: number } | null>(null);
  const [submitting, setSubmitting] = useState(false);
  const [failure, setFailure] = useState<string>();
  const uploading = useRef<AbortController>(null);
  const finished = useRef(false);
  const image = draft.image ?? null;

  // The draft is read after the first render: it may bring a picture that this tab still owns.
  useEffect(() => {
    const kept = readDraft(null);
    const owned = new Set(listUnsavedImages());
    const keptImage = kept?.image && owned.delete(kept.image.path) ? kept.image : null;
    for (const path of owned) dropUnsavedImage(path);
    if (kept) {
      setDraft({ ...kept, image: keptImage });
      setRestored(true);
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

  useDropImageOnExit(image, session?.access_token, () => change({ image: null }));

  async function select(file: File) {
    const controller = new AbortController();
    const preview = URL.createObjectURL(file);
    uploading.current = controller;
    setUpload({ preview, progress: 0 });
    try {
      const uploaded = await uploadImage(file, {
        signal: controller.signal,
        onProgress: (progress) => setUpload({ preview, progress }),
      });
      rememberUnsavedImage(uploaded.path);
      change({ image: uploaded });
      showToast({
        tone: "success",
        title: "Image Uploaded",
        description: "The picture is ready to publish.",
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
    if (image) dropUnsavedImage(image.path);
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
      const related_services = draft.relatedServices.map((slug) => ({ slug }));
      const input = { title, category, content, image_url: image.url, related_services };
      await createPost(await getBrowserClient(), input, site.author);
      finished.current = true;
      forgetUnsavedImage(image.path);
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
        submitDisabled={upload !== null || !image}
        onSubmit={publish}
        onCancel={() => navigate("/blog")}
      />
    </>
  );
}

function isEmpty({ title, category, text, relatedServices, image }: PostDraft): boolean {
  return !title && !category && !text && relatedServices.length === 0 && !image;
}
