import type { Site } from "../../config/use-site.ts";

/** Sent by the preview's window when it can receive settings. */
export const previewReady = "settings-preview-ready";

export interface PreviewMessage {
  site: Site;
  /** Whether the dark version is shown, whatever the device is set to. */
  isDark: boolean;
  /** The id of the element to scroll to at first, or "end". */
  anchor: string | undefined;
}
