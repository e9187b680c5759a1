import { ImageUp, X } from "lucide";
import { useState } from "react";
import { imageAddress } from "../../config/image-address.ts";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { ImageChoice, ImageDialog } from "../content/image-dialog.tsx";
import { ImageDropzone } from "../images/image-dropzone.tsx";
import { UploadProgress } from "../images/upload-progress.tsx";
import type { FailPost } from "./post-failures.ts";
import type { FeaturedImage } from "./use-featured-image.ts";

interface FeaturedImageFieldProps {
  image: FeaturedImage;
  disabled: boolean;
  onFail: FailPost;
}

export function FeaturedImageField({ image, disabled, onFail }: FeaturedImageFieldProps) {
  const { preview, progress, uploaded } = image;
  const [isChoosing, setChoosing] = useState(false);
  return (
    <ImageDropzone
      label="Featured Image"
      hint="PNG, JPG, GIF up to 10MB"
      disabled={disabled}
      className="aspect-video"
      onFile={(file) => image.select(file, onFail)}
      image={
        preview === null
          ? null
          : ({ open, isDragActive }) => (
              <div className="relative size-full overflow-hidden rounded-md border border-line bg-sage">
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
                    onClick={image.remove}
                    disabled={disabled && progress === null}
                    aria-label={
                      progress === null ? "Remove image" : "Cancel upload and remove image"
                    }
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
              </div>
            )
      }
    >
      {() => (
        <>
          {!preview && (
            <div className="mt-3">
              <ImageChoice heading="Or one of these" disabled={disabled} onChoose={image.choose} />
            </div>
          )}
          <Button className="mt-3" disabled={disabled} onClick={() => setChoosing(true)}>
            Your images…
          </Button>
          {isChoosing && <ImageDialog onChoose={image.choose} onClose={() => setChoosing(false)} />}
        </>
      )}
    </ImageDropzone>
  );
}
