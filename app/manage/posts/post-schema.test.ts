import { expect, test } from "vitest";
import { imageRefused } from "../images/image-reference.ts";
import {
  completePost,
  contentOf,
  contentProblem,
  describeMissing,
  draftOf,
  editedPostSchema,
  isSameDraft,
  newPostSchema,
  type PostDraft,
  postLimits,
  textTooLong,
  toPostInput,
  unchangedTextSchema,
} from "./post-schema.ts";

const draft: PostDraft = {
  title: " A title ",
  category: "Taxes",
  author: "Grace Hopper",
  text: "One.\n\nTwo.",
  tagline: "",
  alt: "",
  slug: "",
  relatedServices: ["estate-planning"],
  imageUrl: "https://example.com/a.png",
};

test("a complete draft becomes the columns of a post, with trimmed and generated texts", () => {
  expect(toPostInput(newPostSchema.parse(draft), [], null)).toEqual({
    title: "A title",
    category: "Taxes",
    slug: "a-title",
    tagline: "An insightful article about A title",
    alt: "Blog post image for A title",
    content: [
      { type: "paragraph", text: "One." },
      { type: "paragraph", text: "Two." },
    ],
    image_url: "https://example.com/a.png",
    related_services: [{ slug: "estate-planning" }],
  });
  const own = { ...draft, tagline: " In short. ", alt: "An oak.", slug: "oak" };
  expect(toPostInput(newPostSchema.parse(own), [], null)).toMatchObject({
    tagline: "In short.",
    alt: "An oak.",
    slug: "oak",
  });
});

const stored = {
  title: "A title",
  category: "Taxes",
  author: "Grace Hopper",
  slug: "a-title-2",
  tagline: "An insightful article about A title",
  alt: "Blog post image for A title",
  content: [{ type: "quote", text: "A quote." }, { type: "unknown" }],
  image_url: "https://example.com/a.png?t=17",
  related_services: [{ slug: "estate-planning" }],
};
test("the form shows generated values as empty, and own ones as they are", () => {
  expect(draftOf(stored)).toEqual({ ...draft, title: "A title", text: "> A quote." });
  const own = { ...stored, tagline: "Short.", alt: "An oak.", slug: "oak" };
  expect(draftOf(own)).toMatchObject({ tagline: "Short.", alt: "An oak.", slug: "oak" });
});

test("services that the form does not show, because they are hidden or deleted, stay with the post", () => {
  const related_services = [{ slug: "hidden" }, { slug: "estate-planning" }, "malformed"];
  const edited = draftOf({ ...stored, related_services });
  expect(toPostInput(edited, [], stored).related_services).toEqual([
    { slug: "hidden" },
    { slug: "estate-planning" },
  ]);
});

test("an own address of a draft stays, also one that is its title with a number", () => {
  const typed = { ...stored, text: "Typed" };
  expect(draftOf({ ...typed, slug: "a-title-2" }).slug).toBe("a-title-2");
  expect(draftOf({ ...typed, slug: "a-title" }).slug).toBe("");
});

test("a text that is not changed keeps its blocks, and what was typed wins over the blocks", () => {
  const shown = draftOf(stored);
  const known = [{ text: shown.text, content: stored.content }];
  expect(toPostInput(shown, known, null).content).toEqual(stored.content);
  expect(contentOf("> A quote!", known)).toEqual([
    { type: "quote", text: "A quote!" },
    { type: "unknown" },
  ]);
  expect(draftOf({ ...stored, text: "Typed " }).text).toBe("Typed ");
});

test("drafts are the same when their content is, in any order of services", () => {
  const other = { ...draft, relatedServices: ["b", "a"] };
  expect(isSameDraft({ ...draft, relatedServices: ["a", "b"] }, other)).toBe(true);
  for (const change of [{ title: "" }, { text: "" }, { slug: "x" }, { imageUrl: null }]) {
    expect(isSameDraft(draft, { ...draft, ...change })).toBe(false);
  }
});

test("an edited post keeps the stored blocks that its text still has", () => {
  const stored = { type: "paragraph", text: "Two.", id: 7 };
  const original = [{ type: "heading", text: "Zero" }, stored];
  expect(
    toPostInput(editedPostSchema.parse(draft), [{ text: "Zero\n\nTwo.", content: original }], null)
      .content,
  ).toEqual([{ type: "paragraph", text: "One." }, stored]);
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
  expect(messagesOf(newPostSchema.safeParse({ ...draft, imageUrl: null }))).toEqual([
    "Please fill out all fields and upload an image.",
  ]);
  expect(editedPostSchema.safeParse({ ...draft, imageUrl: null }).success).toBe(true);
});

test("too long values in the details have a message of their own", () => {
  for (const [field, name] of [
    ["tagline", "tagline"],
    ["alt", "alternative text"],
    ["slug", "address"],
  ] as const) {
    const limit = postLimits[field];
    expect(
      messagesOf(editedPostSchema.safeParse({ ...draft, [field]: "x".repeat(limit + 1) })),
    ).toEqual([`The ${name} can have at most ${limit} characters.`]);
  }
});

test("content may have 500,000 bytes as PostgreSQL writes them", () => {
  // [{"type": "list", "items": ["…", "é"]}]
  const content = (letters: number) => [{ type: "list", items: ["a".repeat(letters), "é"] }];
  expect(contentProblem(content(500_000 - 39))).toBeNull();
  expect(contentProblem(content(500_000 - 38))).toBe(textTooLong);
  expect(contentProblem([])).toBeNull();
});

const newPost = { state: "draft", row: null } as const;

test("a post whose content the database would reject is not complete, unless it is stored already", () => {
  const long = { ...draft, text: "www.example.com ".repeat(1001) };
  expect(completePost(draft, [], newPost)).toMatchObject({ input: { title: "A title" } });
  expect(completePost(long, [], newPost)).toMatchObject({
    failure: { description: expect.stringContaining("too many links") },
  });
  const content = [{ type: "paragraph", text: long.text }];
  const known = [{ text: draft.text, content }];
  expect(completePost(draft, known, newPost)).toMatchObject({ input: { content } });
  expect(completePost(long, known, newPost)).toMatchObject({ failure: expect.anything() });
});

test("a text with another spelling of an upload is kept as it was typed, and is not complete", () => {
  const known = [{ text: "One.", content: [{ type: "paragraph", text: "One." }] }];
  const image = '![A lamp](/images/800/uploads/a.png "16x9")';
  for (const text of [image, `One.\n  ${image}`, `- One\n\n${image}`]) {
    const failure = { title: expect.any(String), description: imageRefused };
    expect(completePost({ ...draft, text }, known, newPost)).toEqual({ failure });
    expect(JSON.stringify(contentOf(text, known))).not.toContain('"src"');
  }
  const words = { ...draft, text: `\\${image}` };
  expect(completePost(words, known, newPost)).toMatchObject({ input: { title: "A title" } });
});

test("what a post lacks to be scheduled is named", () => {
  expect(describeMissing(draft)).toBeNull();
  expect(describeMissing({ ...draft, text: " ", imageUrl: null })?.description).toBe(
    "To schedule the post, add a text and a featured image.",
  );
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
