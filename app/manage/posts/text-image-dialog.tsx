import { type FormEvent, useState } from "react";
import { createPortal } from "react-dom";
import { messageOf } from "../../forms/use-form-submit.ts";
import type { Block } from "../../posts/blocks.tsx";
import { Dialog, useOpenDialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { DialogActions } from "../confirm-dialog.tsx";
import { imageTypes } from "../images/image-file.ts";
import { UploadProgress } from "../images/upload-progress.tsx";
import { useUpload } from "../images/use-upload.ts";
import { postLimits } from "./post-schema.ts";

interface TextImageDialogProps {
  onInsert: (image: Extract<Block, { type: "image" }>) => void;
  onClose: () => void;
}

/** Uploads an image for the text of a post and asks for its alternative text. Opens when it is rendered. */
export function TextImageDialog({ onInsert, onClose }: TextImageDialogProps) {
  const dialog = useOpenDialog();
  const [file, setFile] = useState<File | null>(null);
  const [alt, setAlt] = useState("");
  const { progress, upload } = useUpload();
  const [problem, setProblem] = useState<string>();

  async function insert(event: FormEvent) {
    event.preventDefault();
    // React also sends events to the form of the post, which renders the dialog.
    event.stopPropagation();
    if (!file) return setProblem("Choose an image.");
    if (!alt.trim()) return setProblem("Describe the image for people who can't see it.");
    setProblem(undefined);
    try {
      const image = await upload(file);
      if (!image) return;
      // The content field accepts no text while the dialog is open.
      dialog.current?.close();
      onInsert({ type: "image", ...image, alt: alt.trim() });
    } catch (error) {
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
        {progress !== null && <UploadProgress percent={progress} />}
        <DialogActions dialog={dialog}>
          <Button look="primary" type="submit" disabled={progress !== null}>
            Insert
          </Button>
        </DialogActions>
      </form>
    </Dialog>,
    document.body,
  );
}
