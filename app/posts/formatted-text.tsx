// Text with bold and italic parts and links: how it is stored, shown and sent to feed readers.

import { LinkifyIt } from "linkify-it";
import { Fragment, type ReactNode } from "react";
import { Link } from "react-router";
import { keysOf } from "../../supabase/functions/_shared/object-keys.ts";
import { useRootData } from "../config/use-site.ts";
import { escapeXml } from "../seo/xml.ts";
import { ExternalLink } from "../ui/external-link.tsx";

/** How each kind of emphasis is shown, the outer one first. */
const emphasisTypes = {
  bold: { tag: "strong", className: "font-semibold" },
  italic: { tag: "em", className: undefined },
} as const;

export type Emphasis = keyof typeof emphasisTypes;

export const emphases: readonly Emphasis[] = keysOf(emphasisTypes);

/** Formats a part of a text: UTF-16 offsets, `end` excluded. Marks of one type never overlap. */
export type Mark =
  | { type: Emphasis; start: number; end: number }
  | { type: "link"; start: number; end: number; href: string };

type LinkMark = Extract<Mark, { type: "link" }>;

export interface MarkedText {
  text: string;
  marks?: readonly Mark[];
}

/** The valid marks of a text, sorted by their start. */
export function parseMarks(text: string, stored: unknown): Mark[] {
  if (!Array.isArray(stored)) return [];
  const ends: Record<string, number> = {};
  return stored
    .flatMap((mark) => parseMark(text, Object(mark)))
    .sort((a, b) => a.start - b.start)
    .filter(({ type, start, end }) => {
      if (start < (ends[type] ?? 0)) return false;
      ends[type] = end;
      return true;
    });
}

function parseMark(text: string, { type, start, end, href }: Record<string, unknown>): Mark[] {
  if (!isOffset(text, start) || !isOffset(text, end) || start >= end) return [];
  const emphasis = emphases.find((known) => known === type);
  if (emphasis) return [{ type: emphasis, start, end }];
  const isLink = type === "link" && typeof href === "string" && isLinkTarget(href);
  return isLink ? [{ type, start, end, href }] : [];
}

/** Whether a text can be split there: not inside a surrogate pair. */
function isOffset(text: string, at: unknown): at is number {
  if (typeof at !== "number" || !Number.isInteger(at) || at < 0 || at > text.length) return false;
  return at === 0 || (text.codePointAt(at - 1) ?? 0) <= 0xffff;
}

/** Whether a link in a post may lead there: a web address, an email address, a telephone number, or a path of this site. */
export function isLinkTarget(href: string): boolean {
  return (
    /^(?:(?:https?:\/\/|mailto:|tel:)[^\s\p{Cc}]|\/(?![/\\]))[^\s\p{Cc}]*$/iu.test(href) &&
    URL.canParse(href, unknownSite)
  );
}

/** Completes a path of a site whose address is not known. */
const unknownSite = "https://site.invalid";

const www = "www.";

// Links only unmistakable web addresses: 'file.md' and 'ada@example.com' stay text.
const webAddresses = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false })
  .add("ftp:", null)
  .add("mailto:", null)
  .add("//", null)
  .add(www, {
    validate(text, end, { re }) {
      // Not in the middle of an email address, a path or a longer host name.
      if (/[@./\\-]/.test(text[end - www.length - 1] ?? "")) return 0;
      const rest = re.get_relative_proto_validator();
      rest.lastIndex = end;
      return rest.exec(text)?.[0].length ?? 0;
    },
    normalize(match) {
      match.url = `https://${match.url}`;
    },
  });

/** The web addresses in a text that start with http, https or 'www.', as links. */
export function findAddresses(text: string): LinkMark[] {
  return (webAddresses.match(text) ?? [])
    .filter(({ url }) => URL.canParse(url))
    .map(({ index, lastIndex, url }) => ({
      type: "link",
      start: index,
      end: lastIndex,
      href: url,
    }));
}

/** A part of a text with one link target, or without. */
interface TextRun {
  href?: string;
  pieces: { text: string; emphases: Emphasis[] }[];
}

/** Splits a text at its links and marks. Web addresses become links, except inside a marked link. */
export function formatText({ text, marks = [] }: MarkedText): TextRun[] {
  const links = marks.filter((mark) => mark.type === "link");
  const all = [...marks, ...addressesOutside(links, text)];
  const edges = all
    .flatMap((mark) => [
      { at: mark.start, mark },
      { at: mark.end, mark },
    ])
    .sort((a, b) => a.at - b.at);
  const open = new Set<Mark>();
  const runs: TextRun[] = [];
  let [start, runLink]: [number, LinkMark | undefined] = [0, undefined];
  for (const { at, mark } of [...edges, { at: text.length, mark: null }]) {
    if (at > start) {
      const link = [...open].find((candidate) => candidate.type === "link");
      if (runs.length === 0 || link !== runLink) runs.push({ href: link?.href, pieces: [] });
      const emphasized = emphases.filter((type) => [...open].some((other) => other.type === type));
      runs.at(-1)?.pieces.push({ text: text.slice(start, at), emphases: emphasized });
      [start, runLink] = [at, link];
    }
    if (mark && !open.delete(mark)) open.add(mark);
  }
  return runs;
}

/** The web addresses of a text that overlap none of its links. */
function addressesOutside(links: readonly LinkMark[], text: string): LinkMark[] {
  return findAddresses(text).filter(
    (address) => !links.some(({ start, end }) => start < address.end && address.start < end),
  );
}

export function FormattedText(marked: MarkedText) {
  const parts = formatText(marked).map(({ href, pieces }, index) => {
    const content = pieces.map(({ text, emphases }, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no id and never move.
      <Fragment key={place}>{emphases.reduceRight<ReactNode>(emphasize, text)}</Fragment>
    ));
    return href ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a text have no id and never move.
      <TextLink key={index} href={href}>
        {content}
      </TextLink>
    ) : (
      content
    );
  });
  // Another text is another element: a translator may have replaced the texts in this one.
  return <span key={JSON.stringify(marked)}>{parts}</span>;
}

function emphasize(content: ReactNode, type: Emphasis): ReactNode {
  const { tag: Tag, className } = emphasisTypes[type];
  return <Tag className={className}>{content}</Tag>;
}

const linkClass =
  "font-medium text-evergreen underline decoration-clay/60 underline-offset-4 hover:decoration-clay";

/** A link to another site, to a page or file of this one, or to a mail or telephone program. */
function TextLink({ href, children }: { href: string; children: ReactNode }) {
  const { siteUrl = unknownSite } = useRootData()?.settings ?? {};
  const { origin, pathname, search, hash } = new URL(href, siteUrl);
  if (origin === siteUrl) {
    return (
      <Link
        to={pathname + search + hash}
        // The router does not serve files.
        reloadDocument={pathname.includes(".")}
        className={linkClass}
      >
        {children}
      </Link>
    );
  }
  const Element = /^http/i.test(href) ? ExternalLink : "a";
  return (
    <Element href={href} className={linkClass}>
      {children}
    </Element>
  );
}

export function textToHtml(marked: MarkedText, siteUrl: string): string {
  return formatText(marked)
    .map(({ href, pieces }) => {
      const html = pieces.map(({ text, emphases }) =>
        emphases.reduceRight(
          (inner, type) => {
            const { tag } = emphasisTypes[type];
            return `<${tag}>${inner}</${tag}>`;
          },
          escapeXml(text).replace(/\r?\n/g, "<br>"),
        ),
      );
      const address = href?.startsWith("/") ? siteUrl + href : href;
      return address ? `<a href="${escapeXml(address)}">${html.join("")}</a>` : html.join("");
    })
    .join("");
}
