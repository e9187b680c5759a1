import { buttonClass } from "../../ui/button.ts";
import type { ImageUpload } from "./use-image-upload.ts";

interface UploadStateProps {
  upload: ImageUpload;
  label: string;
  onRetry: () => void;
  onCancel: () => void;
}

/** The progress of an upload, or why it failed and what can be done. */
export function UploadState({ upload, label, onRetry, onCancel }: UploadStateProps) {
  if (upload.failure === null) {
    return (
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <label className="flex min-w-48 flex-1 items-center gap-3 text-sm">
          Uploading
          <progress value={upload.progress} max={100} className="progress h-2 min-w-0 flex-1" />
          <span className="w-11 text-right tabular-nums">{upload.progress}%</span>
        </label>
        <button type="button" onClick={onCancel} className={buttonClass("secondary", "small")}>
          Cancel<span className="sr-only"> the upload of {label}</span>
        </button>
      </div>
    );
  }
  return (
    <>
      <p role="alert" className="mt-3 text-sm font-medium text-danger">
        The image was not uploaded. {upload.failure}
      </p>
      <div className="mt-2 flex flex-wrap gap-3">
        <button type="button" onClick={onRetry} className={buttonClass("primary", "small")}>
          Try again<span className="sr-only"> to upload {label}</span>
        </button>
        <button type="button" onClick={onCancel} className={buttonClass("secondary", "small")}>
          Discard<span className="sr-only"> the new {label}</span>
        </button>
      </div>
    </>
  );
}
