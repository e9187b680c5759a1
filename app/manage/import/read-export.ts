// Reads the posts in an export of WordPress or Squarespace (WXR), and in an RSS or Atom feed.
import type { Block } from "../../posts/blocks.tsx";
import { formerPathOf } from "../../seo/former-path.ts";
import { escapeXml } from "../../seo/xml.ts";
import { htmlToBlocks } from "../content/html-to-blocks.ts";
import { postLimits } from "../posts/post-schema.ts";
import { toSlugCharacters } from "../posts/slug.ts";
import { sha256 } from "../sha256.ts";

export type ReadPost = Awaited<ReturnType<Export["read"]>>;

/** The posts are read one by one: together they need much memory. */
export interface Export {
  items: Element[];
  read: (item: Element) => ReturnType<typeof readPost>;
  /** The other items of the file, which are skipped, for example '3 × page'. */
  others: string;
}

const maxHtml = 2_000_000;

/** @returns null when the file has none of these formats, or is damaged */
export function readExport(file: Uint8Array): Export | null {
  const xml = new DOMParser().parseFromString(toXml(decode(file)), "text/xml");
  const channel = xml.querySelector("channel, feed");
  if (!channel || xml.querySelector("parsererror")) return null;
  const home = urlOf(linkOf(channel))?.href;
  /** The addresses of files by number. */
  const files = new Map<string, string>();
  const items: Element[] = [];
  const others = new Map<string, number>();
  for (const item of xml.querySelectorAll("item, entry")) {
    const type = textOf(item, "wp:post_type") || "post";
    const isDeleted = /^(?:trash|auto-draft)$/.test(textOf(item, "wp:status"));
    const kind = isDeleted ? `deleted ${type}` : type;
    if (kind === "post") items.push(item);
    else others.set(kind, (others.get(kind) ?? 0) + 1);
    const address = textOf(item, "wp:attachment_url");
    if (address) files.set(textOf(item, "wp:post_id"), address);
  }
  return {
    items,
    others: [...others].map(([kind, count]) => `${count} × ${kind}`).join(", "),
    read: (item) => readPost(item, files, home),
  };
}

function decode(file: Uint8Array): string {
  const start = new TextDecoder("latin1").decode(file.subarray(0, 200));
  const [, declared] = /^[^<]*<\?xml[^>]+encoding=["']([^"']+)/.exec(start) ?? [];
  const marked = { ÿþ: "utf-16le", þÿ: "utf-16be" }[start.slice(0, 2)];
  for (const encoding of [marked ?? declared ?? "utf-8", "utf-8"]) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(file);
    } catch {
      // An unknown or wrong encoding: the next one.
    }
  }
  return new TextDecoder("windows-1252").decode(file);
}

/**
 * Repairs what exports get wrong: control characters, and ampersands and entities of HTML outside of CDATA. So an entity that
 * the file declares, of whatever size, is not expanded either. CDATA becomes text.
 */
function toXml(text: string): string {
  const repaired = (part = "") =>
    part.replace(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/gi, "&amp;");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them.
  const allowed = text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "").trimStart();
  // The Content-Security-Policy forbids inline styles even in a document that is only read.
  const [first, ...sections] = allowed.replace(/\sstyle=/gi, " data-style=").split("<![CDATA[");
  const rest = sections.map((section) => {
    const [data = "", ...after] = section.split("]]>");
    return escapeXml(data) + repaired(after.join("]]>"));
  });
  return repaired(first) + rest.join("");
}

/** A post as import_post takes it, with its images and notes about what is different. */
async function readPost(item: Element, files: Map<string, string>, home: string | undefined) {
  const url = urlOf(linkOf(item), home);
  const path = url && formerPathOf(url);
  const isLocked = textOf(item, "wp:post_password") !== "";
  const status = isLocked ? "password" : textOf(item, "wp:status") || "publish";
  const wasPublic = status === "publish";
  const html = htmlOf(item);
  const isTooLong = html.length > maxHtml;
  const { body, images } = readHtml(isTooLong ? "" : html, home);
  const text = htmlToBlocks(body);
  const title = plain(textOf(item, "title"));
  const heading = title && text.title ? [{ type: "heading" as const, text: text.title }] : [];
  const content: Block[] = [...heading, ...text.blocks];
  const featured = childrenOf(item, "wp:postmeta")
    .filter((meta) => textOf(meta, "wp:meta_key") === "_thumbnail_id")
    .flatMap((meta) => files.get(textOf(meta, "wp:meta_value")) ?? []);
  const key = textOf(item, "guid") || textOf(item, "id") || url?.href || `${title}\n${html}`;
  const post = {
    id: await idOf(key),
    title: clip(title || text.title || "", postLimits.title),
    category: clip(categoryOf(item), postLimits.category),
    content,
    slug: slugOf(textOf(item, "wp:post_name") || path || ""),
    former_path: wasPublic ? path : null,
    published_date: wasPublic ? dateOf(item) : null,
  };
  return {
    post,
    problem: isTooLong ? "The text is too long." : null,
    images: [...new Set([...featured, ...images])],
    notes: wasPublic ? text.notes : [`It was not public: ${status}.`, ...text.notes],
  };
}

/** Children by their name with its prefix: not media:title for a title. */
function childrenOf(parent: Element, name: string): Element[] {
  return [...parent.children].filter(({ tagName }) => tagName === name);
}

function textOf(parent: Element, name: string): string {
  return childrenOf(parent, name)[0]?.textContent?.trim() ?? "";
}

/** RSS has the address as text; Atom has it as an attribute, beside links to other things. */
function linkOf(parent: Element): string {
  const link = childrenOf(parent, "link").find(
    (each) => (each.getAttribute("rel") ?? "alternate") === "alternate",
  );
  return link?.getAttribute("href") ?? link?.textContent?.trim() ?? "";
}

function urlOf(address: string, home?: string): URL | null {
  if (!URL.canParse(address, home)) return null;
  const url = new URL(address, home);
  return /^https?:$/.test(url.protocol) ? url : null;
}

function htmlOf(item: Element): string {
  const names = ["content:encoded", "content", "description", "summary"];
  const element = names.flatMap((name) => childrenOf(item, name)).find((each) => each.textContent);
  if (element?.getAttribute("type") === "xhtml") return element.innerHTML;
  const html = (element?.textContent ?? "").replace(
    /\[\/?(?:caption|gallery|embed|audio|video|(?:vc|et_pb|fusion|contact-form)[\w-]*)\b[^\]]{0,2000}\]/gi,
    "",
  );
  if (/<p\b|<!-- wp:/i.test(html)) return html;
  // The classic editor of WordPress separates paragraphs with blank lines.
  const block = /^\s*<\/?(?:h\d|[uo]l|li|div|blockquote|table|figure|pre)\b/i;
  const parts = html.split(/\n\s*\n/);
  return parts
    .map((part) => (block.test(part) ? part : `<p>${part.trim().replaceAll("\n", "<br>")}</p>`))
    .join("");
}

/** The HTML with whole addresses of images, also of those that load late. A frame, such as of a video, counts as an image. */
function readHtml(html: string, home?: string) {
  const framed = html.replace(/<iframe\b/gi, "<img");
  const { body } = new DOMParser().parseFromString(framed, "text/html");
  for (const hidden of body.querySelectorAll("noscript, style")) hidden.remove();
  const images = [...body.querySelectorAll("img")].flatMap((image) => {
    const [src, late, alt, title] = ["src", "data-src", "alt", "title"].map(
      (name) => image.getAttribute(name) ?? "",
    );
    const address = urlOf(src || late || "", home)?.href ?? "";
    image.setAttribute("src", address);
    image.setAttribute("alt", alt || title || "");
    return address ? [address] : [];
  });
  return { body: body.innerHTML, images };
}

function categoryOf(item: Element): string {
  const names = childrenOf(item, "category")
    .filter((each) => each.getAttribute("domain") !== "post_tag")
    .map((each) => each.getAttribute("label") ?? each.getAttribute("term") ?? each.textContent);
  return plain(names.find((name) => name?.trim() && name !== "Uncategorized") ?? "");
}

function dateOf(item: Element): string | null {
  const utc = textOf(item, "wp:post_date_gmt").replace(" ", "T");
  const others = ["pubDate", "published", "dc:date", "updated"].map((name) => textOf(item, name));
  // The years that the database stores.
  const time = [`${utc}Z`, ...others]
    .map((text) => Date.parse(text))
    .find((each) => each >= Date.UTC(2000) && each < Date.UTC(2200));
  return time === undefined ? null : new Date(time).toISOString();
}

/** The last part of a path, without the ending of a file. */
function slugOf(path: string): string {
  const last = path.replace(/^.*\/|\?.*$|%[\da-f]{2}|\.(?:html?|php|aspx?)$/gi, "");
  return toSlugCharacters(last)
    .replace(/^-+|-+$/g, "")
    .slice(0, postLimits.slug);
}

function plain(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return (body.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** Counts characters like PostgreSQL. */
function clip(text: string, length: number): string {
  return [...text].slice(0, length).join("");
}

/** The same id for the same post, in every export (UUID version 8: made from a hash). */
async function idOf(key: string): Promise<string> {
  const hash = await sha256(new TextEncoder().encode(`post ${key}`));
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}
