// Parses a request for an image:
// /images/{width} or {width}x{height}/{uploads|site}/{name}?t={version}, with a format chosen by the Accept header.
import { parseAccept } from "hono/utils/accept";
import { imageWidths, wideHeight } from "../../app/config/image-sizes.ts";

export type ImageFormat = "avif" | "webp" | "fallback";

/** The smallest format that the Accept header names; `fallback` is JPEG or PNG. */
export function chooseFormat(accept: string | null): ImageFormat {
  const accepted = parseAccept(accept ?? "")
    .filter(({ q }) => q > 0)
    .map(({ type }) => type.toLowerCase());
  if (accepted.includes("image/avif")) return "avif";
  return accepted.includes("image/webp") ? "webp" : "fallback";
}

export interface ImageAddress {
  width: number;
  /** Crops to this height; null keeps the aspect ratio. */
  height: number | null;
  /** The source: the images bucket or the site's own files. */
  from: "uploads" | "site";
  /** The decoded segments of the name. None is empty, `..` or a hidden file. */
  segments: readonly string[];
  /** The version, which changes with the image. Null when the address has none. */
  version: string | null;
}

const maxNameLength = 1024;

/** @returns null for addresses that the site does not use: other sizes, other sources, path traversal. */
export function parseImageAddress(url: string): ImageAddress | null {
  const { pathname, searchParams } = new URL(url);
  const [, size = "", from, name = ""] =
    pathname.match(/^\/images\/([^/]+)\/(uploads|site)\/(.+)$/) ?? [];
  const shape = parseSize(size);
  const segments = parseName(name);
  if (!shape || !segments || (from !== "uploads" && from !== "site")) return null;
  const version = searchParams.get("t");
  return {
    ...shape,
    from,
    segments,
    version: version && /^\d{1,15}$/.test(version) ? version : null,
  };
}

/** Accepts only the sizes of the site's own pages, which bounds the number of variants. */
function parseSize(size: string): Pick<ImageAddress, "width" | "height"> | null {
  for (const width of imageWidths) {
    if (size === String(width)) return { width, height: null };
    if (size === `${width}x${wideHeight(width)}`) return { width, height: wideHeight(width) };
  }
  return null;
}

function parseName(name: string): string[] | null {
  if (name === "" || name.length > maxNameLength) return null;
  try {
    const segments = name.split("/").map(decodeURIComponent);
    return segments.every(isSafe) ? segments : null;
  } catch {
    return null;
  }
}

function isSafe(segment: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters.
  return segment !== "" && !segment.startsWith(".") && !/[/\\\u0000-\u001f]/.test(segment);
}
