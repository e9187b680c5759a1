// One schema for creating and editing a post: fields, limits and messages.
import { z } from "zod/mini";
import type { Json } from "../../supabase/database.ts";
import { uploadedImageSchema } from "../image-storage.ts";
import { mergeBlocks } from "./merge-blocks.ts";
import type { PostInput } from "./write-posts.ts";

/** Maximum lengths in characters, the same as in the CHECK constraints of the table posts. */
export const postLimits = { title: 500, category: 100 } as const;

// Visitors' pages load the same zod/mini: each further function of it that is used here makes them larger.
const draftFields = {
  title: z.string(),
  category: z.string(),
  text: z.string(),
  /** Slugs. */
  relatedServices: z.array(z.string()),
  /** The uploaded image of a new post. */
  image: z.union([uploadedImageSchema, z.literal(null)]),
  /** The id of a new post, from the first attempt to publish it. */
  id: z.union([z.string(), z.literal(null)]),
  /** `updated_at` of the version that is being edited. */
  seenVersion: z.union([z.string(), z.literal(null)]),
};

/** A post as the form holds it, complete or not. Drafts are stored in this shape. */
export const postDraftSchema = z.object(draftFields);

export type PostDraft = z.infer<typeof postDraftSchema>;

const allFields = "Please fill out all fields and upload an image.";

/** A post that can be published (section 5). */
export const newPostSchema = z.object({
  ...draftFields,
  ...requiredTexts(allFields),
  image: z.object(uploadedImageSchema.shape, allFields),
});

/** An edited post that can be saved (section 5). */
export const editedPostSchema = z.object({
  ...draftFields,
  ...requiredTexts("Please fill out all required fields."),
});

/** An edited post whose text was not changed: its blocks are kept, even where their text is blank. */
export const unchangedTextSchema = z.object({ ...editedPostSchema.shape, text: z.string() });

/**
 * The columns of a post from its form.
 * @param original the stored content of an edited post
 */
export function toPostInput(post: PostDraft, imageUrl: string | null, original: Json = []) {
  return {
    title: post.title,
    category: post.category,
    content: mergeBlocks(original, post.text),
    image_url: imageUrl,
    related_services: post.relatedServices.map((slug) => ({ slug })),
  } satisfies PostInput;
}

/** Bytes of the stored content; the same as in the CHECK posts_content_blocks. */
const maxContentBytes = 500_000;

export const textTooLong =
  "The text is too long: a post can have about 80,000 words. Shorten it, or split it into several posts.";

/** Whether the database accepts the content. */
export function fitsContent(content: Json): boolean {
  return storedBytes(content) <= maxContentBytes;
}

/** The length of a value as PostgreSQL writes it, with a space after each colon and comma. */
function storedBytes(value: Json | undefined): number {
  if (typeof value !== "object" || value === null) {
    return new TextEncoder().encode(JSON.stringify(value)).length;
  }
  const sizes = Array.isArray(value)
    ? value.map(storedBytes)
    : Object.entries(value).map(([key, entry]) => storedBytes(key) + 2 + storedBytes(entry));
  return sizes.reduce((sum, size) => sum + size + 2, 2) - (sizes.length > 0 ? 2 : 0);
}

function requiredTexts(missing: string) {
  return {
    title: shortText("title", missing),
    category: shortText("category", missing),
    text: z.string().check(z.trim(), z.minLength(1, missing)),
  };
}

function shortText(field: keyof typeof postLimits, missing: string) {
  const limit = postLimits[field];
  return z.string().check(z.trim(), z.minLength(1, missing), ({ value, issues }) => {
    // Counts characters as PostgreSQL does. z.maxLength counts UTF-16 units.
    if ([...value].length <= limit) return;
    const message = `The ${field} can have at most ${limit} characters.`;
    issues.push({ code: "custom", input: value, message });
  });
}
