import { ImageUp } from "lucide";
import { type ReactNode, type Ref, useId, useState } from "react";
import { type FileError, useDropzone } from "react-dropzone";
import { maxImageMegabytes } from "../../config/image-address.ts";
import { Icon } from "../../ui/icon.ts";
import { Alert } from "../page-parts.tsx";
import { heicHelp } from "./image-file.ts";

const accept = {
  "image/jpeg": [".jpg", ".jpeg"],
  "image/png": [".png"],
  "image/gif": [".gif"],
  "image/webp": [".webp"],
};
/** The bucket's limit for a file. */
const maxSize = maxImageMegabytes * 1024 * 1024;
const minSize = 1;

interface ImageDropzoneProps {
  ref?: Ref<HTMLDivElement>;
  label: string;
  help?: string | undefined;
  hint: string;
  disabled: boolean;
  button?: string;
  className?: string;
  onFile: (file: File) => void;
  /** The image, on which another one can be dropped; null shows the empty zone. */
  image: ((zone: { open: () => void; isDragActive: boolean }) => ReactNode) | null;
  children?: (open: () => void) => ReactNode;
}

export function ImageDropzone(props: ImageDropzoneProps) {
  const { ref, label, help, hint, disabled, className = "", onFile, image, children } = props;
  const { button = "Drop an image here, or choose a file" } = props;
  const id = useId();
  const [refused, setRefused] = useState<string[]>([]);
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    ...{ accept, minSize, maxSize, disabled },
    multiple: false,
    // Keyboard users press the buttons inside. The click of the empty zone's button bubbles up and opens the dialog.
    noKeyboard: true,
    noClick: image !== null,
    getErrorMessage: describeRefusal,
    onDrop([file], rejected) {
      const messages = rejected.flatMap(({ errors }) => errors.map(({ message }) => message));
      setRefused([...new Set(messages)]);
      if (file && rejected.length === 0) onFile(file);
    },
  });
  const look = isDragActive ? "border-evergreen bg-sage" : "border-edge bg-surface hover:bg-sand";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not a drop target in every browser.
    <div
      ref={ref}
      role="group"
      tabIndex={-1}
      aria-labelledby={`${id}-label`}
      aria-describedby={help && `${id}-help`}
    >
      <p id={`${id}-label`} className="text-sm font-semibold">
        {label}
      </p>
      {help && (
        <p id={`${id}-help`} className="text-sm text-muted">
          {help}
        </p>
      )}
      <div {...getRootProps({ className: `mt-1.5 ${className}` })}>
        <input {...getInputProps({ "aria-label": `${label} file` })} />
        {image ? (
          image({ open, isDragActive })
        ) : (
          <div
            className={`flex size-full flex-col items-center justify-center rounded-md border-2 border-dashed px-4 py-4 text-center ${look} ${disabled ? "" : "cursor-pointer"}`}
          >
            <Icon drawing={ImageUp} className="size-6 text-muted" />
            <button
              type="button"
              disabled={disabled}
              aria-describedby={`${id}-hint`}
              className="min-h-10 font-medium underline decoration-clay underline-offset-4"
            >
              <span>{button}</span>
              <span className="sr-only">{` for ${label}`}</span>
            </button>
            <p id={`${id}-hint`} className="text-sm text-muted">
              {hint}
            </p>
          </div>
        )}
      </div>
      {refused.map((message) => (
        <Alert key={message} text={message} />
      ))}
      {children?.(open)}
    </div>
  );
}

/** Replaces the library's messages, which name MIME types and rounded sizes. */
export function describeRefusal(
  error: FileError,
  { name, type }: Pick<File, "name" | "type">,
): string {
  if (error.code === "file-too-large") {
    return `File is larger than ${maxSize} bytes. Choose an image of at most ${maxImageMegabytes} MB.`;
  }
  if (error.code === "file-too-small") {
    return `File is smaller than ${minSize} bytes: it is empty. Choose another one.`;
  }
  if (error.code !== "file-invalid-type") return error.message;
  const isHeic = /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
  return isHeic ? heicHelp : "File type must be JPEG, PNG, WebP or GIF. Choose another file.";
}
