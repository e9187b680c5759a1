// What a post needs before it can be published, saved or scheduled.
import type { FormFailure } from "../../forms/use-form-submit.ts";
import {
  contentProblem,
  editedPostSchema,
  type KnownText,
  newPostSchema,
  type PostDraft,
  type PostInput,
  toPostInput,
  unchangedTextSchema,
} from "./post-schema.ts";
import type { OpenedPost } from "./stored-posts.ts";

export const errorTitle = "Error! 😢";
const missingTitle = "Uh oh! Something is missing.";

/** A scheduled job removes an image that no post has referred to for a day. */
export const imageGone: FormFailure = {
  title: missingTitle,
  description: "The image that you had uploaded is no longer stored. Please upload it again.",
};

/** The columns of a complete post, or what is missing or too long. */
export function completePost(
  draft: PostDraft,
  known: readonly KnownText[],
  { state, row }: Pick<OpenedPost, "state" | "row">,
): { input: PostInput } | { failure: FormFailure } {
  const isTextKept = known.some(({ text }) => text === draft.text);
  const editedSchema = isTextKept ? unchangedTextSchema : editedPostSchema;
  const { data: post, error } = (state === "published" ? editedSchema : newPostSchema).safeParse(
    draft,
  );
  if (!post) {
    return { failure: { title: missingTitle, description: error?.issues[0]?.message ?? "" } };
  }
  const input = toPostInput(post, known, row);
  // The stored content may be larger than the limits, which are newer.
  const isStored = known[0]?.content === input.content;
  const description = isStored ? null : contentProblem(input.content);
  return description ? { failure: { title: errorTitle, description } } : { input };
}

/** What a draft lacks to be scheduled; null when it is complete. */
export function describeMissing({ title, category, text, imageUrl }: PostDraft) {
  const missing = [
    ...(title.trim() ? [] : ["a title"]),
    ...(category.trim() ? [] : ["a category"]),
    ...(text.trim() ? [] : ["a text"]),
    ...(imageUrl ? [] : ["a featured image"]),
  ];
  if (missing.length === 0) return null;
  const list = new Intl.ListFormat("en", { style: "long" }).format(missing);
  return { title: missingTitle, description: `To schedule the post, add ${list}.` };
}
