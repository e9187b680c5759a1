// Parses the XML of exports and feeds, also where it is damaged: unknown entities and character references, undeclared prefixes,
// text before and after the document, a missing end. Entities that a file declares are not expanded.
import { Parser } from "htmlparser2";
import { escapeXml } from "../../seo/xml.ts";

export interface FeedElement {
  /** In lower case, with the usual prefix of its namespace; none for RSS and Atom. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: FeedElement[];
  /** The text between its children. */
  text: string;
  /** What is between its tags. */
  source: string;
}

export interface Feed {
  /** Of RSS and RDF the channel, of Atom the feed. */
  channel: FeedElement;
  items: FeedElement[];
  /** The item in which the file ends, which is not among the others. */
  cutOff?: FeedElement;
  /** Whether the end of the document is missing. */
  isCutOff: boolean;
}

const prefixes: readonly [namespace: RegExp, prefix: string][] = [
  [/^https?:\/\/(?:www\.)?w3\.org\/2005\/atom$/i, ""],
  [/^https?:\/\/purl\.org\/(?:atom\/ns|rss\/1\.0\/$|net\/rss)/i, ""],
  [/^https?:\/\/backend\.userland\.com\/rss/i, ""],
  [/^https?:\/\/purl\.org\/rss\/1\.0\/modules\/content/i, "content"],
  [/^https?:\/\/purl\.org\/dc\//i, "dc"],
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/excerpt/i, "excerpt"],
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/?$/i, "wp"],
  [/^https?:\/\/search\.yahoo\.com\/mrss/i, "media"],
  [/^https?:\/\/www\.w3\.org\/1999\/02\/22-rdf/i, "rdf"],
  [/^https?:\/\/www\.w3\.org\/2007\/app$|^https?:\/\/purl\.org\/atom\/app/i, "app"],
  [/^https?:\/\/purl\.org\/syndication\/thread/i, "thr"],
  [/^https?:\/\/schemas\.google\.com\/blogger\//i, "blogger"],
];
/** Prefixes that files use for RSS and Atom, also without a declaration. */
const undeclared: Readonly<Record<string, string>> = { atom: "", a10: "", rss: "" };

const roots = /^(?:rss|feed|rdf:rdf|channel)$/;
// XML forbids these characters, which also come from character references.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed.
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** @returns null when the text has no feed */
export function parseFeed(xml: string): Feed | null {
  const declared = new Map(Object.entries(undeclared));
  const items: FeedElement[] = [];
  const open: (FeedElement & { start: number })[] = [];
  const state: {
    root?: FeedElement;
    item?: FeedElement;
    channel?: FeedElement;
    cutOff?: FeedElement;
  } = {};
  let isCutOff = false;
  let hasEnded = false;

  const parser = new Parser(
    {
      onopentag(tag, rawAttributes) {
        const attributes = Object.fromEntries(
          Object.entries(rawAttributes).map(([name, value]) => [name, clean(value)]),
        );
        for (const [name, value] of Object.entries(attributes)) declare(name, value);
        const name = nameOf(tag);
        const element = {
          name,
          attributes,
          children: [],
          text: "",
          source: "",
          start: parser.endIndex + 1,
        };
        open.at(-1)?.children.push(element);
        open.push(element);
        if (!state.root && !hasEnded && roots.test(name)) state.root = element;
        if (!state.root) return;
        if (name === "channel" || name === "feed") state.channel ??= element;
        if (name === "item" || name === "entry") {
          // A file may have lost its channel.
          state.channel ??= state.root;
          state.item = element;
          items.push(element);
        }
      },
      ontext(text) {
        const element = open.at(-1);
        if (element && state.root) element.text += text;
      },
      onclosetag(_, isImplied) {
        const element = open.pop();
        if (!element) return;
        // Of a tag that closes itself, the text starts behind it.
        element.source = xml.slice(element.start, Math.max(element.start, parser.startIndex));
        element.text = clean(element.text);
        if (element === state.item) {
          if (hasEnded || (isImplied && parser.endIndex >= xml.length - 1)) state.cutOff = element;
          delete state.item;
        }
        if (element === state.root) {
          isCutOff = isImplied;
          hasEnded = true;
          delete state.root;
        }
      },
    },
    { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.write(xml);
  parser.end();

  const { channel, cutOff } = state;
  if (!channel) return null;
  return {
    channel,
    items: items.filter((item) => item !== cutOff),
    isCutOff,
    ...(cutOff && { cutOff }),
  };

  function declare(name: string, namespace: string): void {
    if (!name.startsWith("xmlns:")) return;
    const [, prefix] = prefixes.find(([known]) => known.test(namespace)) ?? [];
    if (prefix !== undefined) declared.set(name.slice("xmlns:".length), prefix);
  }

  function nameOf(tag: string): string {
    const at = tag.indexOf(":");
    const prefix = declared.get(tag.slice(0, Math.max(0, at)));
    if (prefix === undefined) return tag;
    return prefix ? `${prefix}:${tag.slice(at + 1)}` : tag.slice(at + 1);
  }
}

function clean(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(forbidden, "");
}

/** Children by their name with its prefix: not media:title for a title. */
export function childrenOf(parent: FeedElement, ...names: string[]): FeedElement[] {
  return parent.children.filter(({ name }) => names.includes(name));
}

/** The text of the first of these names that has one. */
export function textOf(parent: FeedElement, ...names: string[]): string {
  const texts = names.flatMap((name) => childrenOf(parent, name)).map(({ text }) => text.trim());
  return texts.find((text) => text !== "") ?? "";
}

/** The content of an element as HTML, which is escaped, in CDATA, or made of elements. */
export function htmlOf({ attributes, children, text, source }: FeedElement): string {
  if (attributes.type === "text" || attributes.type === "text/plain") return escapeXml(text);
  if (children.length === 0) return text.trim();
  return clean(source)
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, data: string) => escapeXml(data))
    .replace(/<(\/?)[a-z]+:/gi, "<$1")
    .replace(
      /<(?!(?:area|br|col|embed|hr|img|input|source|track|wbr)\b)(\w+)([^<>]*)\/>/gi,
      "<$1$2></$1>",
    )
    .trim();
}
