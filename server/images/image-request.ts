// What an address under /images/ asks for: /images/{width} or {width}x{height}/{uploads|site}/{name}?t={version}
import { pictureWidths, wideHeight } from "../../app/config/picture-sizes.ts";

export interface ImageAddress {
  width: number;
  /** Cut to this height; null keeps the picture's shape. */
  height: number | null;
  /** Whose picture: the owner's, from the bucket, or one of the site's own files. */
  from: "uploads" | "site";
  /** The name in its decoded segments. None is empty, climbs up or is hidden. */
  segments: readonly string[];
  /** Changes with the picture; null when the address says nothing about that. */
  version: string | null;
}

const longestName = 1024;

/** @returns null for whatever is no address of ours: another size, another source, a way out. */
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

/** Only sizes that the site itself asks for: else anyone could have it draw millions. */
function parseSize(size: string): Pick<ImageAddress, "width" | "height"> | null {
  for (const width of pictureWidths) {
    if (size === String(width)) return { width, height: null };
    if (size === `${width}x${wideHeight(width)}`) return { width, height: wideHeight(width) };
  }
  return null;
}

function parseName(name: string): string[] | null {
  if (name === "" || name.length > longestName) return null;
  try {
    const segments = name.split("/").map(decodeURIComponent);
    return segments.every(isSafe) ? segments : null;
  } catch {
    return null;
  }
}

function isSafe(segment: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  return segment !== "" && !segment.startsWith(".") && !/[/\\\u0000-\u001f]/.test(segment);
}
