import { expect, test } from "vitest";
import {
  editedPostSchema,
  fitsContent,
  newPostSchema,
  postLimits,
  toPostInput,
  unchangedTextSchema,
} from "./post-schema.ts";

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

test("an edited post keeps the stored blocks that its text still has", () => {
  const stored = { type: "paragraph", text: "Two.", id: 7 };
  const original = [{ type: "heading", text: "Zero" }, stored];
  expect(toPostInput(editedPostSchema.parse(draft), null, original).content).toEqual([
    { type: "paragraph", text: "One." },
    stored,
  ]);
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

test("content may have 500,000 bytes as PostgreSQL writes them", () => {
  // [{"type": "list", "items": ["…", "é"]}]
  const content = (letters: number) => [{ type: "list", items: ["a".repeat(letters), "é"] }];
  expect(fitsContent(content(500_000 - 39))).toBe(true);
  expect(fitsContent(content(500_000 - 38))).toBe(false);
  expect(fitsContent([])).toBe(true);
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
