// Makes a copy of a page as it was served, which needs nothing else to be shown: executable scripts are left out, and the files
// that it shows are named by their content. So a copy has no nonce, and another digest only if visitors see another page.
import { createHash } from "node:crypto";

/** What the archive stores of a page, or of a file that it shows. */
export interface ArchiveFile {
  /** SHA-256 in hexadecimal. */
  hash: string;
  type: string;
  bytes: Buffer;
  /** The visible text of a page. */
  words?: string;
}

export interface PageCopy {
  title: string;
  page: ArchiveFile;
  /** The hashes of everything that the copy consists of. */
  files: string[];
}

/** A file with those that it shows, such as a style sheet with its fonts. */
export interface ShownFile {
  file: ArchiveFile;
  shows: string[];
}

/**
 * Reads a file by its path. Null when visitors do not get it either.
 * @throws when the reason is temporary
 */
export type ReadFile = (path: string) => Promise<ShownFile | null>;

const extensions: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "text/css": "css",
  "text/html": "html",
  "font/woff2": "woff2",
  "image/avif": "avif",
  "image/gif": "gif",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/svg+xml": "svg",
  "image/webp": "webp",
};

export function createFile(type: string, bytes: Buffer, words?: string): ArchiveFile {
  return { hash: createHash("sha256").update(bytes).digest("hex"), type, bytes, words };
}

function nameOf({ hash, type }: ArchiveFile): string {
  return `${hash}.${extensions[type] ?? "bin"}`;
}

/** What React renders: attributes have double quotes, and texts and attributes have no unescaped `<`, `>` and quotes. */
const unused = [
  /<script\b(?![^>]*\btype="application\/ld\+json")[^>]*>[\s\S]*?<\/script>/g,
  // Browsers with scripts do not show it.
  /<noscript\b[^>]*>[\s\S]*?<\/noscript>/g,
  /<link rel="(?:modulepreload|preload|icon)"[^>]*>/g,
  / nonce="[^"]*"/g,
  // The address in `src` has the one size that the archive keeps.
  / (?:srcSet|sizes|imageSrcSet|imageSizes)="[^"]*"/gi,
];
/** With the PDFs to which they link. */
const shownInPages =
  /(?<=<link rel="stylesheet" href="|<img\b[^>]* src=")\/(?!\/)[^"]*|(?<=<a\b[^>]* href=")\/files\/[^"#]*/g;
const shownInStyles = /(?<=url\(["']?)\/(?!\/)[^)"']*/g;

/** @throws when a file cannot be read for a temporary reason */
export async function copyPage(html: string, read: ReadFile): Promise<PageCopy> {
  const bare = unused.reduce((text, pattern) => text.replace(pattern, ""), html);
  const title = decode(/<title>([^<]*)<\/title>/.exec(bare)?.[1] ?? "");
  const { text, shows } = await nameFiles(bare, shownInPages, "../files/", read);
  const page = createFile("text/html", Buffer.from(text), wordsOf(bare));
  return { title: title.replace(/\s+/g, " ").trim(), page, files: [page.hash, ...shows] };
}

/** @throws when a file cannot be read for a temporary reason */
export async function copyFile(type: string, bytes: Buffer, read: ReadFile): Promise<ShownFile> {
  if (type !== "text/css") return { file: createFile(type, bytes), shows: [] };
  const { text, shows } = await nameFiles(bytes.toString(), shownInStyles, "", read);
  return { file: createFile(type, Buffer.from(text)), shows };
}

/** Names files that a text shows by their content. Those that visitors do not get keep their path. */
async function nameFiles(text: string, paths: RegExp, folder: string, read: ReadFile) {
  const names = new Map<string, string>();
  const shows = new Set<string>();
  for (const [path] of text.matchAll(paths)) {
    if (names.has(path)) continue;
    const shown = await read(decode(path));
    names.set(path, shown ? folder + nameOf(shown.file) : path);
    for (const hash of shown ? [shown.file.hash, ...shown.shows] : []) shows.add(hash);
  }
  return { text: text.replace(paths, (path) => names.get(path) ?? path), shows: [...shows] };
}

const inline =
  /<\/?(?:a|abbr|b|br|button|cite|code|em|i|label|mark|small|span|strong|sub|sup|time|u)\b[^>]*>|<!--[\s\S]*?-->/g;

/** The visible text of a page, a line for each paragraph. */
export function wordsOf(html: string): string {
  const body = /<body\b[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? "";
  const text = body
    .replace(/<(script|style|svg|template)\b[^>]*>[\s\S]*?<\/\1>/g, "\n")
    .replace(/<br\b[^>]*>/g, "\n")
    .replace(inline, "")
    .replace(/<[^>]*>/g, "\n");
  return decode(text)
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#x27": "'",
};

/** Decodes the characters that React escapes. */
function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name] ?? "");
}
