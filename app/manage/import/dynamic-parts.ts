// What WordPress fills in when it shows a post: shortcodes such as [gallery ids="1,2"], blocks without content, footnotes.

export interface Attachment {
  address: string;
  alt: string;
  /** The number of the post to which it was uploaded. */
  parent: string;
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
const withoutText = /^(?:more|nextpage|separator|spacer)$/;
const webAddress = /^(?:https?:)?\/\/[^\s"<>]+$/i;
export const imageFile = /\.(?:avif|gif|jpe?g|png|webp)(?:$|[?#])/i;
const mediaFile = /\.(?:avi|m4[av]|mov|mp[34]|mpe?g|og[agv]|wav|webm)(?:$|[?#])/i;
const labels = ["title", "text", "label", "heading", "caption", "content", "button_text"];

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
    replaceBlocks(html).replace(
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
      return address ? linkTo(address, name) : lose(name === "block" ? "reusable block" : name);
    });
  }

  function replaceShortcodes(text: string): string {
    const ends = new Set(
      [...text.matchAll(/\[\/([a-z][\w-]*)\]/gi)].map(([, name = ""]) => name.toLowerCase()),
    );
    /** What the end of a shortcode becomes. */
    const closing = new Map<string, string>();
    return text.replace(
      shortcode,
      (whole, before: string, slash: string, written: string, rest: string, after: string) => {
        if (before && after) return whole.slice(1, -1);
        const name = written.toLowerCase();
        const attributes = attributesOf(rest);
        const hasEnd = ends.has(name);
        // Other brackets, such as [sic].
        if (!hasEnd && !known.test(name) && attributes.size === 0) return whole;
        if (!slash) return before + startOf(name, attributes, hasEnd, closing) + after;
        const end = closing.get(name) ?? "";
        closing.delete(name);
        return before + end + after;
      },
    );
  }

  function startOf(
    name: string,
    attributes: ReadonlyMap<string, string>,
    hasEnd: boolean,
    closing: Map<string, string>,
  ): string {
    const label = labels.map((key) => attributes.get(key)).find(Boolean) ?? "";
    if (/^(?:wp_)?caption$/.test(name)) {
      if (label) closing.set(name, ` ${label}`);
      return "";
    }
    if (/^(?:gallery|playlist)$/.test(name)) return filesOf(name, attributes);
    const addresses = [...attributes].flatMap(([key, value]) => {
      const address = addressIn(value);
      return address && key !== "poster" ? [address] : [];
    });
    const [address] = addresses;
    if (/^(?:audio|video)$/.test(name)) {
      if (address) return linkTo(address, label || name);
      return hasEnd ? "" : filesOf(name, attributes);
    }
    if (!address) return label ? `<p>${label}</p>` : hasEnd || name === "embed" ? "" : lose(name);
    if (hasEnd && /button|btn|link|cta/.test(name)) {
      closing.set(name, "</a>");
      return `<a href="${quoted(address)}">`;
    }
    return addresses.map((each) => linkTo(each, label || name)).join("");
  }

  /** The attachments that a gallery names, or those of the post. */
  function filesOf(name: string, attributes: ReadonlyMap<string, string>): string {
    const ids = (attributes.get("ids") ?? attributes.get("include") ?? "").match(/\d+/g);
    const type = name === "gallery" ? imageFile : mediaFile;
    const found = ids
      ? ids.flatMap((id) => attachments.get(id) ?? [])
      : [...attachments.values()].filter(
          ({ parent, address }) => parent === postId && type.test(address),
        );
    if (found.length === 0 || found.length < (ids?.length ?? 0)) lose(name);
    return found.map(({ address, alt }) => linkTo(address, alt || name)).join("");
  }

  function lose(name: string): string {
    lost.add(name);
    return "";
  }
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(attribute)].map(
    ([, name = "", double, single, curly, bare, address]) =>
      [name.toLowerCase(), double ?? single ?? curly ?? bare ?? address ?? ""] as const,
  );
  return new Map(found);
}

/** Page builders write 'url:https%3A%2F%2Fa.example|title:Call'. */
function addressIn(value: string): string | undefined {
  const [, encoded] = /^url:([^|]+)/.exec(value) ?? [];
  const address = encoded ? tryDecoding(encoded) : value;
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
  const href = quoted(address);
  return imageFile.test(address)
    ? `<p><img src="${href}" alt="${label === "gallery" ? "" : quoted(label)}"></p>`
    : `<p><a href="${href}">${label.replaceAll("<", "&lt;")}</a></p>`;
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
