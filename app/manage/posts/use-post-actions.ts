import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { showToast } from "../../ui/toast.ts";
import { formatSchedule } from "../format-moment.ts";
import {
  discardUpload,
  isImageStored,
  removeStoredImage,
  restoreStoredImage,
} from "../images/image-storage.ts";
import { completePost, errorTitle, imageGone, missingTitle } from "./complete-post.ts";
import { imagesOf } from "./deleted-posts.ts";
import { describeDraftFailure, describeSaveFailure } from "./describe-post-failure.ts";
import {
  discardPostDraft,
  NewerVersionError,
  PublishedMeanwhileError,
  readStoredPost,
  removeSchedule,
  saveDraftVersion,
  schedulePost,
  unschedulePost,
} from "./post-drafts.ts";
import {
  contentOf,
  draftOf,
  editedPostSchema,
  newPostSchema,
  type PostDraft,
  unchangedTextSchema,
} from "./post-schema.ts";
import type { PostDocument } from "./post-versions.ts";
import { StoppedSave, useAttempts } from "./use-attempts.ts";
import type { FeaturedImage } from "./use-featured-image.ts";
import { baseVersionOf, type PostEditorState } from "./use-post-editor.ts";
import { createPost, updatePost } from "./write-posts.ts";

const success = "Success! 🚀";
const published = "Your new blog post has been published.";
const updated = "Your blog post has been updated.";
const notCreated = "There was a problem creating your post. Please try again.";
const notUpdated = "There was a problem updating your post. Please try again.";

type Action = "publish" | "save" | "keep" | "schedule" | "unschedule" | "discard";

export type PostActions = ReturnType<typeof usePostActions>;

interface PostActionsOptions {
  editor: PostEditorState;
  image: FeaturedImage;
  /** Who signs a post without an author. */
  author: string;
  onReopen: () => void;
}

/** What the buttons of the editor do. */
export function usePostActions({ editor, image, author, onReopen }: PostActionsOptions) {
  const { session, opened, known, current } = editor;
  const { id, row, state } = opened;
  const { contact } = useSite();
  const navigate = useNavigate();
  const { running, failure, setFailure, fail, attempt } = useAttempts<Action>((error) => {
    if (error instanceof PublishedMeanwhileError) reopen();
  });
  /** The other version, when the post was changed somewhere else. */
  const [newer, setNewer] = useState<{ draft: PostDraft | null }>();
  const settled = useRef(false);
  /** When a version was last added to the history. */
  const [keptAt, setKeptAt] = useState<string | null>(null);
  /** At once: a toast that follows is rendered inside a dialog that is still open, and would go with it. */
  const reopen = () => flushSync(onReopen);
  const signature = () => current().author || author;

  /** @throws StoppedSave when another window changed the draft */
  async function confirmDraft(): Promise<Client> {
    if (!(await session.confirm())) {
      throw new StoppedSave({
        title: errorTitle,
        description: "Another window changed this post. Choose a version first.",
      });
    }
    return getBrowserClient();
  }

  /** @throws StoppedSave */
  async function confirmImage(imageUrl: string): Promise<void> {
    if (await isImageStored(imageUrl)) return;
    editor.change({ imageUrl: null });
    throw new StoppedSave({ title: missingTitle, description: imageGone });
  }

  /** @throws what `save` throws; StoppedSave with the other version for a newer one */
  async function withVersionCheck<Saved>(client: Client, save: () => Promise<Saved>) {
    setNewer(undefined);
    try {
      return await save();
    } catch (error) {
      if (!(error instanceof NewerVersionError)) throw error;
      const stored = await readStoredPost(client, id).catch(() => null);
      const other = stored?.published ?? stored?.scheduled;
      setNewer({ draft: other ? draftOf(other) : null });
      throw new StoppedSave({
        title: errorTitle,
        description: "This post was changed somewhere else after you opened it.",
      });
    }
  }

  async function publish(): Promise<void> {
    const checked = completePost(current(), newPostSchema, known, row);
    if ("failure" in checked) return fail(checked.failure);
    const { post, input } = checked;
    await attempt(
      "publish",
      async () => {
        const client = await confirmDraft();
        await confirmImage(post.imageUrl);
        if (state === "scheduled") await confirmSchedule(client);
        await createPost(client, id, input, signature());
        if (state === "scheduled") await removeSchedule(client, id);
        await finish();
        if (row?.image_url !== post.imageUrl) void removeStoredImage(row?.image_url ?? null);
        return { title: success, description: published };
      },
      (error) => describeSaveFailure(error, notCreated, "Creating the post failed"),
    );
  }

  /** @throws PublishedMeanwhileError */
  async function confirmSchedule(client: Client): Promise<void> {
    if (!(await readStoredPost(client, id)).scheduled) throw new PublishedMeanwhileError();
  }

  async function save({ overwrite }: { overwrite: boolean }): Promise<void> {
    if (!row) return;
    const isTextKept = known.some(({ text }) => text === current().text);
    const checked = completePost(
      current(),
      isTextKept ? unchangedTextSchema : editedPostSchema,
      known,
      row,
    );
    if ("failure" in checked) return fail(checked.failure);
    await attempt(
      "save",
      async () => {
        const client = await confirmDraft();
        const uploaded = await image.upload();
        const image_url = uploaded ?? checked.input.image_url;
        const version = overwrite ? null : baseVersionOf(opened);
        try {
          await withVersionCheck(client, () =>
            updatePost(client, row, { ...checked.input, image_url }, version),
          );
        } catch (error) {
          image.forgetUpload();
          if (uploaded) await discardUpload(uploaded);
          throw error;
        }
        await finish(image_url !== editor.start.imageUrl);
        return { title: success, description: updated };
      },
      (error) => describeSaveFailure(error, notUpdated, "Updating the post failed"),
    );
  }

  /** Removes the draft, then the former image, which the draft may refer to, and goes to the blog. */
  async function finish(isImageReplaced = false): Promise<void> {
    settled.current = true;
    await editor.settle();
    if (isImageReplaced) await removeStoredImage(row?.image_url ?? null);
    image.reset();
    navigate("/blog");
  }

  /** @param publishedDate ISO 8601 */
  async function schedule(publishedDate: string, overwrite = false): Promise<boolean> {
    const checked = completePost(current(), newPostSchema, known, row);
    if ("failure" in checked) {
      fail(checked.failure);
      return false;
    }
    const { post, input } = checked;
    return attempt(
      "schedule",
      async () => {
        const client = await confirmDraft();
        await confirmImage(post.imageUrl);
        const seenVersion = overwrite
          ? ((await readStoredPost(client, id)).scheduled?.updated_at ?? null)
          : state === "scheduled"
            ? baseVersionOf(opened)
            : null;
        await withVersionCheck(client, () =>
          schedulePost(client, input, { id, author: signature(), publishedDate, seenVersion }),
        );
        await editor.settle();
        if (row?.image_url !== post.imageUrl) await removeStoredImage(row?.image_url ?? null);
        reopen();
        return {
          title: state === "scheduled" ? "Schedule saved" : "Post scheduled",
          description: `It is published on ${formatSchedule(publishedDate, contact.timeZone)}.`,
        };
      },
      (error) => describeDraftFailure(error, "The post was not scheduled"),
    );
  }

  async function unschedule(): Promise<void> {
    await attempt(
      "unschedule",
      async () => {
        await unschedulePost(await confirmDraft(), id);
        reopen();
        return { title: "Unscheduled", description: "The post is a draft again." };
      },
      (error) => describeDraftFailure(error, "The post is still scheduled"),
    );
  }

  async function keepVersion(): Promise<void> {
    await attempt(
      "keep",
      async () => {
        const client = await confirmDraft();
        if (!(await session.flush())) throw session.getState().error;
        await saveDraftVersion(client, id);
        setKeptAt(session.getState().savedAt);
        return { title: "Draft saved", description: "Only you and your editors can see it." };
      },
      (error) => describeDraftFailure(error, "The draft was not saved"),
    );
  }

  /** Continues with an earlier version, as a draft. @throws the backend's error */
  async function restore(version: PostDocument): Promise<void> {
    const client = await getBrowserClient();
    for (const url of imagesOf(version)) await restoreStoredImage(client, url);
    const { image_url } = version;
    const isImageLost = image_url !== null && !(await isImageStored(image_url));
    editor.restore(isImageLost ? { ...version, image_url: null } : version);
    if (!(await session.flush())) throw session.getState().error;
    await saveDraftVersion(client, id);
    setKeptAt(session.getState().savedAt);
    showToast({
      tone: "success",
      title: "Version restored",
      description: isImageLost
        ? "It is your draft now. Its image is no longer stored: choose another one."
        : "It is your draft now, and not public yet.",
    });
  }

  async function discard(): Promise<void> {
    await attempt(
      "discard",
      async () => {
        const client = await confirmDraft();
        const { savedAt, document } = session.getState();
        const content = contentOf(document.text, known);
        const images = imagesOf({ image_url: document.imageUrl, content });
        if (savedAt && !(await discardPostDraft(client, id, savedAt))) {
          throw new StoppedSave({
            title: errorTitle,
            description: "The draft was changed in another window and was not discarded.",
          });
        }
        session.replace(editor.start, null);
        image.reset();
        setNewer(undefined);
        if (row) return { title: "Changes discarded", description: "The post is as it was." };
        // It is published when the response to its publication was lost.
        const { published } = await readStoredPost(client, id);
        if (!published) for (const url of images) await removeStoredImage(url);
        settled.current = true;
        navigate("/blog");
        return { title: "Draft discarded", description: "It can be restored for 30 days." };
      },
      (error) => describeDraftFailure(error, "The draft was not discarded"),
    );
  }

  return {
    running,
    failure,
    newer,
    /** Whether leaving needs no confirmation: the post was saved or discarded. */
    settled,
    fail,
    publish,
    save,
    schedule,
    unschedule,
    keepVersion,
    keptAt,
    restore,
    discard,
    /** Reports an image that was removed since it was uploaded. */
    reportMissingImage: () => setFailure(imageGone),
  };
}
