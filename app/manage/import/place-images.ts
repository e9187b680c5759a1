// Puts images in the place of the links that an import left for them.
import { cellsOf, parseBlocks } from "../../posts/blocks.tsx";
import { type Mark, parseMarks } from "../../posts/formatted-text.tsx";
import type { Json } from "../../supabase/database.ts";
import { slice } from "../content/read-text.ts";
import { maxAltLength } from "../images/image-reference.ts";
import type { UploadedImage } from "../images/image-storage.ts";
import type { NamedImage } from "./post-html.ts";

interface ReadText {
  text: string;
  marks: Mark[];
}

/** What a block or a part of it becomes without its links to images. */
interface Extracted<Value> {
  value: Value;
  images: NamedImage[];
}

type JsonObject = { [key: string]: Json | undefined };

/** The images that the content of a post still has as links, each once. */
export function linkedImages(content: Json, images: readonly NamedImage[]): NamedImage[] {
  return [...new Set(blocksOf(content).flatMap((block) => extract(block, images).images))];
}

/**
 * The content with an image block in the place of each link to an uploaded image. All other blocks stay as they are.
 * @param uploads by the address on the other site
 */
export function placeImages(
  content: Json,
  images: readonly NamedImage[],
  uploads: ReadonlyMap<string, UploadedImage>,
): Json[] {
  const uploaded = images.filter(({ address }) => uploads.has(address));
  return blocksOf(content).flatMap((block) => {
    const found = extract(block, uploaded);
    if (found.images.length === 0) return [block];
    if (isObject(block) && block.type === "paragraph") return divide(block);
    // Others keep their parts together.
    return [...(isEmpty(found.value) ? [] : [found.value]), ...found.images.map(toBlock)];
  });

  /** A paragraph before, between and after its images. */
  function divide(paragraph: JsonObject): Json[] {
    const whole = readText(paragraph.text, paragraph.marks);
    const blocks: Json[] = [];
    let start = 0;
    for (const { image, mark } of findLinks(whole, uploaded)) {
      blocks.push(withText(paragraph, slice(whole, start, mark.start)), toBlock(image));
      start = mark.end;
    }
    blocks.push(withText(paragraph, slice(whole, start, whole.text.length)));
    return blocks.filter((block) => !isEmpty(block));
  }

  function toBlock({ address, alt }: NamedImage): Json {
    const upload = uploads.get(address);
    return { type: "image", ...upload, alt: [...alt].slice(0, maxAltLength).join("") };
  }
}

function withText(block: JsonObject, { text, marks }: ReadText): JsonObject {
  const { marks: _, ...rest } = block;
  return { ...rest, text, ...(marks.length > 0 && { marks }) };
}

function findLinks(whole: ReadText, images: readonly NamedImage[]) {
  return whole.marks.flatMap((mark) => {
    if (mark.type !== "link") return [];
    const label = whole.text.slice(mark.start, mark.end);
    const image = images.find(
      ({ address, alt }) =>
        address === mark.href && [alt || "Image", "Image"].includes(oneLine(label)),
    );
    return image ? [{ image, mark }] : [];
  });
}

function extract(value: Json, images: readonly NamedImage[]): Extracted<Json> {
  if (Array.isArray(value)) {
    const parts = value.map((each) => extract(each, images));
    return { value: parts.map((part) => part.value), images: parts.flatMap((part) => part.images) };
  }
  if (!isObject(value)) return { value, images: [] };
  if (typeof value.text === "string") {
    const found = extractText(readText(value.text, value.marks), images);
    if (found.images.length === 0) return { value, images: [] };
    return { value: withText(value, found.value), images: found.images };
  }
  if (Array.isArray(value.items)) return extractItems(value, value.items, images);
  if (value.type === "table") return extractCells(value, images);
  const entries = Object.entries(value).flatMap(([key, each]) =>
    each === undefined ? [] : [{ key, ...extract(each, images) }],
  );
  return {
    value: Object.fromEntries(entries.map(({ key, value: each }) => [key, each])),
    images: entries.flatMap((entry) => entry.images),
  };
}

/** The items of a list have their marks beside them. */
function extractItems(
  list: JsonObject,
  items: Json[],
  images: readonly NamedImage[],
): Extracted<Json> {
  const itemMarks = Array.isArray(list.itemMarks) ? list.itemMarks : [];
  const found = items.map((item, index) => extractText(readText(item, itemMarks[index]), images));
  const kept = found.filter(({ value, images: own }) => value.text || own.length === 0);
  return {
    value: {
      ...list,
      items: kept.map(({ value }) => value.text),
      itemMarks: kept.map(({ value }) => value.marks),
    },
    images: found.flatMap((each) => each.images),
  };
}

/** The cells of a table have their marks beside them, and stay where they are. */
function extractCells(table: JsonObject, images: readonly NamedImage[]): Extracted<Json> {
  const [block] = parseBlocks([table]);
  if (block?.type !== "table") return { value: table, images: [] };
  const found = cellsOf(block).map((row) =>
    row.map(({ text, marks = [] }) => extractText({ text, marks: [...marks] }, images)),
  );
  return {
    value: {
      ...table,
      rows: found.map((row) => row.map(({ value }) => value.text)),
      rowMarks: found.map((row) => row.map(({ value }) => value.marks)),
    },
    images: found.flat().flatMap((cell) => cell.images),
  };
}

function extractText(whole: ReadText, images: readonly NamedImage[]): Extracted<ReadText> {
  const links = findLinks(whole, images);
  // From the end, so that the offsets before a link stay.
  const value = links.toReversed().reduce((text, { mark }) => without(text, mark), whole);
  return {
    value: links.length > 0 ? slice(value, 0, value.text.length) : whole,
    images: links.map(({ image }) => image),
  };
}

function without({ text, marks }: ReadText, link: Mark): ReadText {
  const { start } = link;
  // Of a space on both sides, one stays.
  const end =
    link.end + (/\s$/.test(text.slice(0, start)) && /^\s/.test(text.slice(link.end)) ? 1 : 0);
  const move = (at: number) => (at <= start ? at : Math.max(start, at - (end - start)));
  return {
    text: text.slice(0, start) + text.slice(end),
    marks: marks
      .map((mark) => ({ ...mark, start: move(mark.start), end: move(mark.end) }))
      .filter((mark) => mark.start < mark.end),
  };
}

function readText(text: Json | undefined, marks: Json | undefined): ReadText {
  return typeof text === "string"
    ? { text, marks: parseMarks(text, marks) }
    : { text: "", marks: [] };
}

/** Whether nothing is left of a text, list or table. */
function isEmpty(block: Json): boolean {
  if (!isObject(block)) return false;
  const { text, items, rows } = block;
  return (
    text === "" ||
    (Array.isArray(items) && items.length === 0) ||
    (block.type === "table" && Array.isArray(rows) && rows.flat().every((cell) => cell === ""))
  );
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function blocksOf(content: Json): Json[] {
  return Array.isArray(content) ? content : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
