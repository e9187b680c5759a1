import { useEffect, useRef, useState } from "react";
import type { SiteImage } from "../../config/site-schema.ts";
import { messageOf } from "../../forms/use-form-submit.ts";
import { discardUpload, uploadImage } from "../image-storage.ts";
import type { CroppedImage } from "./crop-image.ts";

export interface ImageUpload extends CroppedImage {
  /** An address of the file in this browser. */
  preview: string;
  /** 0 to 100. */
  progress: number;
  /** Why the upload failed; null while it runs. */
  failure: string | null;
}

/**
 * Uploads the images of one field, one at a time.
 * @param onUploaded receives the image without an alternative text
 */
export function useImageUpload(onUploaded: (image: SiteImage) => void) {
  const [upload, setUpload] = useState<ImageUpload | null>(null);
  const running = useRef<AbortController>(null);
  /** Addresses that this field uploaded since it was shown. */
  const own = useRef(new Set<string>());
  // The field may get another handler while an upload runs.
  const report = useRef(onUploaded);
  report.current = onUploaded;

  useEffect(() => () => running.current?.abort(), []);

  async function send(next: ImageUpload): Promise<void> {
    running.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setUpload({ ...next, progress: 0, failure: null });
    try {
      if (!navigator.onLine) throw new Error("You are offline. Try again when you are connected.");
      const { url } = await uploadImage(next.file, {
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) setUpload({ ...next, progress, failure: null });
        },
      });
      if (signal.aborted) return void discardUpload(url);
      own.current.add(url);
      close(next);
      report.current({ src: url, alt: "", width: next.width, height: next.height });
    } catch (error) {
      if (signal.aborted) return;
      console.warn("Uploading the image failed", error);
      setUpload({ ...next, progress: 0, failure: messageOf(error) });
    }
  }

  function close(finished: ImageUpload): void {
    URL.revokeObjectURL(finished.preview);
    setUpload(null);
  }

  return {
    upload,
    start(image: CroppedImage) {
      if (upload) close(upload);
      void send({
        ...image,
        preview: URL.createObjectURL(image.file),
        progress: 0,
        failure: null,
      });
    },
    retry() {
      if (upload) void send(upload);
    },
    cancel() {
      running.current?.abort();
      if (upload) close(upload);
    },
    /** Removes the file of an image that the field no longer shows, if this field uploaded it. */
    discard(image: SiteImage | null) {
      if (image && own.current.delete(image.src)) void discardUpload(image.src);
    },
  };
}
