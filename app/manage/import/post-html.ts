// Prepares the HTML of an exported post for html-to-blocks.ts: images that load late, embedded media, paragraphs of the classic
// editor of WordPress.
import { styleSheets, withoutStyles } from "../foreign-html/parse-html.ts";
import { imageFile } from "./dynamic-parts.ts";

export interface NamedImage {
  address: string;
  /** The alternative text; empty when there is none. */
  alt: string;
}

interface PreparedHtml {
  html: string;
  images: NamedImage[];
  notes: string[];
}

interface Options {
  /** The address to which others are relative. */
  base?: string | undefined;
  /** Whether blank lines separate paragraphs, and line breaks are kept. */
  hasPlainLines: boolean;
}

/** Where pages that load images late keep the address, the best first. `src` is then an empty image. */
const imageAddresses = [
  ...["data-orig-file", "data-large-file", "data-src", "data-lazy-src", "data-original"],
  ...["data-image", "data-lazy", "src"],
];
const imageSets = ["data-srcset", "data-lazy-srcset", "srcset"];
const media = "former-iframe, video, audio, object, embed";
const blocks =
  "address, article, aside, blockquote, dd, details, div, dl, dt, fieldset, figcaption, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, summary, table, ul";
/** They may have shown something, such as a form or a calendar. Scripts of embedded posts only draw them. */
const scripts = `script:not(${styleSheets}, [type*=json], [src*='platform.twitter.com'], [src*='instagram.com/embed'])`;
/** Their text can be separated by blank lines. */
const containers = "blockquote, details, div, section, article, aside, main";

export function prepareHtml(html: string, { base, hasPlainLines }: Options): PreparedHtml {
  // Under another name, a frame loads nothing in any browser.
  const framed = withoutStyles(html).replace(/<(\/?)iframe\b/gi, "<$1former-iframe");
  const { head, body } = new DOMParser().parseFromString(framed, "text/html");
  // They decide what the readers of the other site saw.
  const styles = [...head.querySelectorAll(styleSheets)].map(({ outerHTML }) => outerHTML);
  const notes: string[] = [];
  showHiddenImages(body);
  for (const { src } of body.querySelectorAll<HTMLScriptElement>(scripts)) {
    notes.push(src ? `Script, left out: ${src}` : "Script, left out.");
  }
  // A link to a file has a button with the same link.
  const unseen = `noscript, template, script:not(${styleSheets}), .wp-block-file__button`;
  for (const hidden of body.querySelectorAll(unseen)) hidden.remove();
  for (const link of body.querySelectorAll("a[href]")) completeLink(link, base);
  const images = [...body.querySelectorAll("img, amp-img")].flatMap((image) =>
    prepareImage(image, base, notes),
  );
  const links = [...body.querySelectorAll(media)].filter(
    (element) => !element.parentElement?.closest(media),
  );
  for (const element of links) replaceMedia(element, base, notes);
  for (const reference of body.querySelectorAll("sup[data-fn]")) {
    reference.replaceWith(`[${reference.textContent?.trim()}]`);
  }
  if (hasPlainLines) {
    for (const text of body.querySelectorAll("p, li")) keepLineBreaks(text);
    for (const container of [body, ...body.querySelectorAll(containers)]) addParagraphs(container);
  }
  return { html: styles.join("") + body.innerHTML, images, notes };
}

/** Puts images that pages show without scripts in the place of the empty ones, and backgrounds before what they are behind. */
function showHiddenImages(body: Element): void {
  for (const hidden of body.querySelectorAll("noscript")) {
    const image = hidden.querySelector("img");
    const other = [hidden.previousElementSibling, hidden.nextElementSibling].find((each) =>
      each?.matches("img"),
    );
    if (!image) continue;
    if (other && addressOf(other)) continue;
    other?.remove();
    hidden.replaceWith(image);
  }
  for (const element of body.querySelectorAll("[data-style*='url(']")) {
    const style = element.getAttribute("data-style") ?? "";
    const [, address] = /background(?:-image)?:[^;]*url\(\s*["']?([^"')]+)/i.exec(style) ?? [];
    if (!address || /^data:/i.test(address)) continue;
    const image = body.ownerDocument.createElement("img");
    image.setAttribute("src", address);
    element.prepend(image);
  }
}

/** A link relative to the former page. Paths from the root stay: this site redirects those of its posts. */
function completeLink(link: Element, base: string | undefined): void {
  const href = link.getAttribute("href")?.trim() ?? "";
  if (/^(?:[a-z][a-z\d+.-]*:|\/(?!\/)|#|$)/i.test(href)) return;
  const url = urlOf(href, base);
  if (url) link.setAttribute("href", url.href);
}

function prepareImage(image: Element, base: string | undefined, notes: string[]): NamedImage[] {
  const alt = (image.getAttribute("alt") || image.getAttribute("title") || "").trim();
  if (/\b(?:emoji|wp-smiley)\b/.test(image.className) && alt) {
    image.replaceWith(alt);
    return [];
  }
  // Images of one pixel count visits.
  if (["width", "height"].every((name) => /^[01](?:px)?$/.test(image.getAttribute(name) ?? ""))) {
    image.remove();
    return [];
  }
  const link = image.closest("a[href]");
  const href = link?.getAttribute("href") ?? "";
  const shownAddress = urlOf(addressOf(image), base)?.href ?? "";
  const linked = urlOf(href, base)?.href ?? "";
  // Posts often show a small image that leads to the whole one.
  const address = isSameImage(linked, shownAddress) ? linked : shownAddress;
  const shown = image.ownerDocument.createElement("img");
  shown.setAttribute("src", address);
  shown.setAttribute("alt", alt);
  const style = image.getAttribute("data-style") ?? "";
  const isHidden = image.closest("[hidden]") !== null || hides.test(style);
  if (isHidden) shown.setAttribute("hidden", "");
  image.replaceWith(shown);
  if (link && link.textContent?.trim() === "" && link.querySelectorAll("img").length === 1) {
    link.replaceWith(shown);
    const isSame = href === "" || nameOf(href) === nameOf(address) || /attachment_id=/.test(href);
    if (!isSame) notes.push(`An image is no longer a link to ${href}.`);
  }
  return address && !isHidden ? [{ address, alt }] : [];
}

const hides = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/** Whether a link from an image leads to the same one, in any size. */
function isSameImage(linked: string, address: string): boolean {
  const isImage = imageFile.test(linked) || sizeOfGoogle.test(linked);
  return isImage && nameOf(linked) === nameOf(address);
}

const sizeOfGoogle = /=[swh]\d[\w-]*$/;

/** The name of an image in any size. */
function nameOf(address: string): string {
  return address
    .replace(/[?#].*$/, "")
    .replace(/^.*\//, "")
    .replace(sizeOfGoogle, "")
    .replace(/(?:-\d+x\d+|-scaled)?\.\w+$/, "");
}

function addressOf(image: Element): string {
  const isAddress = (address: string) => address !== "" && !/^(?:data|about|blob):/i.test(address);
  const source = image.closest("picture")?.querySelector("source[srcset], source[data-srcset]");
  const sets = [image, ...(source ? [source] : [])].flatMap((element) =>
    imageSets.map((name) => largestOf(element.getAttribute(name) ?? "")),
  );
  const addresses = imageAddresses.map((name) => image.getAttribute(name)?.trim() ?? "");
  return [...addresses, ...sets].find(isAddress) ?? "";
}

/** @param set such as 'a.jpg 300w, b.jpg 1024w' */
function largestOf(set: string): string {
  const candidates = [...set.matchAll(/([^\s,]\S*[^\s,]|[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)];
  const sizeOf = ([, , size = "1"]: RegExpMatchArray) => Number(size);
  return candidates.sort((a, b) => sizeOf(b) - sizeOf(a))[0]?.[1] ?? "";
}

/** Embedded videos, sounds and pages become links. What they show instead, such as a link to the file, is left out. */
function replaceMedia(element: Element, base: string | undefined, notes: string[]): void {
  const sources = [
    element,
    ...element.querySelectorAll("source, embed, object, param[name='movie'], param[name='src']"),
  ];
  const addresses = sources.flatMap((source) =>
    ["data-src", "data-lazy-src", "src", "data", "value", "href"].flatMap(
      (name) => urlOf(source.getAttribute(name) ?? "", base)?.href ?? [],
    ),
  );
  const address =
    addresses[0] ?? urlOf(element.querySelector("a")?.getAttribute("href") ?? "", base)?.href;
  const kind = { VIDEO: "Video", AUDIO: "Audio" }[element.tagName] ?? "Embedded page";
  const paragraph = element.ownerDocument.createElement("p");
  if (address) {
    const link = element.ownerDocument.createElement("a");
    link.setAttribute("href", address);
    link.textContent =
      element.getAttribute("title")?.trim() || element.getAttribute("aria-label") || kind;
    paragraph.append(link);
    element.replaceWith(paragraph);
    notes.push(`${kind} on another site, now a link: ${address}`);
  } else {
    element.remove();
    notes.push(`${kind} without an address, left out.`);
  }
}

/** The line breaks of the classic editor. */
function keepLineBreaks(element: Element): void {
  if (element.closest("pre") || element.querySelector(blocks)) return;
  element.innerHTML = withLineBreaks(element.innerHTML.trim());
}

function withLineBreaks(html: string): string {
  return html.replace(/(<br\s*\/?>)?[^\S\n]*\n\s*/gi, "<br>");
}

/** Makes paragraphs of the text between the blocks of an element, as WordPress does. */
function addParagraphs(container: Element): void {
  if (container.closest("pre")) return;
  const groups: (Element | Node[])[] = [];
  for (const node of container.childNodes) {
    const last = groups.at(-1);
    if (node instanceof Element && (node.matches(blocks) || node.querySelector(blocks)))
      groups.push(node);
    else if (Array.isArray(last)) last.push(node);
    else groups.push([node]);
  }
  for (const group of groups) {
    if (!Array.isArray(group)) continue;
    const holder = container.ownerDocument.createElement("div");
    group[0]?.parentNode?.insertBefore(holder, group[0]);
    holder.append(...group);
    for (const element of holder.querySelectorAll("*")) {
      for (const { name, value } of [...element.attributes]) {
        if (value.includes("\n")) element.setAttribute(name, value.replace(/\s+/g, " "));
      }
    }
    const parts = holder.innerHTML.split(/\n\s*\n/).filter((part) => part.trim() !== "");
    // The parser continues a format that was open between two paragraphs.
    holder.innerHTML = parts.map((part) => `<p>${withLineBreaks(part.trim())}</p>`).join("");
    holder.replaceWith(...holder.childNodes);
  }
}

export function urlOf(address: string, base?: string): URL | null {
  if (!address || !URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  return /^https?:$/.test(url.protocol) ? url : null;
}
