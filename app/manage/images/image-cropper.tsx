import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, type IconNode } from "lucide";
import { useId, useRef, useState } from "react";
import Cropper, { type MediaSize, type Point } from "react-easy-crop";
import { Button } from "../button.tsx";
import { Alert, Choice } from "../page-parts.tsx";
// Bundled, because the Content-Security-Policy forbids the style element that the library would add.
import "react-easy-crop/react-easy-crop.css";
import "./image-cropper.css";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import { Dialog, useOpenDialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.ts";
import { DialogActions } from "../confirm-dialog.tsx";
import { type Area, findSizeProblem, type Size, zoomLimit } from "./crop-image.ts";
import type { CheckedImage } from "./image-file.ts";

interface ImageCropperProps {
  label: string;
  image: CheckedImage & { url: string };
  /** Width divided by height. Without it the owner chooses a shape. */
  aspect: number | undefined;
  minWidth: number;
  onCrop: (area: Area) => Promise<void>;
  onCancel: () => void;
}

const shapes = [
  { name: "As it is", aspect: null },
  { name: "Square", aspect: 1 },
  { name: "4:3", aspect: 4 / 3 },
  { name: "16:9", aspect: 16 / 9 },
  { name: "3:1", aspect: 3 },
];

const moves: { name: string; x: number; y: number; icon: IconNode }[] = [
  { name: "Move image left", x: -1, y: 0, icon: ArrowLeft },
  { name: "Move image right", x: 1, y: 0, icon: ArrowRight },
  { name: "Move image up", x: 0, y: -1, icon: ArrowUp },
  { name: "Move image down", x: 0, y: 1, icon: ArrowDown },
];

/** How many screen pixels an arrow key moves the image. */
const moveStep = 8;

export function ImageCropper(props: ImageCropperProps) {
  const { label, image, minWidth, onCrop, onCancel } = props;
  const dialog = useOpenDialog();
  const id = useId();
  const [shape, setShape] = useState(props.aspect ?? image.width / image.height);
  const [position, setPosition] = useState<Point>({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [shown, setShown] = useState<MediaSize>();
  const [frame, setFrame] = useState<Size>();
  const area = useRef<Area>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  const tooSmall = findSizeProblem(image, shape, minWidth);
  const maxZoom = zoomLimit(image, shape, minWidth);

  function choose(aspect: number) {
    setShape(aspect);
    setZoom(1);
    setPosition({ x: 0, y: 0 });
  }

  function move(x: number, y: number) {
    if (!shown || !frame) return;
    const within = (value: number, side: "width" | "height") => {
      const limit = Math.max(0, (shown[side] * zoom - frame[side]) / 2);
      return Math.max(-limit, Math.min(limit, value));
    };
    setPosition({
      x: within(position.x + x * moveStep, "width"),
      y: within(position.y + y * moveStep, "height"),
    });
  }

  async function use() {
    if (!area.current) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await onCrop(area.current);
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  }

  return (
    <Dialog
      ref={dialog}
      title={`Crop: ${label}`}
      description={`Drag the image, or focus it and use the arrow keys.${
        image.type === "image/gif" ? " An animation becomes a still image." : ""
      }`}
      onClose={onCancel}
    >
      <div className="checkered relative mt-4 h-[min(20rem,42vh)] overflow-hidden rounded-md">
        <Cropper
          image={image.url}
          crop={position}
          zoom={zoom}
          aspect={shape}
          maxZoom={maxZoom}
          keyboardStep={moveStep}
          zoomSpeed={0.4}
          onCropChange={setPosition}
          onZoomChange={setZoom}
          onCropAreaChange={(_, pixels) => {
            area.current = pixels;
          }}
          setMediaSize={setShown}
          setCropSize={setFrame}
          disableAutomaticStylesInjection
          classes={{ cropAreaClassName: "crop-frame" }}
          cropperProps={{ role: "application", "aria-label": "Frame: arrow keys move the image" }}
        />
      </div>
      {props.aspect === undefined && (
        <fieldset className="mt-4">
          <legend className="text-sm font-semibold">Shape</legend>
          <div className="mt-1 flex flex-wrap gap-x-5">
            {shapes.map(({ name, aspect }) => (
              <Choice
                key={name}
                type="radio"
                name={`${id}-shape`}
                defaultChecked={aspect === null}
                onChange={() => choose(aspect ?? image.width / image.height)}
              >
                {name}
              </Choice>
            ))}
          </div>
        </fieldset>
      )}
      <div className="mt-4 flex flex-wrap items-end gap-x-6 gap-y-3">
        <label className="min-w-48 flex-1 text-sm font-semibold">
          Zoom
          <span
            className="slider mt-2 block"
            style={{ "--share": maxZoom === 1 ? 0 : (zoom - 1) / (maxZoom - 1) }}
          >
            <input
              type="range"
              min={1}
              max={maxZoom}
              step={0.01}
              value={zoom}
              disabled={maxZoom === 1}
              aria-valuetext={`${Math.round(zoom * 100)} %`}
              onChange={(event) => setZoom(event.target.valueAsNumber)}
            />
            <span />
          </span>
        </label>
        <div className="flex gap-1">
          {moves.map(({ name, x, y, icon }) => (
            <button
              key={name}
              type="button"
              aria-label={name}
              onClick={() => move(x, y)}
              className="flex size-10 items-center justify-center rounded-md border border-edge bg-surface text-evergreen hover:border-evergreen hover:bg-sage"
            >
              <Icon drawing={icon} className="size-4" />
            </button>
          ))}
        </div>
      </div>
      <Alert text={failure ?? tooSmall} className="mt-4" />
      <DialogActions dialog={dialog} className="mt-6">
        <Button look="primary" disabled={busy || tooSmall !== null} onClick={use}>
          {busy ? "Preparing the image..." : "Use image"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
