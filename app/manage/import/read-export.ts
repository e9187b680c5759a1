// Reads the posts and pages in an export of WordPress, Squarespace or Blogger, and in an RSS, Atom or RDF feed.
import { reservedAddresses } from "../../config/reserved-addresses.ts";
import type { Block } from "../../posts/blocks.tsx";
import { formerPathOf } from "../../seo/former-path.ts";
import { htmlToBlocks } from "../content/html-to-blocks.ts";
import { postLimits } from "../posts/post-schema.ts";
import { toSlugCharacters } from "../posts/slug.ts";
import { sha256 } from "../sha256.ts";
import { decodeFile } from "./decode-file.ts";
import { type Attachment, imageFile, replaceDynamicParts } from "./dynamic-parts.ts";
import { childrenOf, type FeedElement, htmlOf, parseFeed, textOf } from "./parse-feed.ts";
import { prepareHtml, urlOf } from "./post-html.ts";

export type ReadPost = Awaited<ReturnType<Export["read"]>>;

/** The posts are read one by one: together they need much memory. */
export interface Export {
  items: FeedElement[];
  read: (item: FeedElement) => ReturnType<typeof readPost>;
  /** The other items of the file, which are skipped, for example '3 × comment'. */
  others: string;
  /** What is missing because the file has no end, as a sentence; empty for a whole file. */
  missing: string;
  /** The host of the former site, if the file names it. */
  host: string;
}

/** What posts need to know of their file. */
interface Context {
  home: string | undefined;
  attachments: ReadonlyMap<string, Attachment>;
  patterns: ReadonlyMap<string, string>;
  /** The names of authors by their account. */
  authors: ReadonlyMap<string, string>;
  /** How many posts have each key, the same in full, and each former path. */
  keys: ReadonlyMap<string, number>;
  fullKeys: ReadonlyMap<string, number>;
  formerPaths: ReadonlyMap<string, number>;
}

const maxHtml = 2_000_000;
/** As in the CHECK of drafts. */
const maxAuthor = 200;
/** Completes a path of a site whose address the file does not name. */
const unknownSite = "https://former.invalid";
/** How feeds end a text that they do not have as a whole. */
const cutText = /(?:…|\.{3})\]?(?:\s*(?:continue reading|read more)\b.{0,300})?$/i;
const noCategory = /^(?:uncategorized|uncategorised|allgemein|non classé|sin categoría)?$/i;

/** @returns null when the file has none of these formats */
export function readExport(file: Uint8Array): Export | null {
  const feed = parseFeed(decodeFile(file));
  if (!feed) return null;
  const { channel, items, cutOff, isCutOff } = feed;
  const kinds = Map.groupBy(items, kindOf);
  const posts = items.filter((item) => /^(?:post|page)$/.test(kindOf(item)));
  const others = [...kinds].filter(([kind]) => !/^(?:post|page)$/.test(kind));
  const address =
    linkOf(channel) || textOf(channel, "wp:base_blog_url") || channel.attributes["xml:base"] || "";
  const home = urlOf(address)?.href;
  const context: Context = {
    home,
    attachments: new Map((kinds.get("attachment") ?? []).map(readAttachment)),
    patterns: new Map(
      (kinds.get("wp_block") ?? []).map((item) => [
        textOf(item, "wp:post_id"),
        textOf(item, "content:encoded"),
      ]),
    ),
    authors: new Map(
      childrenOf(channel, "wp:author").map((author) => [
        textOf(author, "wp:author_login"),
        textOf(author, "wp:author_display_name"),
      ]),
    ),
    keys: countOf(posts.map((item) => keyOf(item, home))),
    fullKeys: countOf(posts.map((item) => fullKeyOf(item, home))),
    formerPaths: countOf(posts.map((item) => (isPublic(item) && formerPathFor(item, home)) || "")),
  };
  const lastTitle = cutOff && (titleOf(cutOff) || "Untitled");
  const cut = `The file ends too early${lastTitle ? `, in “${lastTitle}”, which is not imported` : ""}. Posts may be missing: export it again.`;
  return {
    items: posts,
    others: others.map(([kind, { length }]) => `${length} × ${kind}`).join(", "),
    missing: isCutOff ? cut : "",
    host: home ? new URL(home).host : "",
    read: (item) => readPost(item, context),
  };
}

function countOf(values: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]),
  );
}

/** 'post', 'page', or the name of something else. */
function kindOf(item: FeedElement): string {
  // Blogger: a category in exports until 2024, then an element.
  const schema = childrenOf(item, "category").find(({ attributes }) =>
    attributes.scheme?.endsWith("#kind"),
  );
  const answers = childrenOf(item, "thr:in-reply-to").length > 0 ? "comment" : "";
  const kind =
    textOf(item, "wp:post_type") ||
    textOf(item, "blogger:type").toLowerCase() ||
    (schema?.attributes.term ?? "").replace(/^.*#/, "") ||
    answers ||
    "post";
  const status = `${textOf(item, "wp:status")} ${textOf(item, "blogger:status")}`;
  const isDeleted = /\b(?:trash|auto-draft|soft_trashed|deleted)\b/i.test(status);
  return isDeleted || textOf(item, "blogger:trashed") ? `deleted ${kind}` : kind;
}

/** 'publish', or why it was not public. */
function statusOf(item: FeedElement): string {
  if (textOf(item, "wp:post_password")) return "password";
  const [control] = childrenOf(item, "app:control");
  if (control && textOf(control, "app:draft").toLowerCase() === "yes") return "draft";
  const status = (textOf(item, "wp:status") || textOf(item, "blogger:status")).toLowerCase();
  return /^(?:|publish|published|live)$/.test(status) ? "publish" : status;
}

function isPublic(item: FeedElement): boolean {
  return statusOf(item) === "publish";
}

function readAttachment(item: FeedElement): [id: string, Attachment] {
  const attachment = {
    address: textOf(item, "wp:attachment_url") || textOf(item, "guid"),
    alt: metaOf(item, "_wp_attachment_image_alt"),
    parent: textOf(item, "wp:post_parent"),
  };
  return [textOf(item, "wp:post_id"), attachment];
}

function metaOf(item: FeedElement, key: string): string {
  const meta = childrenOf(item, "wp:postmeta").find((each) => textOf(each, "wp:meta_key") === key);
  return meta ? textOf(meta, "wp:meta_value") : "";
}

/** A post or page as import_post takes it, with its images and notes about what is different. */
async function readPost(item: FeedElement, context: Context) {
  const { home } = context;
  const isPage = kindOf(item) === "page";
  const wasPublic = isPublic(item);
  const url = addressOf(item, home);
  const body = bodyOf(item);
  const isTooLong = body.html.length > maxHtml;
  const prepared = prepare(isTooLong ? "" : body.html, item, context);
  const text = htmlToBlocks(prepared.html);
  const title = titleOf(item);
  const heading = title && text.title ? [{ type: "heading" as const, text: text.title }] : [];
  const blocks: Block[] = [...heading, ...text.blocks];
  const [first] = blocks;
  // Medium and others repeat the title in the text.
  const isRepeated = first?.type === "heading" && first.text === title;
  const content = isRepeated ? blocks.slice(1) : blocks;
  const { category, notes: groups } = categoriesOf(item);
  const former = wasPublic ? formerPathFor(item, home) : null;
  const isShared = former !== null && (context.formerPaths.get(former) ?? 0) > 1;
  const featured = featuredOf(item, context);
  const post = {
    id: await idOf(item, context),
    is_page: isPage,
    title: clip(title || text.title || "", postLimits.title),
    category: isPage ? "" : clip(category, postLimits.category),
    author: clip(authorOf(item, context), maxAuthor),
    content,
    slug: slugOf(textOf(item, "wp:post_name") || (url && ownPathOf(url)) || ""),
    former_path: isShared ? null : former,
    published_date: wasPublic ? dateOf(item) : null,
  };
  const notes = [
    ...(wasPublic ? [] : [`It was not public: ${statusOf(item)}.`]),
    ...(wasPublic && !post.published_date && !isPage ? [describeLostDate(item)] : []),
    ...(isShared
      ? [`Other posts had the same address, which leads to none of them: ${url?.href}`]
      : []),
    ...(wasPublic && url && !former ? [`Its former address will not lead to it: ${url.href}`] : []),
    ...body.notes,
    ...(content.length === 0 && !isTooLong ? ["Its text is not in the file."] : []),
    ...prepared.notes,
    ...text.notes,
    ...(isPage ? [] : groups),
    ...featured.notes,
    ...countComments(item),
  ];
  return {
    post,
    problem: isTooLong ? "The text is too long." : null,
    /** The image at the top of the post. */
    featured: isPage ? null : featured.image,
    /** The images in the text. Each is a link in the content, with its alternative text or 'Image'. */
    images: prepared.images,
    notes: [...new Set(notes)],
  };
}

function prepare(html: string, item: FeedElement, context: Context) {
  const isWordPress = textOf(item, "wp:post_id", "wp:status", "wp:post_type") !== "";
  const { html: written, notes } = isWordPress
    ? replaceDynamicParts(html, context, textOf(item, "wp:post_id"), footnotesOf(item))
    : { html, notes: [] };
  const hasBlocks = /<!--\s+wp:/.test(html);
  // Squarespace exports in the format of WordPress, but writes paragraphs.
  const isClassic = isWordPress && !hasBlocks && !/\bclass="sqs-/.test(html);
  const hasPlainLines =
    isClassic || !/<(?:article|br|div|h\d|li|ol|p|section|table|ul)\b/i.test(html);
  const address = addressOf(item, context.home);
  const base = address && address.origin !== unknownSite ? address.href : context.home;
  const prepared = prepareHtml(written, { base, hasPlainLines });
  return { ...prepared, notes: [...notes, ...prepared.notes] };
}

/** WordPress stores the footnotes of its editor beside the text. */
function footnotesOf(item: FeedElement): string[] {
  try {
    const stored: unknown = JSON.parse(metaOf(item, "footnotes") || "[]");
    return Array.isArray(stored) ? stored.map((note) => String(Object(note).content ?? "")) : [];
  } catch {
    return [];
  }
}

function bodyOf(item: FeedElement): { html: string; notes: string[] } {
  const notes: string[] = [];
  const [whole] = childrenOf(item, "content:encoded", "content").filter(
    (each) => each.text.trim() || each.children.length > 0,
  );
  const elsewhere = childrenOf(item, "content")[0]?.attributes.src;
  if (elsewhere && !whole) notes.push(`The text is not in the file, but here: ${elsewhere}`);
  const short = childrenOf(item, "description", "summary").find(
    (each) => each.text.trim() || each.children.length > 0,
  );
  const html = unescaped(whole ? htmlOf(whole) : short ? htmlOf(short) : "");
  const isSummary = !whole && (short?.name === "summary" || cutText.test(plain(html)));
  if (isSummary) notes.push("The file has only a summary of the text.");
  const excerpt = plain(textOf(item, "excerpt:encoded"));
  if (excerpt) notes.push(`Its summary, not imported: ${excerpt}`);
  const files = childrenOf(item, "enclosure").filter((each) => !isImage(each.attributes));
  const links = files.flatMap(({ attributes }) => urlOf(attributes.url ?? "")?.href ?? []);
  return { html: html + links.map(linkToFile).join(""), notes };
}

/** Some feeds escape their HTML twice. */
function unescaped(html: string): string {
  const isTwice =
    /^\s*&lt;(?:a|blockquote|br|div|figure|h\d|img|ol|p|section|span|table|ul)\b/.test(html);
  return isTwice && !html.includes("<") ? textOfHtml(html) : html;
}

function linkToFile(address: string): string {
  const href = address.replaceAll('"', "%22").replaceAll("&", "&amp;");
  return `<p><a href="${href}">${href.replace(/^.*\/|\?.*$/g, "") || "File"}</a></p>`;
}

/** @param media the attributes of an enclosure, or of an element of Media RSS */
function isImage({
  url = "",
  href = "",
  type = "",
  medium = "",
}: FeedElement["attributes"]): boolean {
  if (type || medium) return type.startsWith("image/") || medium === "image";
  return imageFile.test(url || href);
}

/** The image that the post had at its top. */
function featuredOf(item: FeedElement, { attachments, home }: Context) {
  const id = metaOf(item, "_thumbnail_id");
  const attachment = attachments.get(id);
  const groups = [item, ...childrenOf(item, "media:group", "media:content")];
  const thumbnails = groups.flatMap((group) => childrenOf(group, "media:thumbnail"));
  const named = [
    ...childrenOf(item, "enclosure"),
    ...childrenOf(item, "link").filter(({ attributes }) => attributes.rel === "enclosure"),
    // WordPress.com names the picture of the author first.
    ...groups.flatMap((group) => childrenOf(group, "media:content")),
  ].filter(
    ({ attributes }) => isImage(attributes) && !/\bgravatar\.com\//.test(attributes.url ?? ""),
  );
  const address = [
    attachment?.address,
    ...[...named, ...thumbnails].map(({ attributes }) => attributes.url ?? attributes.href),
  ].flatMap((each) => urlOf(each ?? "", home)?.href ?? [])[0];
  // Blogger names a square of 72 pixels; the number can be replaced.
  const whole = address?.replace(
    /(?<=\.(?:googleusercontent|blogspot)\.com\/.*)([/=])s\d+(?:-[a-z\d-]+)?(?=\/[^/]*$|$)/,
    "$1s1600",
  );
  const isMissing = id !== "" && id !== "0" && id !== "-1" && !attachment;
  return {
    image: whole ? { address: whole, alt: attachment?.alt ?? "" } : null,
    notes: isMissing
      ? ["Its featured image is not in the file: export all content, not only posts."]
      : [],
  };
}

function countComments(item: FeedElement): string[] {
  const count = childrenOf(item, "wp:comment").filter(
    (comment) =>
      textOf(comment, "wp:comment_approved") === "1" &&
      /^(?:comment)?$/.test(textOf(comment, "wp:comment_type")),
  ).length;
  return count > 0 ? [`Not imported: ${count === 1 ? "a comment" : `${count} comments`}.`] : [];
}

/** RSS has the address as text; Atom has it as an attribute, beside links to other things. */
function linkOf(parent: FeedElement): string {
  const link = childrenOf(parent, "link").find(
    ({ attributes, text }) =>
      (attributes.rel ?? "alternate") === "alternate" && (attributes.href || text.trim()),
  );
  return link?.attributes.href ?? link?.text.trim() ?? "";
}

function addressOf(item: FeedElement, home: string | undefined): URL | null {
  const guid = childrenOf(item, "guid").find(({ attributes }) => attributes.ispermalink === "true");
  const origin = textOf(item, "feedburner:origlink");
  const address = origin || linkOf(item) || textOf(item, "blogger:filename") || guid?.text.trim();
  const url = urlOf(address ?? "", home ?? unknownSite);
  // Medium marks the links of its feeds.
  if (url?.searchParams.get("source")?.startsWith("rss-")) url.searchParams.delete("source");
  return url;
}

function formerPathFor(item: FeedElement, home: string | undefined): string | null {
  const url = addressOf(item, home);
  const path = url && formerPathOf(url);
  return path && !isTaken(path) ? path : null;
}

/** Whether this site has a page of its own at a former address, so that nobody asks for the former one (routes.ts). */
function isTaken(path: string): boolean {
  const [first = "", second = "", ...rest] = path.slice(1).replace(/\?.*$/, "").split("/");
  if (!reservedAddresses.includes(first) || first === "home" || rest.length > 1) return false;
  if (rest.length === 1) return first === "blog" && /^(?:category|preview)$/.test(second);
  return second === "" || first === "services";
}

function titleOf(item: FeedElement): string {
  const [title] = childrenOf(item, "title");
  return title ? plain(htmlOf(title)) : "";
}

/** The category, and what the blog here has no place for. */
function categoriesOf(item: FeedElement): { category: string; notes: string[] } {
  const all = childrenOf(item, "category").flatMap(({ attributes, text }) => {
    const name = plain(attributes.label || attributes.term || text);
    const isKind = attributes.scheme?.endsWith("#kind") ?? false;
    return noCategory.test(name) || isKind ? [] : [{ name, domain: attributes.domain ?? "" }];
  });
  const subjects = childrenOf(item, "dc:subject").map(({ text }) => plain(text));
  const namesOf = (domains: RegExp) => [
    ...new Set(all.filter(({ domain }) => domains.test(domain)).map(({ name }) => name)),
  ];
  const proper = namesOf(/^category$/);
  const others = [...new Set([...namesOf(/^$|:/), ...subjects])];
  const [category = "", ...further] = proper.length > 0 ? proper : others;
  const tags = namesOf(/^(?:post_)?tag$/);
  const groups = namesOf(/^(?!(?:category|(?:post_)?tag|post_format|)$)[^:]*$/);
  return {
    category,
    notes: [
      ...(further.length > 0 ? [`Further categories, not imported: ${further.join(", ")}.`] : []),
      ...(tags.length > 0 ? [`Tags, not imported: ${tags.join(", ")}.`] : []),
      ...(groups.length > 0 ? [`Other groups, not imported: ${groups.join(", ")}.`] : []),
    ],
  };
}

/** The name that readers saw: not an account, not an email address. */
function authorOf(item: FeedElement, { authors }: Context): string {
  const creator = plain(textOf(item, "dc:creator"));
  const [author] = childrenOf(item, "author");
  // RSS has an email address with the name behind it, Atom an element.
  const [, behind = ""] = /@\S+\s*\(([^()]+)\)\s*$/.exec(author?.text ?? "") ?? [];
  const name =
    authors.size > 0
      ? authors.get(creator)
      : creator || behind || (author && textOf(author, "name"));
  return name && !name.includes("@") && !/^(?:admin|unknown|noreply)$/i.test(name)
    ? plain(name)
    : "";
}

function dateOf(item: FeedElement): string | null {
  // The years that the database stores.
  const time = datesOf(item)
    .map((text) => Date.parse(text))
    .find((each) => each >= Date.UTC(2000) && each < Date.UTC(2200));
  return time === undefined ? null : new Date(time).toISOString();
}

/** The dates of a post as they are written, the best first. */
function datesOf(item: FeedElement): string[] {
  // WordPress has zeros for a date that it does not know, often for the one in UTC alone.
  const [utc = "", local = ""] = ["wp:post_date_gmt", "wp:post_date"].map((name) =>
    textOf(item, name)
      .replace(/^0000.*/, "")
      .replace(/^(\S+) (\S+)$/, "$1T$2Z"),
  );
  const names = ["pubdate", "published", "issued", "dc:date", "created", "updated", "modified"];
  const others = names.map((name) => textOf(item, name));
  return [utc, ...others, local].filter((text) => text !== "");
}

function describeLostDate(item: FeedElement): string {
  const [date] = datesOf(item);
  return date ? `Its date, not imported: ${date}.` : "Its date is not in the file.";
}

/** The path of a post; empty where its query or a number tells it from others. */
function ownPathOf(url: URL): string {
  const path = formerPathOf(url) ?? "";
  return /\?|\/\d+$/.test(path) ? "" : path;
}

/** The last part of a path, without the ending of a file. */
function slugOf(path: string): string {
  const last = path
    .replace(/\/+$/, "")
    .replace(/^.*\/|\?.*$|%[\da-f]{2}|\.(?:[sx]?html?|php\d?|aspx?|cfml?|jspx?)$/gi, "");
  return toSlugCharacters(last)
    .replace(/^-+|-+$/g, "")
    .slice(0, postLimits.slug);
}

function plain(html: string): string {
  return textOfHtml(html).replace(/\s+/g, " ").trim();
}

function textOfHtml(html: string): string {
  return new DOMParser().parseFromString(html, "text/html").body.textContent ?? "";
}

/** Counts characters like PostgreSQL. */
function clip(text: string, length: number): string {
  return [...text].slice(0, length).join("");
}

/**
 * What is the same for a post in every export. Files repeat each of these fields: one guid for several posts, numbers that
 * start again, the address of the blog for all posts.
 */
function keyOf(item: FeedElement, home: string | undefined): string {
  const guid = textOf(item, "guid", "id");
  const number = textOf(item, "wp:post_id");
  if (guid && number) return `${guid}\n${number}`;
  const url = addressOf(item, home);
  const isPostOwn = url !== null && formerPathOf(url) !== null;
  const address = isPostOwn ? url.host.replace(/^www\./, "") + url.pathname + url.search : "";
  return [guid, address, ...(address ? [] : [dateOf(item), titleOf(item)])].join("\n");
}

function fullKeyOf(item: FeedElement, home: string | undefined): string {
  const address = addressOf(item, home)?.href;
  return [keyOf(item, home), address, dateOf(item), titleOf(item)].join("\n");
}

/** The same id for the same post, in every export (UUID version 8: made from a hash). */
async function idOf(item: FeedElement, context: Context): Promise<string> {
  const { home, keys, fullKeys } = context;
  const [key, fullKey] = [keyOf(item, home), fullKeyOf(item, home)];
  const isRepeated = (count: number | undefined) => count !== undefined && count > 1;
  const unique = isRepeated(fullKeys.get(fullKey)) ? `${fullKey}\n${bodyOf(item).html}` : fullKey;
  const own = isRepeated(keys.get(key)) ? unique : key;
  const hash = await sha256(new TextEncoder().encode(`post ${own}`));
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}
