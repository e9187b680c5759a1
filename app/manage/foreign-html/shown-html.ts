// What readers of foreign HTML saw: which of its text was struck or hidden, and how the rest looked.
import { isLinkTarget } from "../../posts/formatted-text.tsx";
import type { ForeignHtml } from "./parse-html.ts";

/** What is left out, each as it is called once and several times. */
const leftOutKinds = {
  struck: ["struck passage", "struck passages"],
  hidden: ["hidden passage", "hidden passages"],
  row: ["hidden row", "hidden rows"],
  column: ["hidden column", "hidden columns"],
  comment: ["comment", "comments"],
  control: ["form control", "form controls"],
  media: ["hidden image or video", "hidden images or videos"],
  headingLink: ["link of a heading", "links of headings"],
  link: ["link without a web address", "links without a web address"],
} as const;

export type LeftOutKind = keyof typeof leftOutKinds;

/** Counts what is left out. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(kind: LeftOutKind, count = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  /** One sentence that says how much, or none. */
  notes(): string[] {
    const parts = Object.entries(leftOutKinds).flatMap(([kind, [one, several]]) => {
      const count = this.#counts.get(kind) ?? 0;
      return count > 0 ? `${count.toLocaleString("en-US")} ${count === 1 ? one : several}` : [];
    });
    const last = parts.pop();
    if (last === undefined) return [];
    const verb = parts.length === 0 && last.startsWith("1 ") ? "was" : "were";
    return [`${parts.length > 0 ? `${parts.join(", ")} and ` : ""}${last} ${verb} left out.`];
  }
}

interface Reason {
  kind: LeftOutKind;
  /** The outermost element that gives the reason. */
  element: Element;
}

/** How the text of an element looks. */
export interface Look {
  bold: boolean;
  italic: boolean;
  href: string | null;
  /** Whether its line breaks are shown. */
  keepsLines: boolean;
  /** The outermost element that raises or lowers it. */
  shift: { by: "super" | "sub"; element: Element } | null;
  leftOut: Reason | null;
  /** What makes it too small, or invisible, until an element in it undoes that. */
  shrunkBy: Element | null;
  hiddenBy: Element | null;
}

const plain: Look = {
  bold: false,
  italic: false,
  href: null,
  keepsLines: false,
  shift: null,
  leftOut: null,
  shrunkBy: null,
  hiddenBy: null,
};

export const headings = "h1, h2, h3, h4, h5, h6";
export const rows = "tr, [role=row]";
export const cells = "td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]";
const blocks = `div, p, li, blockquote, ${headings}, ${rows}, ${cells}`;
/** What is shown without being text. */
export const media = "img, iframe, video, audio, embed, object, canvas";
const boldElements = `b, strong, th, [role=columnheader], ${headings}`;
const italicElements = "i, em, cite, dfn, var, address";
const lineElements = "pre, listing, xmp, plaintext";
const buttons = "button, [role=button]:not(a)";
const controls = `${buttons}, select, textarea, input:not([type=hidden]), [role=listbox], [role=combobox], [role=textbox], [role=searchbox], [role=slider], [role=spinbutton], [role=radio], [role=switch], [role=checkbox]:not(li), option, meter, progress`;
/** Classes of text that only screen readers get, for HTML whose style sheet is elsewhere. */
const unseenClass =
  /(?:^|\s)(?:(?:u-)?sr-only|(?:u-)?visually-?hidden|hidden-visually|u-hiddenVisually|screen-?reader(?:-text|-only)?|show-for-sr|assistive-text|a11y-hidden|element-invisible)(?:\s|$)/i;
/** Word's anchors, texts and lists of comments, and its marks of deletions. */
const commentClass = /(?:^|\s)(?:msocom\w*|MsoCommentReference|MsoCommentText)(?:\s|$)/i;
const deletedClass = /(?:^|\s)(?:msoDel|TrackChange\w*Delet\w*)(?:\s|$)/i;

/** Returns the look of each element below the body of foreign HTML. */
export function looksOf({ body, declared }: ForeignHtml): (element: Element) => Look {
  const known = new Map<Element, Look>([[body, lookOf(body, plain, declared(body))]]);
  return function look(element): Look {
    const { parentElement } = element;
    const found: Look =
      known.get(element) ??
      lookOf(element, parentElement ? look(parentElement) : plain, declared(element));
    known.set(element, found);
    return found;
  };
}

function lookOf(element: Element, parent: Look, styles: ReadonlyMap<string, string>): Look {
  const style = (name: string) => styles.get(name)?.toLowerCase() ?? "";
  const font = style("font");
  const space = style("white-space") || style("white-space-collapse");
  const visibility = style("visibility");
  const href = element.localName === "a" ? targetOf(element.getAttribute("href") ?? "") : null;
  const shrinks = isTooSmall(style("font-size") || sizeIn(font));
  return {
    bold:
      weightOf(style("font-weight")) ??
      weightOf(font && `normal ${font}`) ??
      (element.matches(boldElements) || parent.bold),
    italic:
      slantOf(style("font-style")) ??
      slantOf(font && `normal ${font}`) ??
      (element.matches(italicElements) || parent.italic),
    href: href ?? parent.href,
    keepsLines: space
      ? /^(?:pre|break-spaces)/.test(space)
      : element.matches(lineElements) || parent.keepsLines,
    shift: parent.shift ?? shiftOf(element, style("vertical-align")),
    leftOut: parent.leftOut ?? leftOutBy(element, style),
    shrunkBy:
      shrinks === undefined ? parent.shrunkBy : shrinks ? (parent.shrunkBy ?? element) : null,
    hiddenBy: !visibility
      ? parent.hiddenBy
      : /^(?:hidden|collapse)/.test(visibility)
        ? (parent.hiddenBy ?? element)
        : null,
  };
}

/** Mail programs and Google lead links through their own addresses, which tell whose copy of the text it was. */
const redirects =
  /^https?:\/\/(?:[\w.-]+\.safelinks\.protection\.outlook\.com\/|www\.google\.com\/url\?|l\.facebook\.com\/l\.php\?)/i;

/** Where a link leads, as browsers read its address; null when a post may not have it. */
function targetOf(written: string): string | null {
  const isPhone = /^\s*tel:/i.test(written);
  const href = written
    .trim()
    .replace(/[\t\r\n]/g, "")
    .replace(/\s/g, (space) => (isPhone ? "" : encodeURIComponent(space)))
    .replace(/^(?:\/\/|(?=www\.))/i, "https://");
  if (!isLinkTarget(href)) return null;
  if (!redirects.test(href)) return href;
  const { searchParams } = new URL(href);
  const [target = href] = ["url", "q", "u"].flatMap((name) => searchParams.get(name) ?? []);
  return isLinkTarget(target) ? target : href;
}

/** Whether a link loses its address here. Others lead to a place in the same document, or do something in their page. */
export function isLostLink(link: Element): boolean {
  const written = link.getAttribute("href")?.trim() ?? "";
  return !/^(?:#|javascript:|$)/i.test(written) && targetOf(written) === null;
}

/** Whether a value is bold. Undefined for one that is inherited, as for none. */
function weightOf(value: string): boolean | undefined {
  if (/\b(?:bold|bolder|[6-9]\d\d|1000)\b(?![.%])/.test(value)) return true;
  return /\b(?:normal|lighter|[1-5]\d\d)\b/.test(value) ? false : undefined;
}

function slantOf(value: string): boolean | undefined {
  if (/\b(?:italic|oblique)\b/.test(value)) return true;
  return value.includes("normal") ? false : undefined;
}

function shiftOf(element: Element, align: string): Look["shift"] {
  const isSuper = align === "super" || element.matches("sup, msup > :nth-child(2), .sdfootnotesym");
  const isSub = align === "sub" || element.matches("sub, msub > :nth-child(2)");
  return isSuper || isSub ? { by: isSuper ? "super" : "sub", element } : null;
}

/** The size in the shorthand 'font', which is before its families. */
function sizeIn(font: string): string {
  return /(?:^|\s)([\d.]+(?:[a-z]+|%)?)(?=\/|\s)(?!\s+[\d.]+[a-z%])/.exec(font)?.[1] ?? "";
}

/** Undefined for a size that depends on the one around it, as for none. */
function isTooSmall(size: string): boolean | undefined {
  const [, digits, unit = ""] = /^([\d.]+)([a-z]*|%)/.exec(size) ?? [];
  if (digits === undefined)
    return /^(?:$|inherit|larger|smaller|unset)/.test(size) ? undefined : false;
  const length = Number(digits);
  if (length === 0) return true;
  return /^(?:em|%|ex|ch|lh)$/.test(unit) ? undefined : length <= 1 && /^p[xt]$/.test(unit);
}

type StyleOf = (name: string) => string;

function leftOutBy(element: Element, style: StyleOf): Reason | null {
  if (isComment(element, style)) return { kind: "comment", element };
  if (isHidden(element, style)) return { kind: element.matches(rows) ? "row" : "hidden", element };
  if (isControl(element) || isLabel(element)) return { kind: "control", element };
  return isStruck(element, style) ? { kind: "struck", element } : null;
}

/** Word's and, in a document that was saved as a page, those of Google Docs. */
function isComment(element: Element, style: StyleOf): boolean {
  return (
    /^comment(?:-list)?$/.test(style("mso-element")) ||
    style("mso-special-character") === "comment" ||
    commentClass.test(element.className) ||
    element.matches("a[href^='#cmnt']") ||
    isSavedComment(element)
  );
}

/** The text of a comment in a document of Google Docs that was saved as a page. */
function isSavedComment(element: Element): boolean {
  if (!element.matches("div, p")) return false;
  const first = element.firstElementChild;
  return [first, first?.firstElementChild].some((each) => each?.matches("a[href^='#cmnt_ref']"));
}

function isControl(element: Element): boolean {
  if (!element.matches(controls)) return false;
  // The headings of a folded text are buttons.
  return !(
    element.matches(buttons) &&
    (element.closest(`${headings}, summary, dt`) || element.querySelector(headings))
  );
}

function isLabel(element: Element): boolean {
  if (element.localName === "label") {
    return element.hasAttribute("for") || element.querySelector(controls) !== null;
  }
  const group = element.localName === "legend" ? element.closest("fieldset") : null;
  return group?.querySelector(controls) != null;
}

function isStruck(element: Element, style: StyleOf): boolean {
  const line = style("text-decoration-line") || style("text-decoration");
  const word = style("text-line-through");
  if (element.localName === "del" || line.includes("line-through")) return true;
  if (word && word !== "none") return true;
  if (/^(?:s|strike)$/.test(element.localName)) return !/\bnone\b/.test(line);
  return deletedClass.test(element.className);
}

function isHidden(element: Element, style: StyleOf): boolean {
  const display = style("display");
  if (display === "none") return true;
  // Mails have buttons that are hidden from Outlook alone.
  if (!display) {
    if (element.hasAttribute("hidden") || /^(?:all|screen)/.test(style("mso-hide"))) return true;
    if (element.matches("dialog:not([open])")) return true;
  }
  const overflow = style("overflow") || style("overflow-y") || style("overflow-x");
  const overflows = !/hidden|clip/.test(overflow);
  return (
    unseenClass.test(element.className) ||
    style("content-visibility") === "hidden" ||
    /^(?:0+(?:\.0*)?|\.0+)%?$/.test(style("opacity")) ||
    /\bopacity\(\s*(?:0+(?:\.0*)?|\.0+)%?\s*\)/.test(style("filter")) ||
    isTransparent(style) ||
    (!overflows && isEmptyBox(style)) ||
    isAway(style) ||
    /\bscale(?:3d|x|y)?\(\s*(?:0+(?:\.0*)?|\.0+)\s*[,)]/.test(style("transform")) ||
    /rect\(\s*(?:0|1px)/.test(style("clip")) ||
    /^(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0)/.test(style("clip-path"))
  );
}

/** Text without a color, unless its background shows through it. */
function isTransparent(style: StyleOf): boolean {
  const isClear =
    /^(?:transparent|rgba\((?:[^,]*,){3}\s*0(?:\.0*)?%?\s*\)|rgb\([^/]*\/\s*0%?\s*\))$/;
  const clip = style("background-clip") || style("-webkit-background-clip");
  return isClear.test(style("color")) && clip !== "text";
}

/** A box without height or width, unless its padding makes room, as around videos. */
function isEmptyBox(style: StyleOf): boolean {
  const isNothing = (name: string) => /^(?:0+(?:\.0*)?(?:[a-z]+|%)?|1px)$/.test(style(name));
  const hasRoom = ["padding", "padding-top", "padding-bottom"].some((name) =>
    /[1-9][\d.]*(?:%|vw)/.test(style(name)),
  );
  return !hasRoom && ["height", "max-height", "width", "max-width"].some(isNothing);
}

const far = /^-(?:(?:\d{4,}|[5-9]\d\d)(?:\.\d+)?(?:px|p[tc]|r?em)|[1-9]\d{2,}(?:\.\d+)?(?:vw|%))/;

/** Whether it is moved out of sight. */
function isAway(style: StyleOf): boolean {
  const isFar = (name: string) => far.test(style(name));
  const isPlaced = /^(?:absolute|fixed)/.test(style("position"));
  return (
    ["text-indent", "margin-left"].some(isFar) ||
    (isPlaced && ["left", "top", "right", "margin-top"].some(isFar)) ||
    far.test(/\btranslate(?:3d|x|y)?\(\s*([^,)]*)/.exec(style("transform"))?.[1] ?? "")
  );
}

/** Removes what readers did not see and what its author struck, and counts it. */
export function removeLeftOut(
  { body, declared }: ForeignHtml,
  look: (element: Element) => Look,
  leftOut: LeftOut,
): void {
  const counted = {
    control: new Set<Element>(),
    label: new Set<Element>(),
    anchor: new Set<Element>(),
  };
  let comments = 0;
  const unseen: Element[] = [];
  for (const element of body.querySelectorAll("*")) {
    const { leftOut: reason, hiddenBy } = look(element);
    const isReason = reason?.element === element;
    const isComment = declared(element).get("mso-element") === "comment";
    if (isComment || (isReason && isSavedComment(element))) comments++;
    const isControl = reason?.kind === "control" && element.matches(controls);
    if (isControl && !element.parentElement?.closest(controls)) counted.control.add(element);
    if (element.matches(media) && (reason || hiddenBy)) {
      unseen.push(element);
      const kind = reason?.kind ?? "hidden";
      if (kind === "struck") leftOut.add(kind);
      else if (/^(?:hidden|row)$/.test(kind) && !isTiny(element)) leftOut.add("media");
    }
    if (isReason && element.matches(cells)) unseen.push(element);
  }
  let last: Reason | null = null;
  for (const text of textsIn(body)) {
    const reason = reasonOf(look(text.parentElement ?? body));
    if (!reason) {
      last = null;
      continue;
    }
    text.remove();
    if (!isSeen(text.data)) continue;
    const { kind, element } = reason;
    if (kind === "control") counted.label.add(element);
    else if (kind !== "comment") leftOut.add(kind, isSamePassage(last, reason) ? 0 : 1);
    else if (!declared(element).has("mso-element") && !isSavedComment(element)) {
      counted.anchor.add(element);
    }
    last = reason;
  }
  for (const element of unseen) element.remove();
  leftOut.add("comment", Math.max(comments, counted.anchor.size));
  leftOut.add("control", counted.control.size || counted.label.size);
}

/** As images that count who reads a mail. */
export function isTiny(element: Element): boolean {
  return ["width", "height"].some((name) => /^[01]$/.test(element.getAttribute(name) ?? ""));
}

/** Whether text has characters that are seen, not only the filling behind the preview of a mail. */
export function isSeen(text: string): boolean {
  return /[^\s\p{Cf}\p{M}]/u.test(text);
}

function textsIn(body: Element): Text[] {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
}

function reasonOf({ leftOut, shrunkBy, hiddenBy }: Look): Reason | null {
  const element = shrunkBy ?? hiddenBy;
  return leftOut ?? (element && { kind: element.matches(rows) ? "row" : "hidden", element });
}

/** Whether text continues the passage before it, between which nothing is kept. */
function isSamePassage(last: Reason | null, { kind, element }: Reason): boolean {
  if (last?.kind !== kind) return false;
  const isInline = ![last.element, element].some((each) => each.matches(blocks));
  return (
    last.element === element || (isInline && last.element.parentElement === element.parentElement)
  );
}
