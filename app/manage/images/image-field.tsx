import { useRef, useState } from "react";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import type { SiteImage } from "../../config/site-schema.ts";
import { TextField } from "../../ui/field.tsx";
import { Image } from "../../ui/image.tsx";
import { Button } from "../button.tsx";
import { Alert } from "../page-parts.tsx";
import { type Area, type CroppedImage, cropImage, findSizeProblem } from "./crop-image.ts";
import { ImageCropper } from "./image-cropper.tsx";
import { ImageDropzone } from "./image-dropzone.tsx";
import { type CheckedImage, checkImage } from "./image-file.ts";
import { discardUpload } from "./image-storage.ts";
import { UploadProgress } from "./upload-progress.tsx";
import { useUpload } from "./use-upload.ts";

interface ImageFieldProps {
  label: string;
  help?: string;
  value: SiteImage | null;
  onChange: (value: SiteImage | null) => void;
  /** Width divided by height. Without it the owner chooses a shape. */
  aspect?: number;
  /** The minimum width in pixels, after cropping. */
  minWidth?: number;
  askAlt?: boolean;
}

interface NewImage extends CroppedImage {
  preview: string;
}

export function ImageField(props: ImageFieldProps) {
  const { label, help, value, onChange, aspect, minWidth = 16, askAlt = false } = props;
  const field = useRef<HTMLDivElement>(null);
  const [opening, setOpening] = useState(false);
  const [chosen, setChosen] = useState<(CheckedImage & { url: string }) | null>(null);
  const [problem, setProblem] = useState<string>();
  const [status, setStatus] = useState("");
  const { progress, upload, cancel } = useUpload();
  const [cropped, setCropped] = useState<NewImage | null>(null);
  const [failure, setFailure] = useState<string>();
  /** The addresses of files that this field has uploaded. */
  const uploaded = useRef(new Set<string>());

  async function openImage(file: File) {
    setOpening(true);
    setProblem(undefined);
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
    if (cropped) URL.revokeObjectURL(cropped.preview);
    void send({ ...image, preview: URL.createObjectURL(image.file) });
  }

  async function send(image: NewImage) {
    setStatus("");
    setFailure(undefined);
    setCropped(image);
    keepFocus();
    try {
      const stored = await upload(image.file);
      if (!stored) return;
      uploaded.current.add(stored.src);
      URL.revokeObjectURL(image.preview);
      setCropped(null);
      replace({ ...stored, alt: "" }, `${label} uploaded.`);
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  function replace(image: SiteImage | null, done: string) {
    // Keeps the file of an image that was published.
    if (value && uploaded.current.delete(value.src)) void discardUpload(value.src);
    onChange(image);
    setStatus(done);
    keepFocus();
  }

  function cancelUpload() {
    cancel();
    if (cropped) URL.revokeObjectURL(cropped.preview);
    setCropped(null);
    setStatus("Upload cancelled.");
    keepFocus();
  }

  /** Moves the focus to the field if the focused control disappears. */
  function keepFocus() {
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) field.current?.focus();
    });
  }

  const shown = cropped ? { ...cropped, src: cropped.preview } : value;
  return (
    <ImageDropzone
      ref={field}
      label={label}
      help={help}
      hint={describeLimits(minWidth)}
      disabled={opening}
      {...(opening && { button: "Opening the image..." })}
      onFile={(file) => void openImage(file)}
      image={
        shown &&
        (({ isDragActive }) => (
          <div
            className={`rounded-md ${isDragActive ? "outline-3 outline-offset-3 outline-evergreen" : ""}`}
          >
            <Preview label={label} image={shown} />
          </div>
        ))
      }
    >
      {(open) => (
        <>
          {progress !== null ? (
            <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
              <UploadProgress percent={progress} />
              <Button of={`the upload of ${label}`} onClick={cancelUpload}>
                Cancel
              </Button>
            </div>
          ) : cropped ? (
            <>
              <Alert text={`The image was not uploaded. ${failure}`} />
              <div className="mt-2 flex flex-wrap gap-3">
                <Button look="primary" of={`to upload ${label}`} onClick={() => void send(cropped)}>
                  Try again
                </Button>
                <Button of={`the new ${label}`} onClick={cancelUpload}>
                  Discard
                </Button>
              </div>
            </>
          ) : (
            value && (
              <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
                <Button of={label} disabled={opening} onClick={open}>
                  {opening ? "Opening the image..." : "Replace"}
                </Button>
                <Button
                  look="quietDanger"
                  of={label}
                  onClick={() => replace(null, `${label} removed.`)}
                >
                  Remove
                </Button>
                <span className="text-sm text-muted">
                  {`${value.width} × ${value.height} pixels`}
                </span>
              </div>
            )
          )}
          <Alert text={problem} />
          <p role="status" className="sr-only">
            {status}
          </p>
          {askAlt && value && !cropped && (
            <div className="mt-4">
              <TextField
                label={
                  <>
                    <span>Alternative text</span>
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
        </>
      )}
    </ImageDropzone>
  );
}

/** An image as pages show it. One that can be transparent is shown on a light and on a dark background. */
function Preview({
  label,
  image,
}: {
  label: string;
  image: { src: string; width: number; height: number; file?: Blob };
}) {
  const { src, width, height, file } = image;
  const mayBeTransparent = file ? file.type === "image/png" : /\.png$/i.test(src);
  const backgrounds = mayBeTransparent
    ? [
        { name: " on a light background", look: "bg-cream" },
        { name: " on a dark background", look: "bg-deep" },
      ]
    : [{ name: "", look: "bg-sand" }];
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      {backgrounds.map(({ name, look }) => (
        <div
          key={name}
          className={`flex h-44 items-center justify-center overflow-hidden rounded-md border border-line p-3 ${look}`}
        >
          <Image
            src={src}
            width={width}
            height={height}
            alt={`${label}${name}`}
            sizes="20rem"
            maxWidth={800}
            className="max-h-full w-auto max-w-full object-contain"
          />
        </div>
      ))}
    </div>
  );
}

function describeLimits(minWidth: number): string {
  const width = minWidth > 16 ? `, at least ${minWidth} pixels wide` : "";
  return `JPEG, PNG, WebP or GIF${width}`;
}
