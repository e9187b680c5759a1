import { useEffect, useEffectEvent, useRef, useState } from "react";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import { showToast } from "../../ui/toast.ts";
import { checkImage } from "../images/image-file.ts";
import { discardUpload, isImageStored } from "../images/image-storage.ts";
import { useUpload } from "../images/use-upload.ts";
import { type FailPost, StoppedSave } from "./post-failures.ts";
import type { PostEditorState } from "./use-post-editor.ts";

interface ChosenFile {
  file: File;
  preview: string;
}

export type FeaturedImage = ReturnType<typeof useFeaturedImage>;

/**
 * The featured image of a post. For a published post, a chosen file is uploaded when the post is saved; for all
 * others at once.
 */
export function useFeaturedImage(editor: PostEditorState) {
  const { opened, start, draft, current, change, session } = editor;
  const uploadsAtOnce = opened.state !== "published";
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  /** The chosen file at any time, also while an upload is awaited. */
  const latest = useRef<ChosenFile>(null);
  const { progress, upload, cancel } = useUpload();
  const [uploaded, setUploaded] = useState(uploadsAtOnce && draft.imageUrl !== null);

  useEffect(() => {
    if (chosen) return () => URL.revokeObjectURL(chosen.preview);
  }, [chosen]);

  function show(next: ChosenFile | null): void {
    latest.current = next;
    setChosen(next);
  }

  async function selectAndUpload(file: File): Promise<void> {
    const next = chosenFile(file);
    show(next);
    try {
      const image = await upload(file);
      if (!image) return;
      const former = current().imageUrl;
      change({ imageUrl: image.src });
      setUploaded(true);
      showUploaded("The image is ready to publish.");
      if (former) void discard(former);
    } catch (error) {
      showToast({ tone: "error", title: "Image upload failed", description: messageOf(error) });
    } finally {
      if (latest.current === next) show(null);
    }
  }

  /** Shows a file immediately, and the former image again when the file cannot be decoded. */
  function selectForLater(file: File, fail: FailPost): void {
    const next = chosenFile(file);
    const former = chosen;
    show(next);
    checkImage(file).catch((error: unknown) => {
      // The preview of a replaced file was revoked, so create a new one.
      if (latest.current === next) show(former && chosenFile(former.file));
      console.error("Uploading the image failed", error);
      fail({ title: "Image upload failed", text: messageOf(error) });
    });
  }

  function replaceBy(imageUrl: string | null): void {
    const former = current().imageUrl;
    cancel();
    show(null);
    setUploaded(false);
    change({ imageUrl });
    if (former && former !== imageUrl && uploadsAtOnce) void discard(former);
  }

  /** The database refuses to remove the file while the stored draft refers to it. */
  async function discard(url: string): Promise<void> {
    if (await session.flush()) await discardUpload(url);
  }

  return {
    preview: chosen?.preview ?? draft.imageUrl,
    progress,
    uploaded: uploaded && (draft.imageUrl !== null || chosen !== null),
    isWaiting: chosen !== null && !uploadsAtOnce,
    isUploading: uploadsAtOnce && chosen !== null,
    select(file: File, fail: FailPost) {
      if (uploadsAtOnce) void selectAndUpload(file);
      else selectForLater(file, fail);
    },
    remove: () => replaceBy(null),
    choose: ({ src }: { src: string }) => replaceBy(src),
    reset() {
      show(null);
      setUploaded(false);
    },
    /**
     * Uploads the chosen file of a published post.
     * @returns its address; null when none was chosen
     * @throws StoppedSave when there is no upload; after a failure the form shows the stored image again
     */
    async upload(): Promise<string | null> {
      if (!chosen || uploadsAtOnce) return null;
      try {
        const image = await upload(chosen.file);
        if (!image) throw new StoppedSave(null);
        setUploaded(true);
        showUploaded("The post is being saved.");
        return image.src;
      } catch (error) {
        if (error instanceof StoppedSave) throw error;
        show(null);
        change({ imageUrl: start.imageUrl });
        throw new StoppedSave({
          title: "Image upload failed",
          text: `The image was not uploaded and the post was not saved. ${messageOf(error)}`,
        });
      }
    },
    /** Called when the upload was removed again because the post was not saved. */
    forgetUpload() {
      setUploaded(false);
    },
  };
}

function showUploaded(description: string): void {
  showToast({ tone: "success", title: "Image Uploaded", description });
}

function chosenFile(file: File): ChosenFile {
  return { file, preview: URL.createObjectURL(file) };
}

/** Reports that an image was removed since its upload, for example because the draft was older than a day. */
export function useReportMissingImage(
  { opened, current, change }: PostEditorState,
  report: () => void,
): void {
  const isChecked = opened.state !== "published";
  const check = useEffectEvent(async () => {
    const { imageUrl } = current();
    if (!imageUrl || (await isImageStored(imageUrl)) || current().imageUrl !== imageUrl) return;
    report();
    change({ imageUrl: null });
  });
  useEffect(() => {
    if (isChecked) void check();
  }, [isChecked]);
}
