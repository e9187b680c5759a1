import { expect, test } from "vitest";
import { textToBlocks } from "../content/marked-blocks.ts";
import { templates } from "../pages/templates.ts";
import { kinds } from "./kinds.ts";
import {
  completePost,
  describeMissing,
  draftOf,
  editedPostSchema,
  isSameDraft,
  newPostSchema,
  type PostDraft,
  postLimits,
  toPostInput,
} from "./post-schema.ts";

const paragraphs = (...texts: string[]) => texts.map((text) => ({ type: "paragraph", text }));

const draft: PostDraft = {
  title: " A title ",
  category: "Taxes",
  author: "Grace Hopper",
  content: paragraphs("One.", "Two."),
  tagline: "",
  alt: "",
  slug: "",
  relatedServices: ["estate-planning"],
  imageUrl: "https://example.com/a.png",
};

test("a complete draft becomes the columns of a post, with trimmed and generated texts", () => {
  expect(toPostInput(newPostSchema.parse(draft), null, kinds.post)).toEqual({
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
  expect(toPostInput(newPostSchema.parse(own), null, kinds.post)).toMatchObject({
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
  expect(draftOf(stored)).toEqual({ ...draft, title: "A title", content: stored.content });
  const own = { ...stored, tagline: "Short.", alt: "An oak.", slug: "oak" };
  expect(draftOf(own)).toMatchObject({ tagline: "Short.", alt: "An oak.", slug: "oak" });
});

test("services that the form does not show, because they are hidden or deleted, stay with the post", () => {
  const related_services = [{ slug: "hidden" }, { slug: "estate-planning" }, "malformed"];
  const edited = draftOf({ ...stored, related_services });
  expect(toPostInput(edited, stored, kinds.post).related_services).toEqual([
    { slug: "hidden" },
    { slug: "estate-planning" },
  ]);
});

test("an own address of a draft stays, also one that is its title with a number", () => {
  expect(draftOf({ ...stored, slug: "a-title-2" }, true).slug).toBe("a-title-2");
  expect(draftOf({ ...stored, slug: "a-title" }, true).slug).toBe("");
});

test("drafts are the same when their content is, in any order of services", () => {
  const other = { ...draft, relatedServices: ["b", "a"] };
  expect(isSameDraft({ ...draft, relatedServices: ["a", "b"] }, other)).toBe(true);
  for (const change of [{ title: "" }, { content: [] }, { slug: "x" }, { imageUrl: null }]) {
    expect(isSameDraft(draft, { ...draft, ...change })).toBe(false);
  }
  const reordered = [{ text: "One.", type: "paragraph" }, ...paragraphs("Two.")];
  expect(isSameDraft(draft, { ...draft, content: reordered })).toBe(true);
});

test.each([
  ["title", { title: " " }],
  ["category", { category: "" }],
  ["content", { content: [] }],
])("a post without a %s is incomplete", (_field, changes) => {
  expect(messagesOf(newPostSchema.safeParse({ ...draft, ...changes }))).toEqual([
    "Please fill out all fields and upload an image.",
  ]);
  expect(messagesOf(editedPostSchema.safeParse({ ...draft, ...changes }))).toEqual([
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

const newPost = { state: "draft", row: null, kind: kinds.post } as const;

test("a page needs no category and no image, and its address is not one of the site's own", () => {
  const page = { ...draft, category: "", imageUrl: null };
  const newPage = { ...newPost, kind: kinds.page };
  expect(completePost(page, newPage)).toMatchObject({
    input: { category: "", slug: "a-title", tagline: "", alt: "" },
  });
  expect(completePost({ ...page, slug: "Contact" }, newPage)).toMatchObject({
    failure: { description: expect.stringContaining("/contact belongs to the site") },
  });
});

test("a new image in the text needs a description, unlike one that is stored already", () => {
  const image = { type: "image", src: "/images/a.png", alt: " ", width: 16, height: 9 };
  const content = [...draft.content, image];
  expect(completePost({ ...draft, content }, newPost)).toMatchObject({
    failure: { description: expect.stringContaining("Describe each image") },
  });
  const row = { title: "A title", slug: "a-title", content: structuredClone(content) };
  const stored = { ...newPost, state: "published", row } as const;
  expect(completePost({ ...draft, content }, stored)).toHaveProperty("input");
  const described = [...draft.content, { ...image, alt: "An oak" }];
  expect(completePost({ ...draft, content: described }, newPost)).toHaveProperty("input");
});

test("what is missing is named at its field", () => {
  const errors = (changes: Partial<PostDraft>, opened = newPost) => {
    const checked = completePost({ ...draft, ...changes }, opened);
    return "failure" in checked ? checked.failure.errors : {};
  };
  expect(errors({ title: "", content: [], imageUrl: null })).toEqual({
    title: "Add a title.",
    content: "Write the text.",
    imageUrl: "Add a featured image.",
  });
  expect(errors({ category: " " })).toEqual({ category: "Add a category." });
  const tagline = "x".repeat(postLimits.tagline + 1);
  expect(errors({ tagline })).toEqual({ tagline: expect.stringContaining("at most") });
  expect(errors({ slug: "contact" }, { ...newPost, kind: kinds.page })).toEqual({
    slug: expect.stringContaining("belongs to the site"),
  });
});

test("what a template left to fill in is not published", () => {
  const filled = (...texts: string[]) =>
    completePost({ ...draft, content: paragraphs(...texts) }, newPost);
  expect(filled("[Name] is our [Role and licenses, mine].")).toMatchObject({
    failure: {
      title: "Uh oh! Something is missing.",
      errors: { content: "Fill in or remove [Name] and 1 more." },
    },
  });
  for (const { text } of templates) {
    expect(completePost({ ...draft, content: textToBlocks(text) }, newPost)).toHaveProperty(
      "failure.errors.content",
    );
  }
  expect(filled("As said [1], it [sic] costs [the client] [Names] and [Your fee].")).toHaveProperty(
    "input",
  );
});

test("what a post lacks to be scheduled is named", () => {
  expect(describeMissing(draft)).toBeNull();
  expect(describeMissing({ ...draft, content: [], imageUrl: null })?.description).toBe(
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
