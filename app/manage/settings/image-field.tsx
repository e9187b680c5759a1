import { ImageUp } from "lucide";
import { useId, useRef, useState } from "react";
import { type FileRejection, useDropzone } from "react-dropzone";
import type { SiteImage } from "../../config/site-schema.ts";
import { messageOf } from "../../forms/use-form-submit.ts";
import { buttonClass } from "../../ui/button.ts";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.ts";
import { type CheckedImage, checkImage } from "../image-file.ts";
import { type Area, cropImage, findSizeProblem } from "./crop-image.ts";
import { ImageCropper } from "./image-cropper.tsx";
import { ImagePreview } from "./image-preview.tsx";
import { UploadState } from "./upload-state.tsx";
import { useImageUpload } from "./use-image-upload.ts";

interface ImageFieldProps {
  label: string;
  /** What the image is for and where it appears. */
  help?: string;
  value: SiteImage | null;
  onChange: (value: SiteImage | null) => void;
  /** Width divided by height. Without it the owner chooses a shape. */
  aspect?: number;
  /** In pixels, after cropping. */
  minWidth?: number;
  /** Whether the image needs an alternative text. */
  askAlt?: boolean;
}

const accept = {
  "image/jpeg": [".jpg", ".jpeg"],
  "image/png": [".png"],
  "image/gif": [".gif"],
  "image/webp": [".webp"],
};
/** The bucket's limit for a file. */
const maxBytes = 50 * 1024 * 1024;

/** An image of the settings: chosen or dropped, cropped, uploaded, described, replaced, removed. */
export function ImageField(props: ImageFieldProps) {
  const { label, help, value, onChange, aspect, minWidth = 16, askAlt = false } = props;
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const [opening, setOpening] = useState(false);
  const [chosen, setChosen] = useState<(CheckedImage & { url: string }) | null>(null);
  const [problem, setProblem] = useState<string>();
  const [status, setStatus] = useState("");
  const { upload, start, retry, cancel, discard } = useImageUpload((image) => {
    discard(value);
    onChange(image);
    setStatus(`${label} uploaded.`);
    keepFocus();
  });
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    accept,
    minSize: 1,
    maxSize: maxBytes,
    multiple: false,
    noClick: true,
    noKeyboard: true,
    onDrop: (accepted, rejected) => {
      const [first] = rejected;
      setProblem(first && describeRejection(first));
      if (accepted[0] && !first) void openImage(accepted[0]);
    },
  });

  async function openImage(file: File) {
    setOpening(true);
    try {
      const image = await checkImage(file);
      const tooSmall = findSizeProblem(image, aspect ?? image.width / image.height, minWidth);
      if (tooSmall) throw new Error(tooSmall);
      setChosen({ ...image, url: URL.createObjectURL(file) });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setOpening(false);
    }
  }

  function closeCropper() {
    if (chosen) URL.revokeObjectURL(chosen.url);
    setChosen(null);
  }

  async function crop(area: Area) {
    if (!chosen) return;
    const image = await cropImage(chosen.url, chosen.type, area);
    closeCropper();
    setStatus("");
    start(image);
    keepFocus();
  }

  function remove() {
    discard(value);
    onChange(null);
    setStatus(`${label} removed.`);
    keepFocus();
  }

  function cancelUpload() {
    cancel();
    setStatus("Upload cancelled.");
    keepFocus();
  }

  /** The focused control may be about to disappear. */
  function keepFocus() {
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) field.current?.focus();
    });
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be the target of a drop in every browser
    <div
      ref={field}
      role="group"
      tabIndex={-1}
      aria-labelledby={`${id}-label`}
      aria-describedby={help ? `${id}-help` : undefined}
    >
      <p id={`${id}-label`} className="text-sm font-semibold">
        {label}
      </p>
      {help && (
        <p id={`${id}-help`} className="text-sm text-muted">
          {help}
        </p>
      )}
      <div
        {...getRootProps({
          className: `mt-2 rounded-md ${isDragActive ? "outline-3 outline-offset-3 outline-evergreen" : ""}`,
        })}
      >
        <input {...getInputProps({ "aria-label": `${label} file` })} />
        {upload ? (
          <ImagePreview
            label={label}
            src={upload.preview}
            width={upload.width}
            height={upload.height}
            mayBeTransparent={upload.file.type === "image/png"}
          />
        ) : value ? (
          <ImagePreview
            label={label}
            src={value.src}
            width={value.width}
            height={value.height}
            mayBeTransparent={/\.png$/i.test(value.src)}
          />
        ) : (
          <div className="flex flex-col items-center justify-center rounded-md border-2 border-dashed border-edge bg-surface px-4 py-6 text-center">
            <Icon drawing={ImageUp} className="size-8 text-evergreen" />
            <button
              type="button"
              disabled={opening}
              onClick={open}
              className="mt-2 min-h-10 font-medium underline decoration-clay underline-offset-4"
            >
              {opening ? "Opening the image..." : "Drop an image here, or choose a file"}
              <span className="sr-only"> for {label}</span>
            </button>
            <p className="text-sm text-muted">{describeLimits(minWidth)}</p>
          </div>
        )}
      </div>
      {upload ? (
        <UploadState upload={upload} label={label} onRetry={retry} onCancel={cancelUpload} />
      ) : (
        value && (
          <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
            <button
              type="button"
              disabled={opening}
              onClick={open}
              className={buttonClass("secondary", "small")}
            >
              {opening ? "Opening the image..." : "Replace"}
              <span className="sr-only"> {label}</span>
            </button>
            <button type="button" onClick={remove} className={buttonClass("quietDanger", "small")}>
              Remove<span className="sr-only"> {label}</span>
            </button>
            <span className="text-sm text-muted">
              {value.width} × {value.height} pixels
            </span>
          </div>
        )
      )}
      {problem && (
        <p role="alert" className="mt-2 text-sm font-medium text-danger">
          {problem}
        </p>
      )}
      <p role="status" className="sr-only">
        {status}
      </p>
      {askAlt && value && !upload && (
        <div className="mt-4">
          <TextField
            label={
              <>
                Alternative text
                <span className="block font-normal text-muted">
                  What the image shows, for people who cannot see it.
                </span>
              </>
            }
            value={value.alt}
            maxLength={300}
            onChange={(event) => onChange({ ...value, alt: event.target.value })}
          />
        </div>
      )}
      {chosen && (
        <ImageCropper
          label={label}
          image={chosen}
          aspect={aspect}
          minWidth={minWidth}
          onCrop={crop}
          onCancel={closeCropper}
        />
      )}
    </div>
  );
}

function describeLimits(minWidth: number): string {
  const width = minWidth > 16 ? `, at least ${minWidth} pixels wide` : "";
  return `JPEG, PNG, WebP or GIF${width}`;
}

function describeRejection({ errors }: FileRejection): string {
  switch (errors[0]?.code) {
    case "file-too-large":
      return "The image is too large: at most 50 MB.";
    case "file-too-small":
      return "This file is empty. Please choose another file.";
    case "too-many-files":
      return "Please drop one image at a time.";
    default:
      return "This file is not a JPEG, PNG, GIF or WebP picture.";
  }
}
