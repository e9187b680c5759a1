import { expect, test } from "vitest";
import { completePost, describeMissing } from "./complete-post.ts";
import { emptyDraft, textTooLong } from "./post-schema.ts";

const draft = {
  ...emptyDraft,
  title: "A title",
  category: "Taxes",
  text: "Text.",
  imageUrl: "https://example.com/a.png",
};

const newPost = { state: "draft", row: null } as const;

test("a text that the database would reject is too long, with a message", () => {
  expect(completePost(draft, [], newPost)).toMatchObject({
    input: { title: "A title" },
  });
  const long = { ...draft, text: "Ünïcödé ".repeat(50_000) };
  expect(completePost(long, [], newPost)).toMatchObject({
    failure: { description: textTooLong },
  });
});

test("stored content that is larger than the limits can be kept while other columns change", () => {
  const content = [{ type: "paragraph", text: "www.example.com ".repeat(1001) }];
  const known = [{ text: draft.text, content }];
  expect(completePost(draft, known, newPost)).toMatchObject({ input: { content } });
  const changed = { ...draft, text: "www.example.com ".repeat(1001) };
  expect(completePost(changed, known, newPost)).toMatchObject({
    failure: { description: expect.stringContaining("too many links") },
  });
});

test("what a post lacks to be scheduled is named", () => {
  expect(describeMissing(draft)).toBeNull();
  expect(describeMissing({ ...draft, text: " ", imageUrl: null })?.description).toBe(
    "To schedule the post, add a text and a featured image.",
  );
});
