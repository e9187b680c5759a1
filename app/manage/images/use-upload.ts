import { useEffect, useRef, useState } from "react";
import { discardUpload, type UploadedImage, uploadImage } from "./image-storage.ts";

/** Uploads one image at a time while the component is mounted. */
export function useUpload() {
  /** The progress of an upload, 0 to 100. */
  const [progress, setProgress] = useState<number | null>(null);
  const running = useRef<AbortController>(null);

  function cancel(): void {
    running.current?.abort();
    running.current = null;
    setProgress(null);
  }

  useEffect(() => () => running.current?.abort(), []);

  /** @returns null after a cancellation. @throws an Error with a message for the owner */
  async function upload(file: Blob): Promise<UploadedImage | null> {
    cancel();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setProgress(0);
    try {
      if (!navigator.onLine) throw new Error("You are offline. Try again when you are connected.");
      const image = await uploadImage(file, {
        signal,
        onProgress: (percent) => !signal.aborted && setProgress(percent),
      });
      if (!signal.aborted) return image;
      void discardUpload(image.src);
      return null;
    } catch (error) {
      if (signal.aborted) return null;
      console.error("Uploading the image failed", error);
      throw error;
    } finally {
      if (running.current === controller) cancel();
    }
  }

  return { progress, upload, cancel };
}
