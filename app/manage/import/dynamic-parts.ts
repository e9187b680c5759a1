// What WordPress fills in when it shows a post: shortcodes such as [gallery ids="1,2"], blocks without content, footnotes.

export interface Attachment {
  address: string;
  alt: string;
  /** The number of the post to which it was uploaded. */
  parent: string;
}

/** A shortcode that is around other text. */
interface Frame {
  /** What the end of each becomes, by its name. */
  closing: Map<string, string>;
  /** Whether it starts in the middle of a line. */
  isInLine: boolean;
}

/** What posts of a file refer to by number. */
export interface ReferredParts {
  attachments: ReadonlyMap<string, Attachment>;
  /** The content of reusable blocks. */
  patterns: ReadonlyMap<string, string>;
}

const shortcode = /\[(\[?)(\/?)([a-z][\w-]*)((?:[\s=][^[\]]{0,5000})?)\/?\](\]?)/gi;
const attribute =
  /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|[“”″]([^“”″]*)[“”″]|([^\s"'“”″]+))|(https?:\/\/[^\s"'<>]+)/gi;
/** Used without attributes or an end, too. */
const known = /^(?:audio|button|caption|embed|gallery|playlist|video|wp_caption)$/;
const footnote = /\[(efn_note|fn|footnote|mfn|ref)(?:\s[^[\]]{0,500})?\]([\s\S]*?)\[\/\1\]/gi;
const block = /<!--\s+wp:([a-z][\w/-]*)\s+(\{(?:(?!-->)[\s\S])*?\}\s+)?\/-->/g;
const delimiter = /<!--\s+(\/)?wp:[a-z][\w/-]*\s+(\{(?:(?!-->)[\s\S])*?\}\s+)?(\/)?-->/g;
/** Blocks that their author hid, and shortcodes whose content is off, or not for everybody. */
const hiddenBlock = /"blockVisibility":\s*false|"hideBlock":\s*true/;
const hiddenFrame = /^(?:comment|hidden|hide|members?(?:[-_]only)?|private|restrict(?:ed)?)$/;
const off = { disabled: "on", disable_element: "yes", status: "draft" };
const withoutText = /separator|divider|space|clear|^(?:br|hr|line|more|nextpage)$/;
const webAddress = /^(?:https?:)?\/\/[^\s"<>]+$/i;
export const imageFile = /\.(?:avif|gif|jpe?g|png|webp)(?:$|[?#])/i;
const mediaFile = /\.(?:avi|m4[av]|mov|mp[34]|mpe?g|og[agv]|wav|webm)(?:$|[?#])/i;
/** The attributes in which page builders keep words, and those of a shortcode that is around others. */
const labels = ["title", "text", "label", "heading", "caption", "content", "h2", "h4", "question"];
const frameLabels = [
  ...labels,
  ...["quote", "cite", "author", "name", "job_title", "position", "subtitle"],
];
const buttonLabels = ["button_text", "btn_title", "btn_text", "link_text"];
const noLabel = /^(?:true|false|yes|no|on|off|none|left|right|center|default|\d*)$/i;
/** Images by their numbers, such as '12,13' or '12|full'. */
const idAttribute =
  /^(?:ids|include|(?:image|gallery|media|attachment)s?(?:_ids?)?|thumbnail_id|photo)$/;
const idList = /^[\d\s,]*\d[\d\s,]*(?=$|\|)/;
/** Their labels are those of controls. */
const forms = /forms?(?:$|[-_\d])|^form|field|captcha|newsletter|subscribe/;
const buttons = /button|btn|link|cta/;
/** An image whose address is its content. */
const wrappedImage =
  /\[(\w*(?:image|img|photo)\w*)\b([^[\]]{0,5000})\]\s*(https?:\/\/[^\s[\]<>"]+)\s*\[\/\1\]/g;

/**
 * The HTML of a post with links, images, texts and footnotes in the place of what WordPress fills in.
 * @param stored the texts of footnotes that are stored beside the post, as HTML
 */
export function replaceDynamicParts(
  html: string,
  { attachments, patterns }: ReferredParts,
  postId: string,
  stored: readonly string[],
): { html: string; notes: string[] } {
  const lost = new Set<string>();
  const footnotes = [...stored];
  const text = replaceShortcodes(
    replaceBlocks(markHiddenBlocks(html)).replace(
      footnote,
      (_, __, content: string) => `[${footnotes.push(content.trim())}]`,
    ),
  );
  const list = footnotes.map((note) => `<li>${note}</li>`).join("");
  const missing = [...lost].join(", ");
  return {
    html: footnotes.length > 0 ? `${text}<h2>Footnotes</h2><ol>${list}</ol>` : text,
    notes: missing ? [`WordPress shows more here than the file has: ${missing}.`] : [],
  };

  function replaceBlocks(text: string, depth = 0): string {
    return text.replace(block, (_, fullName: string, json: string | undefined) => {
      const name = fullName.replace(/^core\//, "");
      if (withoutText.test(name) || name === "footnotes") return "";
      const attributes = parseObject(json);
      const pattern = name === "block" ? patterns.get(String(attributes.ref)) : undefined;
      if (pattern !== undefined && depth < 5) return replaceBlocks(pattern, depth + 1);
      const address = ["url", "src", "href", "link"].map((key) => attributes[key]).find(isAddress);
      const [label = name] = ["label", "title", "service"].flatMap((key) => attributes[key] ?? []);
      return address
        ? linkTo(address, String(label))
        : lose(name === "block" ? "reusable block" : name);
    });
  }

  function replaceShortcodes(text: string): string {
    const ends = new Set(
      [...text.matchAll(/\[\/([a-z][\w-]*)\]/gi)].map(([, name = ""]) => name.toLowerCase()),
    );
    const closing = new Map<string, string>();
    const withImages = text.replace(wrappedImage, (_, __, written: string, address: string) =>
      imageTo(address, attributesOf(written).get("alt")),
    );
    return withImages.replace(
      shortcode,
      (
        whole,
        before: string,
        slash: string,
        written: string,
        rest: string,
        after: string,
        at: number,
      ) => {
        if (before && after) return whole.slice(1, -1);
        const name = written.toLowerCase();
        const attributes = attributesOf(rest);
        const hasEnd = ends.has(name);
        if (!hasEnd && !known.test(name) && attributes.size === 0) {
          // Other brackets, such as [sic], are part of a line.
          const isLine = written === name && isAlone(withImages, at, at + whole.length);
          if (!isLine) return whole;
          return withoutText.test(name) ? "" : lose(name);
        }
        if (!slash) {
          const isInLine = !startsLine(withImages, at);
          return before + startOf(name, attributes, hasEnd ? { closing, isInLine } : null) + after;
        }
        const end = closing.get(name) ?? "";
        closing.delete(name);
        // The frames of page builders follow each other without a line break.
        const gap = withImages.charAt(at + whole.length) === "[" ? "\n\n" : "";
        return before + end + after + gap;
      },
    );
  }

  function startOf(
    name: string,
    attributes: ReadonlyMap<string, string>,
    frame: Frame | null,
  ): string {
    const hasEnd = frame !== null;
    const written = wordsOf(attributes, hasEnd ? frameLabels : labels);
    const [label = ""] = written;
    if (/^(?:wp_)?caption$/.test(name)) {
      if (label && frame) frame.closing.set(name, ` ${label}`);
      return "";
    }
    const isOff = Object.entries(off).some(([key, value]) => attributes.get(key) === value);
    if (frame && (isOff || hiddenFrame.test(name))) {
      frame.closing.set(name, "</div>");
      return "<div hidden>";
    }
    if (withoutText.test(name)) return "";
    if (forms.test(name)) return lose(name);
    const addresses = [...attributes].flatMap(([key, value]) => {
      const address = addressIn(value);
      return address && key !== "poster" ? [address] : [];
    });
    const [address] = addresses;
    const ids = [...attributes].flatMap(([key, value]) =>
      idAttribute.test(key) ? (idList.exec(value)?.[0].match(/\d+/g) ?? []) : [],
    );
    if (/^(?:gallery|playlist)$/.test(name) || (!address && ids.length > 0)) {
      return filesOf(name, ids);
    }
    if (/^(?:audio|video)$/.test(name)) {
      if (address) return linkTo(address, label || name);
      return hasEnd ? "" : filesOf(name, ids);
    }
    const texts = written.map((text) => `<p>${text}</p>`).join("");
    if (address) return linksOf(name, attributes, { addresses, label, texts, frame });
    if (frame?.isInLine && written.length > 0) {
      frame.closing.set(name, ` (${written.join(", ")})`);
      return "";
    }
    // With nothing but a number, it shows something that the export does not have.
    const isElsewhere = !hasEnd && /^\d+$/.test(attributes.get("id") ?? "");
    if (written.length > 0 && !isElsewhere) return texts;
    return hasEnd || name === "embed" ? "" : lose(name);
  }

  /** The attachments with these numbers, or those of the post. */
  function filesOf(name: string, ids: readonly string[]): string {
    const type = /^(?:audio|video|playlist)$/.test(name) ? mediaFile : imageFile;
    const found =
      ids.length > 0
        ? ids.flatMap((id) => attachments.get(id) ?? [])
        : [...attachments.values()].filter(
            ({ parent, address }) => parent === postId && type.test(address),
          );
    if (found.length === 0 || found.length < ids.length) lose(name);
    return found
      .map(({ address, alt }) =>
        imageFile.test(address) ? imageTo(address, alt) : linkTo(address, alt || name),
      )
      .join("");
  }

  function lose(name: string): string {
    lost.add(name);
    return "";
  }
}

interface Words {
  addresses: readonly string[];
  label: string;
  /** All its words, as paragraphs. */
  texts: string;
  frame: Frame | null;
}

/** What the start of a shortcode with addresses becomes: the start of a link around its content, links, or images with its words. */
function linksOf(
  name: string,
  attributes: ReadonlyMap<string, string>,
  { addresses, label, texts, frame }: Words,
): string {
  const [address = ""] = addresses;
  const [button] = wordsOf(attributes, buttonLabels);
  if (frame && button) {
    frame.closing.set(name, linkTo(address, button));
    return texts;
  }
  if (frame && buttons.test(name) && !imageFile.test(address)) {
    frame.closing.set(name, "</a></div>");
    return `<div><a href="${quoted(address)}">`;
  }
  const images = addresses.filter((each) => imageFile.test(each));
  const others = addresses.filter((each) => !imageFile.test(each));
  const shown = images.map((each) => imageTo(each, attributes.get("alt"))).join("");
  if (others.length === 0) return shown + texts;
  const words = button || label || name.replace(/^(?:av|et_pb|fusion|vc)_/, "");
  return shown + others.map((each) => linkTo(each, words)).join("");
}

/** Puts hidden elements around the content of hidden blocks. */
function markHiddenBlocks(html: string): string {
  const open: boolean[] = [];
  return html.replace(delimiter, (whole, end?: string, json?: string, isEmpty?: string) => {
    const isHidden = end ? open.pop() : hiddenBlock.test(json ?? "");
    if (isEmpty) return isHidden ? "" : whole;
    if (!end) open.push(isHidden ?? false);
    if (!isHidden) return whole;
    return end ? `</div>${whole}` : `${whole}<div hidden>`;
  });
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = [...text.replace(/&(?:quot|#822[01]|#8243);/g, '"').matchAll(attribute)].map(
    ([, name = "", double, single, curly, bare, address]) =>
      [name.toLowerCase(), double ?? single ?? curly ?? bare ?? address ?? ""] as const,
  );
  return new Map(found);
}

/** Page builders write 'url:https%3A%2F%2Fa.example|title:Call' or 'manually,https://a.example'. */
function addressIn(value: string): string | undefined {
  const [, encoded] = /^url:([^|]+)/.exec(value) ?? [];
  const address = encoded ? tryDecoding(encoded) : value.replace(/^manually,/, "");
  return isAddress(address) ? address : undefined;
}

function tryDecoding(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && webAddress.test(value);
}

function linkTo(address: string, label: string): string {
  return imageFile.test(address)
    ? imageTo(address, label)
    : `<p><a href="${quoted(address)}">${label.replaceAll("<", "&lt;")}</a></p>`;
}

function imageTo(address: string, alt = ""): string {
  return `<p><img src="${quoted(address)}" alt="${quoted(alt)}"></p>`;
}

/** Whether a part of a text is alone in its line or element. */
function isAlone(text: string, start: number, end: number): boolean {
  return startsLine(text, start) && /^[^\S\n]*(?:$|[\r\n<[])/.test(text.slice(end, end + 100));
}

function startsLine(text: string, at: number): boolean {
  return /(?:^|[\n>\]])[^\S\n]*$/.test(text.slice(Math.max(0, at - 100), at));
}

/** The words in these attributes, each once. */
function wordsOf(attributes: ReadonlyMap<string, string>, names: readonly string[]): string[] {
  const words = names.map((name) => attributes.get(name)?.trim() ?? "");
  return [...new Set(words)].filter((each) => !noLabel.test(each) && !isAddress(each));
}

/** For an attribute. The text is HTML already. */
function quoted(html: string): string {
  return html.replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

function parseObject(json = ""): Record<string, unknown> {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}
