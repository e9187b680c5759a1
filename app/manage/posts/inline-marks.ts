// Bold, italic and links: rules for markdown-it, and the marks that they become.
import type { StateInline, Token } from "markdown-it";
import { isLinkTarget, type Mark } from "../../posts/post-content.ts";

/** A run of one (italic), two (bold) or three asterisks. Which of them match is decided in `pairStars`. */
export function stars(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src[pos] !== "*") return false;
  let end = pos;
  while (end < posMax && src[end] === "*") end++;
  state.pos = end;
  if (silent) return true;
  if (end - pos > 3) {
    state.pending += src.slice(pos, end);
    return true;
  }
  const token = state.push("stars", "", 0);
  token.markup = src.slice(pos, end);
  const isText = (character = " ") => !/\s/.test(character);
  token.info = `${isText(src[end]) ? "opens" : ""} ${isText(src[pos - 1]) ? "closes" : ""}`;
  return true;
}

/** `[text](address)`. Markdown's own rule drops titles and empty links. */
export function link(state: StateInline, silent: boolean): boolean {
  const { md, src, pos, posMax } = state;
  if (src[pos] !== "[") return false;
  const labelEnd = md.helpers.parseLinkLabel(state, pos, true);
  if (labelEnd < 0 || src[labelEnd + 1] !== "(") return false;
  if (src.slice(pos + 1, labelEnd).trim() === "") return false;
  const target = md.helpers.parseLinkDestination(src, labelEnd + 2, posMax);
  const isLink = target.ok && target.pos < posMax && src[target.pos] === ")";
  if (!isLink || !isLinkTarget(target.str)) return false;
  if (!silent) {
    state.push("link_open", "a", 1).attrs = [["href", target.str]];
    state.pos = pos + 1;
    state.posMax = labelEnd;
    md.inline.tokenize(state);
    state.push("link_close", "a", -1);
  }
  state.pos = target.pos + 1;
  state.posMax = posMax;
  return true;
}

/** The text of inline tokens, and its marks. */
export function readInline(tokens: readonly Token[]): { text: string; marks: Mark[] } {
  const pairs = pairStars(tokens);
  const starts = { bold: 0, italic: 0, link: 0 };
  const marks: Mark[] = [];
  let text = "";
  let href = "";
  for (const token of tokens) {
    if (token.type === "stars") {
      const { closes = [], opens = [] } = pairs.get(token) ?? {};
      for (const kind of closes) {
        marks.push({ type: kind, start: starts[kind], end: text.length });
      }
      const used = [...closes, ...opens].reduce((sum, kind) => sum + starCounts[kind], 0);
      text += token.markup.slice(used);
      for (const kind of opens) starts[kind] = text.length;
    } else if (token.type === "link_open") {
      starts.link = text.length;
      href = String(token.attrGet("href"));
    } else if (token.type === "link_close") {
      marks.push({ type: "link", start: starts.link, end: text.length, href });
    } else {
      text += token.type === "hardbreak" ? "\\\n" : token.content;
    }
  }
  return { text, marks: normalizeMarks(text, marks) };
}

const starCounts = { bold: 2, italic: 1 } as const;
type Emphasis = keyof typeof starCounts;

/**
 * Finds the asterisks that belong together. Unlike Markdown's emphasis, bold and italic text may overlap and may
 * start at any character but a space, because they are stored as ranges.
 */
function pairStars(tokens: readonly Token[]) {
  const pairs = new Map<Token, Record<"opens" | "closes", Emphasis[]>>();
  const pairOf = (token: Token) => {
    const pair = pairs.get(token) ?? { opens: [], closes: [] };
    pairs.set(token, pair);
    return pair;
  };
  for (const kind of ["bold", "italic"] as const) {
    let opener: Token | null = null;
    let isEmpty = true;
    for (const token of tokens) {
      if (token.type !== "stars") {
        if (token.nesting === 0 && token.content !== "") isEmpty = false;
        continue;
      }
      const { length } = token.markup;
      if (length !== 3 && length !== starCounts[kind]) continue;
      if (opener && !isEmpty && token.info.includes("closes")) {
        pairOf(opener).opens.push(kind);
        pairOf(token).closes.push(kind);
        opener = null;
      } else if (token.info.includes("opens")) {
        opener = token;
        isEmpty = true;
      }
    }
  }
  return pairs;
}

/** Joins emphasis that touches, and keeps white space out of its edges, where asterisks would not work. */
export function normalizeMarks(text: string, marks: readonly Mark[]): Mark[] {
  if (marks.length === 0) return [];
  const links = marks.filter(({ type, start, end }) => type === "link" && start < end);
  const emphasis = (["bold", "italic"] as const).flatMap((type) => {
    const ranges: { start: number; end: number }[] = [];
    const sorted = marks.filter((mark) => mark.type === type).sort((a, b) => a.start - b.start);
    for (const { start, end } of sorted) {
      const last = ranges.at(-1);
      if (last && start <= last.end) last.end = Math.max(last.end, end);
      else ranges.push({ start, end });
    }
    return ranges.flatMap(({ start, end }) => {
      const range = text.slice(start, end);
      const trimmed = range.trim();
      const from = start + range.length - range.trimStart().length;
      return trimmed === "" ? [] : [{ type, start: from, end: from + trimmed.length }];
    });
  });
  return [...emphasis, ...links].sort((a, b) => a.start - b.start || b.end - a.end);
}
