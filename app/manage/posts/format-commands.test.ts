import { expect, test } from "vitest";
import {
  insertBlocks,
  insertLink,
  isAddress,
  type TextEdit,
  toggleEmphasis,
  toggleLines,
} from "./format-commands.ts";

/** A text with its selection between two bars, or its cursor at one bar. */
function select(marked: string) {
  const [before = "", selected = "", after] = marked.split("|");
  const text = after === undefined ? before + selected : before + selected + after;
  const end = after === undefined ? before.length : before.length + selected.length;
  return { text, selectionStart: before.length, selectionEnd: end };
}

function show({ text }: { text: string }, edit: TextEdit): string {
  const { start, end, replacement, selectionStart, selectionEnd } = edit;
  const result = text.slice(0, start) + replacement + text.slice(end);
  const isCursor = selectionStart === selectionEnd;
  const selected = isCursor ? "" : `${result.slice(selectionStart, selectionEnd)}|`;
  return `${result.slice(0, selectionStart)}|${selected}${result.slice(selectionEnd)}`;
}

test.each([
  ["a line becomes a heading", "One\nT|wo\nThree", "heading", "One\n## Two|\nThree"],
  ["a heading becomes a paragraph again", "## T|wo", "heading", "Two|"],
  ["selected lines become items", "|One\nTwo|", "list", "|- One\n- Two|"],
  ["items become numbered", "|- One\n- Two|", "numbered-list", "|1. One\n2. Two|"],
  ["blank lines between items stay", "|One\n\nTwo|", "list", "|- One\n\n- Two|"],
  ["numbered items become lines again", "|1. One\n2. Two|", "numbered-list", "|One\nTwo|"],
  ["an empty line starts a list", "One\n|", "list", "One\n- |"],
  ["a line becomes a note", "R|emember", "note", "!! Remember|"],
] as const)("%s", (_what, before, mark, after) => {
  const selected = select(before);
  expect(show(selected, toggleLines(selected, mark))).toBe(after);
});

test.each([
  ["selected text becomes bold", "a |b| c", "bold", "a **|b|** c"],
  ["bold text becomes plain", "a **|b|** c", "bold", "a |b| c"],
  ["bold text becomes italic, too", "a **|b|** c", "italic", "a ***|b|*** c"],
  ["bold and italic text becomes italic", "a ***|b|*** c", "bold", "a *|b|* c"],
  ["spaces stay outside of the asterisks", "a| b |c", "italic", "a *|b|* c"],
  ["the cursor is put between the asterisks", "a |", "bold", "a **|**"],
] as const)("%s", (_what, before, type, after) => {
  const selected = select(before);
  expect(show(selected, toggleEmphasis(selected, type))).toBe(after);
});

test("a link's address is selected to be typed", () => {
  const selected = select("see |the guide| now");
  expect(show(selected, insertLink(selected))).toBe("see [the guide](|https://|) now");
  expect(show(selected, insertLink(selected, "https://a.example"))).toBe(
    "see [the guide](https://a.example)| now",
  );
});

test("an inserted block stands between blank lines", () => {
  const selected = select("One |two");
  expect(show(selected, insertBlocks(selected, "## A"))).toBe("One \n\n## A|\n\ntwo");
  const between = select("One\n\n|\n\ntwo");
  expect(show(between, insertBlocks(between, "## A"))).toBe("One\n\n## A|\n\ntwo");
});

test("only a whole address makes the selected text a link", () => {
  expect(isAddress(" https://a.example/b?c=d ")).toBe(true);
  expect(isAddress("tel:+15035550199")).toBe(true);
  expect(isAddress("see https://a.example")).toBe(false);
  expect(isAddress("javascript:alert(1)")).toBe(false);
});
