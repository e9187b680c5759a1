import { type FormEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { messageOf } from "../../forms/use-form-submit.ts";
import type { Block } from "../../posts/blocks.tsx";
import { buttonClass } from "../../ui/button.ts";
import { Dialog, DialogActions, useOpenDialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { checkImage, imageTypes } from "../image-file.ts";
import { uploadImage } from "../image-storage.ts";
import { postLimits } from "./post-schema.ts";

interface TextImageDialogProps {
  onInsert: (image: Extract<Block, { type: "image" }>) => void;
  onClose: () => void;
}

/** Uploads an image for the text of a post and asks for its alternative text. Opens when it is rendered. */
export function TextImageDialog({ onInsert, onClose }: TextImageDialogProps) {
  const dialog = useOpenDialog();
  const uploading = useRef<AbortController>(null);
  const [file, setFile] = useState<File | null>(null);
  const [alt, setAlt] = useState("");
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<string>();

  useEffect(() => () => uploading.current?.abort(), []);

  async function insert(event: FormEvent) {
    event.preventDefault();
    // React's events also reach the form of the post, which renders the dialog.
    event.stopPropagation();
    if (!file) return setProblem("Choose an image.");
    if (!alt.trim()) return setProblem("Describe the image for people who can't see it.");
    const controller = new AbortController();
    uploading.current = controller;
    setProblem(undefined);
    setProgress(0);
    try {
      const { width, height } = await checkImage(file);
      const { url } = await uploadImage(file, {
        signal: controller.signal,
        onProgress: setProgress,
      });
      // The field takes no text while the dialog is open.
      dialog.current?.close();
      onInsert({ type: "image", src: url, alt: alt.trim(), width, height });
    } catch (error) {
      if (controller.signal.aborted) return;
      console.error("Uploading the image failed", error);
      setProgress(null);
      setProblem(`The image was not uploaded. ${messageOf(error)}`);
    }
  }

  // A form cannot be inside another form.
  return createPortal(
    <Dialog ref={dialog} title="Insert an image" onClose={onClose}>
      <form noValidate onSubmit={insert} className="mt-5 space-y-5">
        <TextField
          label="Image file"
          type="file"
          accept={Object.keys(imageTypes).join()}
          disabled={progress !== null}
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
        />
        <TextField
          label="Alternative text"
          value={alt}
          maxLength={postLimits.alt}
          disabled={progress !== null}
          onChange={(event) => setAlt(event.target.value)}
        />
        {problem && (
          <p role="alert" className="text-sm font-medium text-danger">
            {problem}
          </p>
        )}
        {progress !== null && (
          <label className="flex items-center gap-3 text-sm">
            Uploading
            <progress value={progress} max={100} className="progress h-2 flex-1" />
          </label>
        )}
        <DialogActions dialog={dialog}>
          <button
            type="submit"
            disabled={progress !== null}
            className={buttonClass("primary", "small")}
          >
            Insert
          </button>
        </DialogActions>
      </form>
    </Dialog>,
    document.body,
  );
}
