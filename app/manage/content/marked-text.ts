// The inline marks of the content field: **bold**, *italic* and [links](https://…).
// A backslash makes a mark plain text. Not Markdown's rules: docs/decisions/2026-11-22-post-text.md.
import {
  type Emphasis,
  emphases,
  isLinkTarget,
  type Mark,
  type MarkedText,
} from "../../posts/formatted-text.tsx";

const emphasisSigns: Record<Emphasis, string> = { bold: "**", italic: "*" };

interface Token {
  /** The shown text, without the characters of marks. */
  text: string;
  /** Asterisks that may form a mark. */
  stars?: { count: number; canOpen: boolean; canClose: boolean };
}

/** A mark from one token to another; neither is part of it. */
type Pair = { from: number; to: number } & ({ type: Emphasis } | { type: "link"; href: string });

export function parseMarkedText(source: string): { text: string; marks: Mark[] } {
  const { tokens, links } = tokenize(source);
  const emphasized = emphases.flatMap((type) => pairStars(tokens, type));
  for (const { type, from, to } of emphasized) {
    for (const token of [tokens[from], tokens[to]]) {
      if (token) token.text = token.text.slice(emphasisSigns[type].length);
    }
  }
  const text = tokens.map((token) => token.text).join("");
  const offsets = [0];
  for (const token of tokens) offsets.push((offsets.at(-1) ?? 0) + token.text.length);
  const marks = [...emphasized, ...links].map(({ from, to, ...mark }) => ({
    ...mark,
    start: offsets[from + 1] ?? 0,
    end: offsets[to] ?? 0,
  }));
  return { text, marks: normalizeMarks(text, marks) };
}

const tokenPattern = /\\([!-/:-@[-`{-~])|(\*+)|[[\]\\]|[^\\*[\]]+/y;

function tokenize(source: string) {
  const tokens: Token[] = [];
  const links: Extract<Pair, { type: "link" }>[] = [];
  /** The opening brackets that may start a link. */
  let openers: { token: number; at: number }[] = [];
  let at = 0;
  while (at < source.length) {
    const [found = "", escaped, stars = ""] = matchAt(tokenPattern, source, at) ?? [];
    const opener = found === "]" ? openers.pop() : undefined;
    const link = opener && source.slice(opener.at + 1, at).trim() ? targetAt(source, at) : null;
    if (opener && link) {
      links.push({ type: "link", from: opener.token, to: tokens.length, href: link.href });
      tokens[opener.token] = { text: "" };
      tokens.push({ text: "" });
      // Links do not nest.
      openers = [];
      at += link.length;
      continue;
    }
    if (found === "[") openers.push({ token: tokens.length, at });
    const [before = "", after = ""] = [source[at - 1], source[at + found.length]];
    tokens.push({
      text: escaped ?? found,
      stars:
        stars.length === 0 || stars.length > 3
          ? undefined
          : { count: stars.length, canOpen: after.trim() !== "", canClose: before.trim() !== "" },
    });
    at += found.length;
  }
  return { tokens, links };
}

/** What follows the text of a link. The address may contain pairs of brackets, and escaped ones. */
const targetPattern = /\]\(((?:\\\S|[^\s\\()]|\((?:\\\S|[^\s\\()])*\))+)\)/y;

function targetAt(source: string, at: number): { href: string; length: number } | null {
  const [found = "", address = ""] = matchAt(targetPattern, source, at) ?? [];
  const href = address.replace(/\\([!-/:-@[-`{-~])/g, "$1").replace(/^www\./i, "https://$&");
  return isLinkTarget(href) ? { href, length: found.length } : null;
}

/** @param pattern sticky */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Finds the asterisks that belong together. Unlike Markdown's emphasis, bold and italic text may overlap and may
 * start at any character but a space, because they are stored as ranges.
 */
function pairStars(tokens: readonly Token[], type: Emphasis) {
  const pairs: Extract<Pair, { type: Emphasis }>[] = [];
  let from = -1;
  let isEmpty = true;
  for (const [to, { text, stars }] of tokens.entries()) {
    if (!stars) {
      isEmpty &&= text === "";
    } else if (stars.count === 3 || stars.count === emphasisSigns[type].length) {
      if (from >= 0 && !isEmpty && stars.canClose) {
        pairs.push({ type, from, to });
        from = -1;
      } else if (stars.canOpen) {
        from = to;
        isEmpty = true;
      }
    }
  }
  return pairs;
}

/** Joins marks that touch. Keeps white space out of the edges of emphasis, where asterisks would not work. */
export function normalizeMarks(text: string, marks: readonly Mark[]): Mark[] {
  const latest = new Map<string, Mark>();
  const joined: Mark[] = [];
  for (const mark of marks.toSorted((a, b) => a.start - b.start)) {
    const kind = mark.type === "link" ? mark.href : mark.type;
    const last = latest.get(kind);
    if (last && mark.start <= last.end) {
      last.end = Math.max(last.end, mark.end);
    } else {
      const copy = { ...mark };
      latest.set(kind, copy);
      joined.push(copy);
    }
  }
  return joined
    .map((mark) => (isLink(mark) ? mark : { ...mark, ...trimmed(text, mark) }))
    .filter(({ start, end }) => start < end)
    .sort((a, b) => a.start - b.start || b.end - a.end || a.type.localeCompare(b.type));
}

export function trimmed(text: string, { start, end }: Mark) {
  const range = text.slice(start, end);
  return { start: end - range.trimStart().length, end: start + range.trimEnd().length };
}

/** Writes a text with its marks. The inverse of `parseMarkedText`. */
export function printMarkedText({ text, marks: stored = [] }: MarkedText): string {
  const marks = normalizeMarks(text, stored);
  const signs = marks
    .flatMap((mark) => {
      const [start, end] =
        mark.type === "link"
          ? ["[", `](${printTarget(mark.href)})`]
          : [emphasisSigns[mark.type], emphasisSigns[mark.type]];
      return [
        { at: mark.end, sign: end },
        { at: mark.start, sign: start },
      ];
    })
    // A link ends before other signs and starts after them.
    .sort((a, b) => a.at - b.at || linkOrder(a.sign) - linkOrder(b.sign));
  let written = "";
  let last = 0;
  for (const { at, sign } of [...signs, { at: text.length, sign: "" }]) {
    written += escapeMarks(text, last, at, marks) + sign;
    last = at;
  }
  return written;
}

function linkOrder(sign: string): number {
  return "]*[".indexOf(sign.charAt(0));
}

/** Escapes only what would be read as a mark, so that 'Guaranteed*' and '[1]' stay readable. */
function escapeMarks(text: string, start: number, end: number, marks: readonly Mark[]): string {
  return text.slice(start, end).replace(/[\\*[\]]/g, (character, offset: number) => {
    const at = start + offset;
    const next = text[at + 1] ?? "";
    const inLink = marks.some((mark) => isLink(mark) && mark.start <= at && at < mark.end);
    const isText = {
      "*": !next.trim() && !marks.some((mark) => mark.start - 1 <= at && at <= mark.end),
      "[": !inLink,
      "]": !inLink && next !== "(",
    }[character];
    return isText ? character : `\\${character}`;
  });
}

function isLink(mark: Mark): boolean {
  return mark.type === "link";
}

function printTarget(href: string): string {
  const target = targetAt(`](${href})`, 0);
  return target?.href === href && target.length === href.length + 3
    ? href
    : href.replace(/[\\()]/g, "\\$&");
}
