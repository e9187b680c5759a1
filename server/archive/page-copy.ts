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

/**
 * Reads a file by its path or address, and after it those that it shows, as a style sheet its fonts. Null when visitors do not get it.
 * @throws when the reason is temporary
 */
export type ReadFile = (path: string) => Promise<ArchiveFile[] | null>;

export function createFile(type: string, bytes: Buffer, words?: string): ArchiveFile {
  return { hash: createHash("sha256").update(bytes).digest("hex"), type, bytes, words };
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
/** With the PDFs to which they link, and the image that others show with a link to the page. */
const shownInPages =
  /(?<=<link rel="stylesheet" href="|<img\b[^>]* src=")\/(?!\/)[^"]*|(?<=<a\b[^>]* href=")\/files\/[^"#]*|(?<=<meta (?:property="og|name="twitter):image" content=")[^"]*/g;
const shownInStyles = /(?<=url\(["']?)\/(?!\/)[^)"']*/g;

/**
 * @returns the title, and the page with the files that it shows
 * @throws when a file cannot be read for a temporary reason
 */
export async function copyPage(html: string, read: ReadFile) {
  const bare = unused.reduce((text, pattern) => text.replace(pattern, ""), html);
  const title = decode(/<title>([^<]*)<\/title>/.exec(bare)?.[1] ?? "");
  const { bytes, shows } = await nameFiles(bare, shownInPages, "../files/", read);
  const page = createFile("text/html", bytes, wordsOf(bare));
  return { title: title.replace(/\s+/g, " ").trim(), page, files: [page, ...shows] };
}

/** @throws when a file cannot be read for a temporary reason */
export async function copyFile(
  type: string,
  content: Buffer,
  read: ReadFile,
): Promise<ArchiveFile[]> {
  if (type !== "text/css") return [createFile(type, content)];
  const { bytes, shows } = await nameFiles(content.toString(), shownInStyles, "", read);
  return [createFile(type, bytes), ...shows];
}

/** Names files that a text shows by their content. Those that visitors do not get keep their path. */
async function nameFiles(text: string, paths: RegExp, folder: string, read: ReadFile) {
  const names = new Map<string, string>();
  const shows = new Map<string, ArchiveFile>();
  for (const [path] of text.matchAll(paths)) {
    if (names.has(path)) continue;
    const files = await read(decode(path));
    const [file] = files ?? [];
    const extension = file?.type.replace(/^.*\/(\w+).*$/, "$1");
    names.set(path, file ? `${folder}${file.hash}.${extension}` : path);
    for (const each of files ?? []) shows.set(each.hash, each);
  }
  const named = text.replace(paths, (path) => names.get(path) ?? path);
  return { bytes: Buffer.from(named), shows: [...shows.values()] };
}

const inline =
  /<\/?(?:a|abbr|b|br|button|cite|code|em|i|label|mark|small|span|strong|sub|sup|time|u)\b[^>]*>|<!--[\s\S]*?-->/g;

/** The visible text of a page, a line for each paragraph and each row of a table. */
export function wordsOf(html: string): string {
  const body = /<body\b[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? "";
  const text = body
    .replace(/<(script|style|svg|template)\b[^>]*>[\s\S]*?<\/\1>/g, "\n")
    .replace(/<br\b[^>]*>/g, "\n")
    .replace(/<\/t[dh]>\s*<t[dh]\b[^>]*>/g, " | ")
    .replace(inline, "")
    .replace(/<[^>]*>/g, "\n");
  const lines = decode(text).split("\n");
  return lines
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter(Boolean)
    .join("\n");
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** Decodes the characters that React escapes. */
function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name] ?? "");
}
