import { ImageUp, X } from "lucide";
import { useState } from "react";
import { type FileError, type FileRejection, useDropzone } from "react-dropzone";
import { imageAddress, maxImageMegabytes } from "../../config/image-address.ts";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { dropOptions } from "../images/image-file.ts";
import { UploadProgress } from "../images/upload-progress.tsx";
import { ImageChoice, ImageDialog } from "./editor/image-dialog.tsx";

interface ImageFieldProps {
  /** The shown image, or a file in this browser; null shows the empty drop zone. */
  preview: string | null;
  /** 0 to 100 during an upload, else null. */
  progress: number | null;
  /** Whether the upload is complete. */
  uploaded: boolean;
  disabled: boolean;
  onSelect: (file: File) => void;
  /** Called with an image that is stored already. */
  onChoose: (image: { src: string }) => void;
  onRemove: () => void;
}

/** The featured image: a drop zone for one file, its preview and the upload progress. */
export function ImageField(props: ImageFieldProps) {
  const { preview, progress, uploaded, disabled, onSelect, onChoose, onRemove } = props;
  const [isChoosing, setChoosing] = useState(false);
  const [problems, setProblems] = useState<string[]>([]);
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    ...dropOptions,
    disabled,
    // In the empty zone, the click of the button bubbles up and opens the dialog.
    noClick: preview !== null,
    getErrorMessage: inBytes,
    onDrop: (accepted, rejected) => {
      setProblems(messagesOf(rejected));
      if (accepted[0] && rejected.length === 0) onSelect(accepted[0]);
    },
  });
  const look = preview
    ? "relative overflow-hidden border border-line bg-sage"
    : `flex flex-col items-center justify-center border-2 border-dashed px-6 text-center ${
        isDragActive ? "border-evergreen bg-sage" : "border-edge bg-surface hover:bg-sand"
      } ${disabled ? "" : "cursor-pointer"}`;

  return (
    <div>
      <span id="image-label" className="text-sm font-semibold">
        Featured Image
      </span>
      <div
        {...getRootProps({
          role: "group",
          "aria-labelledby": "image-label",
          className: `mt-1.5 aspect-video rounded-md ${look}`,
        })}
      >
        <input {...getInputProps({ "aria-label": "Featured image file" })} />
        {preview ? (
          <>
            <img
              src={imageAddress(preview, 1200)}
              alt="Featured image, as it will be shown"
              className="size-full object-cover"
            />
            <div className="absolute top-3 right-3 flex gap-2">
              <button
                type="button"
                onClick={open}
                disabled={disabled}
                className="flex h-10 items-center gap-2 rounded-full bg-deep/90 px-4 text-sm font-medium text-cream hover:bg-deep"
              >
                <Icon drawing={ImageUp} className="size-4" />
                Replace<span className="sr-only"> image</span>
              </button>
              <button
                type="button"
                onClick={onRemove}
                disabled={disabled && progress === null}
                aria-label={progress === null ? "Remove image" : "Cancel upload and remove image"}
                className="flex size-10 items-center justify-center rounded-full bg-deep/90 text-cream hover:bg-deep"
              >
                <Icon drawing={X} className="size-5" />
              </button>
            </div>
            {progress !== null && (
              <div className="absolute inset-x-0 bottom-0 bg-deep/90 px-4 py-3 text-cream">
                <UploadProgress percent={progress} />
              </div>
            )}
            {uploaded && progress === null && (
              <p className="absolute bottom-3 left-3 rounded-full bg-deep/90 px-3 py-1 text-sm text-cream">
                Image Uploaded
              </p>
            )}
            {isDragActive && (
              <p className="absolute inset-0 flex items-center justify-center border-2 border-dashed border-evergreen bg-sage/90 font-medium">
                Drop the image to replace this one
              </p>
            )}
          </>
        ) : (
          <>
            <Icon drawing={ImageUp} className="size-8 text-evergreen" />
            <button
              type="button"
              disabled={disabled}
              aria-describedby="image-label image-hint"
              className="mt-3 min-h-6 font-medium underline decoration-clay underline-offset-4"
            >
              Drop a picture here, or choose a file
            </button>
            <p id="image-hint" className="mt-1 text-sm text-muted">
              PNG, JPG, GIF up to 10MB
            </p>
          </>
        )}
      </div>
      {!preview && (
        <div className="mt-3">
          <ImageChoice heading="Or one of these" disabled={disabled} onChoose={onChoose} />
        </div>
      )}
      <Button className="mt-3" disabled={disabled} onClick={() => setChoosing(true)}>
        Your images…
      </Button>
      {isChoosing && <ImageDialog onChoose={onChoose} onClose={() => setChoosing(false)} />}
      {problems.map((problem) => (
        <p key={problem} role="alert" className="mt-2 text-sm font-medium text-danger">
          {problem}
        </p>
      ))}
    </div>
  );
}

/** Sizes are in bytes. The hint says less than the limit, so a file that is refused names it. */
function inBytes(error: FileError): string {
  if (error.code === "file-too-large") {
    return `File is larger than ${dropOptions.maxSize} bytes (${maxImageMegabytes} MB)`;
  }
  if (error.code === "file-too-small") return `File is smaller than ${dropOptions.minSize} bytes`;
  return error.message;
}

function messagesOf(rejected: readonly FileRejection[]): string[] {
  return [...new Set(rejected.flatMap(({ errors }) => errors.map(({ message }) => message)))];
}
