import type { Node } from "@tiptap/pm/model";
import { findTable } from "@tiptap/pm/tables";
import {
  type Editor,
  type JSONContent,
  type NodeViewProps,
  NodeViewWrapper,
  ReactNodeViewRenderer,
} from "@tiptap/react";
import { useEffect, useEffectEvent, useState } from "react";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import { toOneLine } from "../../../supabase/functions/_shared/one-line.ts";
import { ContentImage } from "../../posts/blocks.tsx";
import { newId } from "../../supabase/new-id.ts";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { maxAltLength } from "../images/image-reference.ts";
import { UploadProgress } from "../images/upload-progress.tsx";
import { useUpload } from "../images/use-upload.ts";
import { Alert, SelectField } from "../page-parts.tsx";
import { imageSizeNames } from "./block-types.ts";
import { image } from "./editor-schema.ts";
import { ImageDialog } from "./image-dialog.tsx";

/** The files that are being uploaded, by the name in their node. */
const files = new Map<string, File>();

/** Inserts an image at the cursor, which continues behind it. */
export function insertImage(editor: Editor, attrs: JSONContent["attrs"]): void {
  const nodes = [{ type: "image", attrs }, { type: "paragraph" }];
  const table = findTable(editor.state.selection.$from);
  const chain = editor.chain().focus();
  // The cells of a table have no images.
  (table
    ? chain.insertContentAt(table.pos + table.node.nodeSize, nodes)
    : chain.insertContent(nodes)
  ).run();
}

export function insertFile(editor: Editor, file: File): void {
  insertImage(editor, { upload: waitingUpload(file) });
}

function waitingUpload(file: File): string {
  const name = newId();
  files.set(name, file);
  return name;
}

export function isUploading(document: Node): boolean {
  return document.content.content.some(({ type, attrs }) => type.name === "image" && !attrs.src);
}

export const EditorImage = image.extend({
  addNodeView: () => ReactNodeViewRenderer(ImageView),
});

function ImageView({
  node,
  editor,
  selected,
  getPos,
  updateAttributes,
  deleteNode,
}: NodeViewProps) {
  const { src, alt, width, height, size } = node.attrs;
  const file = files.get(node.attrs.upload);
  const { progress, upload } = useUpload();
  const [failure, setFailure] = useState<string>();
  const [isChoosing, setChoosing] = useState(false);

  async function start(): Promise<void> {
    if (!file) return setFailure("Its upload was interrupted.");
    setFailure(undefined);
    try {
      const uploaded = await upload(file);
      const at = getPos();
      if (!uploaded || at === undefined) return;
      // Undo takes the image away, never its upload alone.
      editor.commands.command(({ tr }) => {
        const attributes = { ...tr.doc.nodeAt(at)?.attrs, ...uploaded, upload: null };
        tr.setNodeMarkup(at, undefined, attributes);
        return Boolean(tr.setMeta("addToHistory", false));
      });
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  const onMissing = useEffectEvent(() => void start());
  useEffect(() => {
    if (!src) onMissing();
  }, [src]);

  return (
    <NodeViewWrapper
      data-drag-handle
      className={`my-10 rounded-lg text-base ${selected ? "outline-3 outline-offset-4 outline-evergreen" : ""}`}
    >
      {src && <ContentImage image={{ src, alt, width, height, size }} />}
      <div className="mt-3 space-y-3 rounded-md bg-sand p-4">
        {progress !== null && <UploadProgress percent={progress} />}
        <Alert text={failure && `The image was not uploaded. ${failure}`} />
        <TextField
          label="Describe the image for people who cannot see it"
          value={alt}
          maxLength={maxAltLength}
          disabled={!editor.isEditable}
          onChange={(event) => updateAttributes({ alt: toOneLine(event.target.value) })}
          // The form would be sent.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
        <div className="flex flex-wrap items-end justify-between gap-3 text-sm text-muted">
          <SelectField
            label="Size"
            value={size ?? ""}
            none="As wide as the text"
            options={Object.entries(imageSizeNames)}
            disabled={!editor.isEditable}
            onChange={(event) => updateAttributes({ size: event.target.value || null })}
          />
          <span className="grow py-2">{src && `${width} × ${height} pixels`}</span>
          {failure && file && <Button onClick={() => void start()}>Try again</Button>}
          {src && (
            <Button disabled={!editor.isEditable} onClick={() => setChoosing(true)}>
              Replace image
            </Button>
          )}
          <Button look="quietDanger" disabled={!editor.isEditable} onClick={deleteNode}>
            {progress === null ? "Remove image" : "Cancel upload"}
          </Button>
        </div>
      </div>
      {isChoosing && (
        <ImageDialog
          // Its former description is of another image.
          onFile={(chosen) =>
            updateAttributes({ src: null, alt: "", upload: waitingUpload(chosen) })
          }
          onChoose={(chosen) => updateAttributes(chosen)}
          onClose={() => setChoosing(false)}
        />
      )}
    </NodeViewWrapper>
  );
}
