import fc from "fast-check";
import { expect, test } from "vitest";
import {
  applyEdit,
  continueList,
  dropEmptyMarks,
  formatsAt,
  insertBlocks,
  insertLink,
  pasteLink,
  type TextEdit,
  toggleEmphasis,
  toggleLines,
} from "./format-commands.ts";
import { blocksToText, textToBlocks } from "./marked-blocks.ts";

/** A text with its selection between two bars, or its cursor at one bar. */
function select(marked: string) {
  const [before = "", selected = "", after] = marked.split("|");
  const text = after === undefined ? before + selected : before + selected + after;
  const end = after === undefined ? before.length : before.length + selected.length;
  return { text, selectionStart: before.length, selectionEnd: end };
}

function show({ text }: { text: string }, edit: TextEdit | null): string | null {
  if (!edit) return null;
  const { selectionStart, selectionEnd } = edit;
  const result = applyEdit(text, edit);
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
  ["any numbered item becomes a line again", "1. One\n2. T|wo", "numbered-list", "1. One\nTwo|"],
  ["an indented item becomes a line again", "  - O|ne", "list", "One|"],
  ["an indented item becomes numbered", "  - O|ne", "numbered-list", "1. One|"],
  ["a year stays", "1986. W|as", "heading", "## 1986. Was|"],
  ["the line after a selected line break stays", "|One\n|Two", "list", "|- One|\nTwo"],
  ["an empty first line is a line", "|\n## Two", "list", "- |\n## Two"],
] as const)("%s", (_what, before, mark, after) => {
  const selected = select(before);
  expect(show(selected, toggleLines(selected, mark))).toBe(after);
});

test.each([
  ["selected text becomes bold", "a |b| c", "bold", "a **|b|** c"],
  ["bold text becomes plain", "a **|b|** c", "bold", "a |b| c"],
  ["bold text selected with its asterisks becomes plain", "a |**b**| c", "bold", "a |b| c"],
  ["asterisks alone cannot be emphasized", "a |**|b**", "bold", null],
  ["half a mark counts as selected", "a *|*b**| c", "bold", "a |b| c"],
  ["bold text becomes italic, too", "a **|b|** c", "italic", "a ***|b|*** c"],
  ["bold and italic text becomes italic", "a ***|b|*** c", "bold", "a *|b|* c"],
  ["spaces stay outside of the asterisks", "a| b |c", "italic", "a *|b|* c"],
  ["a part of bold text becomes plain", "**on|e t|wo**", "bold", "**on**|e t|**wo**"],
  ["partly bold text becomes bold", "|a **b** c|", "bold", "**|a b c|**"],
  ["text beside bold text joins it", "**a**|b|", "bold", "**a|b|**"],
  [
    "each paragraph and item has its own asterisks",
    "|One\n\n- Two\n## No\n> Three|",
    "bold",
    "**|One**\n\n- **Two**\n## No\n> **Three|**",
  ],
  ["they are all removed", "|**One**\n\n- **Two**|", "bold", "|One\n\n- Two|"],
  [
    "everything else stays as it is written",
    "2*3 \\- [a](www.b.de) |c|",
    "bold",
    "2*3 \\- [a](www.b.de) **|c|**",
  ],
  ["at the cursor, bold starts", "a |", "bold", "a **|**"],
  ["nothing typed leaves no asterisks", "a **|**", "bold", "a |"],
  ["bold ends behind what was typed", "a **b|**", "bold", "a **b**|"],
  ["a space typed last stays outside", "a **b |**", "bold", "a **b** |"],
  ["bold continues behind bold text", "a **b**|", "bold", "a **b|**"],
  ["inside of bold text, all of it becomes plain", "a **b|c** d", "bold", "a b|c d"],
  ["italic starts within bold", "**b|**", "italic", "**b*|***"],
  ["italic ends within bold", "**b*c|***", "italic", "**b*c*|**"],
  ["bold ends before italic", "**b*c|***", "bold", "**b*c**|*"],
  ["bold starts behind italic", "*b*|", "bold", "*b***|**"],
  ["one of two that are empty ends", "***|***", "bold", "*|*"],
  ["a heading is not emphasized", "## One|", "bold", null],
] as const)("%s", (_what, before, type, after) => {
  const selected = select(before);
  expect(show(selected, toggleEmphasis(selected, type))).toBe(after);
});

test("in any text, switching bold or italic changes whether it is on", () => {
  const parts = ["a", "bc", " ", "\n", "**b**", "*i i*", "***c***", "**b*", "*c**", "- "];
  const sources = fc.string({ unit: fc.constantFrom(...parts), maxLength: 14 });
  const types = fc.constantFrom("bold" as const, "italic" as const);
  fc.assert(
    fc.property(sources, fc.nat(), fc.nat(), types, (source, from, to, type) => {
      const text = blocksToText(textToBlocks(source));
      // Asterisks that are no marks can join those that are.
      fc.pre(!JSON.stringify(textToBlocks(source)).includes("*"));
      const [a, b] = [from % (text.length + 1), to % (text.length + 1)];
      fc.pre(a !== b || text.slice(a - 1, a + 1) !== "**");
      const before = { text, selectionStart: Math.min(a, b), selectionEnd: Math.max(a, b) };
      const edit = toggleEmphasis(before, type);
      fc.pre(edit !== null);
      const after = { ...edit, text: applyEdit(text, edit) };
      expect(formatsAt(after).has(type)).toBe(!formatsAt(before).has(type));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["an item follows", "- One|", "- One\n- |"],
  ["the rest of an item moves", "- One| two", "- One\n- |two"],
  ["selected text is replaced", "- One| two\n- thr|ee", "- One\n- |ee"],
  ["a second line of an item is part of it", "- One\n  more|", "- One\n  more\n- |"],
  ["before its mark, an item moves down as it is", "One\n|- Two", null],
  ["indentation stays", "  - One|", "  - One\n  - |"],
  ["an empty item ends the list", "- One\n- |", "- One\n\n|"],
  ["an empty item alone leaves nothing", "- |", "|"],
  ["an empty item splits the list", "- One\n- |\n- Two", "- One\n\n|\n- Two"],
  ["the next number follows", "1. One|", "1. One\n2. |"],
  [
    "later items are counted on",
    "1. One|\n2. Two\n3. Three\nEnd",
    "1. One\n2. |\n3. Two\n4. Three\nEnd",
  ],
  ["numbers start again in a split list", "1. One\n2. |\n3. Two", "1. One\n\n|\n1. Two"],
  ["other text has no items", "One|", null],
  ["headings do not continue", "## One|", null],
  ["dates are no lists", "2026 - One|", null],
  ["years are no lists", "1986. Was|", null],
  ["years are no later items", "1. One|\n1986. Was", "1. One\n2. |\n1986. Was"],
])("a line break: %s", (_what, before, after) => {
  const selected = select(before);
  expect(show(selected, continueList(selected))).toBe(after);
});

test("asterisks around nothing are removed where the cursor was", () => {
  expect(show(select("a ****b |c"), dropEmptyMarks(select("a ****b |c"), 4))).toBe("a b |c");
  expect(show(select("a ***|*"), dropEmptyMarks(select("a ***|*"), 4))).toBe("a |");
  expect(show(select("|a **b**"), dropEmptyMarks(select("|a **b**"), 4))).toBeNull();
  expect(dropEmptyMarks(select("a **b**|"), 4)).toBeNull();
});

test.each([
  ["a **b|** c", ["bold"]],
  ["a **b**| c", []],
  ["a **|** c", ["bold"]],
  ["- ***b|***", ["list", "bold", "italic"]],
  ["a |*b*| c", ["italic"]],
  ["a |*b* c|", []],
  ["2. a|", ["numbered-list"]],
  ["1986. a|", []],
  ["|\n## a", []],
  ["## **a|**", ["heading"]],
])("the formats of %j are %j", (text, formats) => {
  expect([...formatsAt(select(text))]).toEqual(formats);
});

test("a link's address is selected to be typed", () => {
  const selected = select("see |the guide| now");
  expect(show(selected, insertLink(selected))).toBe("see [the guide](|https://|) now");
  expect(show(selected, insertLink(selected, "https://a.example"))).toBe(
    "see [the guide](https://a.example)| now",
  );
  const spaced = select("see| the guide |now");
  expect(show(spaced, insertLink(spaced))).toBe("see [the guide](|https://|) now");
});

test("a heading, and the text of several blocks, cannot be a link", () => {
  for (const text of ["## |One|", "|One\n\nTwo|", "|- One|"]) {
    expect(insertLink(select(text))).toBeNull();
    expect(pasteLink(select(text), "https://a.example")).toBeNull();
  }
});

test("an inserted block stands between blank lines", () => {
  const selected = select("One |two");
  expect(show(selected, insertBlocks(selected, "## A"))).toBe("One \n\n## A|\n\ntwo");
  const between = select("One\n\n|\n\ntwo");
  expect(show(between, insertBlocks(between, "## A"))).toBe("One\n\n## A|\n\ntwo");
});

test("a pasted address becomes the link of selected words, but replaces an address", () => {
  const paste = (text: string, pasted: string) => {
    const selected = select(text);
    return show(selected, pasteLink(selected, pasted));
  };
  expect(paste("see |this|", " https://a.example/b?c=d ")).toBe(
    "see [this](https://a.example/b?c=d)|",
  );
  expect(paste("|this|", "tel:+15035550199")).toBe("[this](tel:+15035550199)|");
  expect(paste("|this|", "www.a.example")).toBe("[this](www.a.example)|");
  expect(paste("[this](|https://|)", "https://a.example")).toBeNull();
  expect(paste("this|", "https://a.example")).toBeNull();
  expect(paste("|this|", "see https://a.example")).toBeNull();
  expect(paste("|this|", "javascript:alert(1)")).toBeNull();
});
