import { useState } from "react";
import { createPortal } from "react-dom";
import { z } from "zod";
import { imageAddress, uploads } from "../../config/image-address.ts";
import { parseBlocks } from "../../posts/blocks.tsx";
import { generatedAlt } from "../../posts/posts.ts";
import type { Client } from "../../supabase/client-context.ts";
import { Dialog, useOpenDialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { imageTypes, loadSize } from "../images/image-file.ts";
import { toReference } from "../images/image-reference.ts";
import type { UploadedImage } from "../images/image-storage.ts";
import { useLiveQuery } from "../live-query.ts";
import { Alert } from "../page-parts.tsx";

interface ListedImage {
  src: string;
  alt: string;
}

/** The images that ship with the site, for posts of any firm. */
const shippedImages: ListedImage[] = [
  ["posts/kitchen-table", "A kitchen table by a window"],
  ["posts/lit-window", "A lit window in the evening"],
  ["posts/two-chairs", "Two chairs outdoors"],
  ["posts/old-oak", "An old oak"],
  ["posts/lighthouse", "A lighthouse by the sea"],
  ["posts/harbor-boats", "Boats in a harbor"],
  ["neutral/fallback-family", "A drawing for posts about families"],
  ["neutral/fallback-life-insurance", "A drawing for posts about life insurance"],
  ["neutral/fallback-retirement", "A drawing for posts about retirement"],
  ["neutral/fallback-estate", "A drawing for posts about estates"],
  ["neutral/fallback-taxes", "A drawing for posts about taxes"],
  ["neutral/fallback-general", "A drawing for posts about any subject"],
].map(([name, alt = ""]) => ({ src: `/images/${name}.svg`, alt }));

/** What is read of a draft, which may lack everything. */
const draftSchema = z.object({
  title: z.string().catch(""),
  image_url: z.nullable(z.string()).catch(null),
  alt: z.string().catch(""),
  content: z.json().catch([]),
});

async function readDrafts(client: Client) {
  const drafts = client.from("drafts").select("document").neq("kind", "section");
  const { data, error } = await drafts.order("saved_at", { ascending: false }).range(0, 49);
  return { data: data?.map(({ document }) => draftSchema.parse(document)) ?? [], error };
}

async function readUploads(client: Client): Promise<ListedImage[]> {
  const columns = "title, image_url, alt, content";
  const newestFirst = { ascending: false };
  const rows = await Promise.all([
    readDrafts(client),
    client.from("posts").select(columns).order("created_at", newestFirst).range(0, 49),
  ]);
  const found = new Map<string, ListedImage>();
  for (const { data, error } of rows) {
    if (error) throw error;
    for (const { title, image_url, alt, content } of data) {
      const own = alt === generatedAlt(title) ? "" : alt;
      const featured = { src: toReference(image_url) ?? "", alt: own };
      const inText = parseBlocks(content).filter((block) => block.type === "image");
      for (const { src, alt } of [featured, ...inText]) {
        if (src.startsWith(uploads) && !found.get(src)?.alt) found.set(src, { src, alt });
      }
    }
  }
  return [...found.values()];
}

type ChosenImage = UploadedImage & { alt: string };

interface ImageDialogProps {
  onFile?: (file: File) => void;
  onChoose: (image: ChosenImage) => void;
  onClose: () => void;
}

/** Takes a file, or an image that was used before or ships with the site. Opens when it is rendered. */
export function ImageDialog({ onFile, onChoose, onClose }: ImageDialogProps) {
  const dialog = useOpenDialog();
  const { value: uploaded = [] } = useLiveQuery({ key: ["images"], read: readUploads });

  function choose(image: ChosenImage) {
    dialog.current?.close();
    onChoose(image);
  }

  return createPortal(
    <Dialog ref={dialog} title={onFile ? "Add an image" : "Choose an image"} onClose={onClose}>
      <div className="mt-5 space-y-6">
        {onFile && (
          <TextField
            label="A file from this device"
            type="file"
            accept={Object.keys(imageTypes).join()}
            onChange={({ target: { files } }) => {
              dialog.current?.close();
              if (files?.[0]) onFile(files[0]);
            }}
          />
        )}
        <ImageChoice heading="Your images" images={uploaded} onChoose={choose} />
        <ImageChoice heading="Images of this site" images={shippedImages} onChoose={choose} />
      </div>
    </Dialog>,
    document.body,
  );
}

interface ImageChoiceProps {
  heading: string;
  images?: readonly ListedImage[];
  disabled?: boolean;
  onChoose: (image: ChosenImage) => void;
}

export function ImageChoice(props: ImageChoiceProps) {
  const { heading, images = shippedImages, disabled, onChoose } = props;
  const [failed, setFailed] = useState(false);
  if (images.length === 0) return null;

  async function choose(image: ListedImage) {
    try {
      const { naturalWidth: width, naturalHeight: height } = await loadSize(
        imageAddress(image.src, 1600),
      );
      onChoose({ ...image, width, height });
    } catch {
      setFailed(true);
    }
  }

  return (
    <fieldset disabled={disabled}>
      <legend className="text-sm font-semibold">{heading}</legend>
      <div className="mt-2 grid max-h-72 grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-2 overflow-y-auto p-1">
        {images.map((image) => (
          <button
            key={image.src}
            type="button"
            onClick={() => choose(image)}
            className="overflow-hidden rounded-md border border-line hover:border-evergreen"
          >
            <img
              src={imageAddress(image.src, "320x180")}
              alt={image.alt || "Image without a description"}
              loading="lazy"
              className="aspect-video w-full object-cover"
            />
          </button>
        ))}
      </div>
      <Alert text={failed ? "This image could not be loaded. Choose another one." : null} />
    </fieldset>
  );
}
