import { useEffect, useRef, useState } from "react";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import { messageOf } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { newId } from "../../supabase/new-id.ts";
import { showToast } from "../../ui/toast.ts";
import { isImageStored, removeImage, uploadImage } from "../image-storage.ts";
import { AuthorField } from "./author-field.tsx";
import { ImageField } from "./image-field.tsx";
import { PostForm } from "./post-form.tsx";
import {
  fitsContent,
  newPostSchema,
  type PostDraft,
  textTooLong,
  toPostInput,
} from "./post-schema.ts";
import { errorTitle, imageGone, missingTitle, StoppedSave, usePostForm } from "./use-post-form.ts";
import { createPost } from "./write-posts.ts";

const empty: PostDraft = {
  title: "",
  category: "",
  text: "",
  relatedServices: [],
  image: null,
  id: null,
  seenVersion: null,
};

/** Creates a post (sections 2, 4, 5 and 8). Uploads the image as soon as it is chosen. */
export default function NewPostForm() {
  const { adviser } = useSite();
  const { name } = useAuth();
  const ownName = name ?? adviser.name;
  const [otherAuthor, setOtherAuthor] = useState<string | null>(null);
  const author = otherAuthor ?? ownName;
  const form = usePostForm({ action: "create", postId: null, original: empty });
  const { submitting, change } = form;
  const { image } = form.draft;
  const [upload, setUpload] = useState<{ preview: string; progress: number } | null>(null);
  const uploading = useRef<AbortController>(null);

  useEffect(() => () => uploading.current?.abort(), []);

  async function select(file: File) {
    uploading.current?.abort();
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
        description: messageOf(error),
      });
    } finally {
      URL.revokeObjectURL(preview);
      if (uploading.current === controller) {
        uploading.current = null;
        setUpload(null);
      }
    }
  }

  function clearImage() {
    uploading.current?.abort();
    setUpload(null);
    if (image) removeImage(image.path);
    change({ image: null });
  }

  async function publish() {
    await form.submit(newPostSchema, async (post) => {
      if (!(await isImageStored(post.image.url))) {
        change({ image: null });
        throw new StoppedSave({ title: missingTitle, description: imageGone });
      }
      const input = toPostInput(post, post.image.url);
      if (!fitsContent(input.content)) {
        throw new StoppedSave({ title: errorTitle, description: textTooLong });
      }
      const id = post.id ?? newId();
      change({ id });
      await createPost(await getBrowserClient(), id, input, author);
    });
  }

  return (
    <PostForm
      form={form}
      heading="Create New Blog Post"
      image={
        <>
          <AuthorField
            ownName={ownName}
            author={author}
            disabled={submitting}
            onChange={setOtherAuthor}
          />
          <ImageField
            preview={upload?.preview ?? image?.url ?? null}
            progress={upload?.progress ?? null}
            uploaded={image !== null}
            disabled={submitting}
            onSelect={select}
            onRemove={clearImage}
          />
        </>
      }
      imageChanged={upload !== null}
      failure={form.failure}
      submitLabel={submitting ? "Publishing..." : "Publish Post"}
      submitBlockedBy={
        upload
          ? "You can publish as soon as the image is uploaded."
          : image
            ? undefined
            : "To publish the post, upload a featured image."
      }
      onSubmit={publish}
      cancelPath="/blog"
      onDiscard={() => {
        clearImage();
        form.discard();
      }}
    />
  );
}
