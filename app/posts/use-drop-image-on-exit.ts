import { useEffect, useRef } from "react";
import { projectUrl, readPublicSettings } from "../supabase/public-settings.ts";
import { imageBucket } from "./image-path.ts";
import type { UploadedImage } from "./image-upload.ts";
import { forgetUnsavedImage } from "./unsaved-images.ts";

/** When the page is closed or reloaded, an uploaded picture that no post refers to is removed with it. */
export function useDropImageOnExit(
  image: UploadedImage | null,
  accessToken: string | undefined,
  onDropped: () => void,
): void {
  const drop = useRef<() => void>(undefined);
  drop.current = () => {
    if (!image || !accessToken) return;
    // The page is going away: only a request that outlives it arrives.
    fetch(`${projectUrl()}/storage/v1/object/${imageBucket}`, {
      method: "DELETE",
      keepalive: true,
      headers: {
        apikey: readPublicSettings().anonKey,
        authorization: `Bearer ${accessToken}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ prefixes: [image.path] }),
    });
    forgetUnsavedImage(image.path);
    onDropped();
  };

  useEffect(() => {
    const onPageHide = () => drop.current?.();
    window.addEventListener("pagehide", onPageHide);
    return () => window.removeEventListener("pagehide", onPageHide);
  }, []);
}
