import fc from "fast-check";
import { expect, test } from "vitest";
import { blocksToText } from "../../posts/post-content.ts";
import {
  editedPostSchema,
  newPostSchema,
  postLimits,
  textToBlocks,
  toPostInput,
  unchangedTextSchema,
} from "./post-schema.ts";

test("blank lines separate paragraphs, with any line endings and spaces on them", () => {
  expect(textToBlocks("\r\n\r\nOne\r\n \t\r\nTwo\nstill two\n\n\n\n Three ")).toEqual([
    { type: "paragraph", text: "One" },
    { type: "paragraph", text: "Two\nstill two" },
    { type: "paragraph", text: "Three" },
  ]);
});

test("blank text has no blocks", () => {
  for (const text of ["", " ", "\n\n \r\n"]) expect(textToBlocks(text)).toEqual([]);
});

test("paragraphs survive the conversion to text and back", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b", " ", "-", "\n", "\r", "\t") }),
      (text) => {
        const once = textToBlocks(text);
        expect(textToBlocks(blocksToText(once))).toEqual(once);
      },
    ),
  );
});

const draft = {
  title: " A title ",
  category: "Taxes",
  text: "One.\n\nTwo.",
  relatedServices: ["estate-planning"],
  image: { path: "public/a.png", url: "https://example.com/a.png" },
  id: null,
  seenVersion: null,
};

test("a complete draft becomes the columns of a post, with trimmed texts", () => {
  expect(toPostInput(newPostSchema.parse(draft), draft.image.url)).toEqual({
    title: "A title",
    category: "Taxes",
    content: [
      { type: "paragraph", text: "One." },
      { type: "paragraph", text: "Two." },
    ],
    image_url: "https://example.com/a.png",
    related_services: [{ slug: "estate-planning" }],
  });
});

test.each([
  ["title", { title: " " }],
  ["category", { category: "" }],
  ["content", { text: " \n" }],
])("a post without a %s is incomplete", (_field, changes) => {
  expect(messagesOf(newPostSchema.safeParse({ ...draft, ...changes }))).toEqual([
    "Please fill out all fields and upload an image.",
  ]);
  expect(messagesOf(editedPostSchema.safeParse({ ...draft, ...changes }))).toEqual([
    "Please fill out all required fields.",
  ]);
});

test("a post whose blocks have blank text can be saved while its text is unchanged", () => {
  expect(unchangedTextSchema.safeParse({ ...draft, text: " \n" }).success).toBe(true);
  expect(messagesOf(unchangedTextSchema.safeParse({ ...draft, title: " " }))).toEqual([
    "Please fill out all required fields.",
  ]);
});

test("only a new post needs an image", () => {
  expect(messagesOf(newPostSchema.safeParse({ ...draft, image: null }))).toEqual([
    "Please fill out all fields and upload an image.",
  ]);
  expect(editedPostSchema.safeParse({ ...draft, image: null }).success).toBe(true);
});

test("lengths are counted in characters, not in UTF-16 units", () => {
  const title = "😀".repeat(postLimits.title);
  expect(editedPostSchema.safeParse({ ...draft, title }).success).toBe(true);
  expect(messagesOf(editedPostSchema.safeParse({ ...draft, title: `${title}x` }))).toEqual([
    "The title can have at most 500 characters.",
  ]);
});

function messagesOf(result: { error?: { issues: { message: string }[] } }) {
  return result.error?.issues.map(({ message }) => message);
}
