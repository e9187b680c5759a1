// The fields, limits and messages of the post form, and the columns made from them.
import { z } from "zod/mini";
import { posts } from "../../../supabase/functions/_shared/database-limits.ts";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import type { FormFailure } from "../../forms/use-form-submit.ts";
import { parseBlocks, textsOf } from "../../posts/blocks.tsx";
import { generatedTagline, relatedSlugs } from "../../posts/post-content.ts";
import { generatedAlt } from "../../posts/posts.ts";
import { isGeneratedSlug, slugify, wantedSlug } from "../../posts/slugify.ts";
import type { Json } from "../../supabase/database.ts";
import { sameJson } from "../content/merge-blocks.ts";
import { toReference } from "../images/image-reference.ts";
import { findPlaceholders } from "../pages/templates.ts";
import type { Kind } from "./kinds.ts";

/** Maximum lengths in characters. That of a slug leaves room for a suffix. */
export const postLimits = { ...posts, slug: posts.slug - 10 };

/** The blocks as they are stored. Rows and backups are JSON. */
const content = z.array(z.unknown() as z.ZodMiniType<Json>);

// Visitors' pages load the same zod/mini: each further function of it that is used here makes them larger.
const draftFields = {
  title: z.string(),
  category: z.string(),
  author: z.string(),
  content,
  /** The three following fields are generated from the title when empty. */
  tagline: z.string(),
  alt: z.string(),
  slug: z.string(),
  /** The slugs of services. */
  relatedServices: z.array(z.string()),
  imageUrl: z.union([z.string(), z.literal(null)]),
};

/** The names of the fields, in the order of the form. */
const postLabels: Record<keyof typeof draftFields, string> = {
  title: "Title",
  category: "Category",
  author: "Author",
  content: "Content",
  imageUrl: "Featured Image",
  relatedServices: "Related Services",
  tagline: "Tagline",
  alt: "Alternative text",
  slug: "Address",
};
export function labelsOf({ inBlog }: Kind): typeof postLabels {
  return inBlog ? postLabels : { ...postLabels, tagline: "Description" };
}

/** A post as the form holds it, complete or not. Backups in the browser have this shape. */
export const postDraftSchema = z.object(draftFields);

export type PostDraft = z.infer<typeof postDraftSchema>;

const allFields = "Please fill out all fields and upload an image.";

/** A post that can be published. */
export const newPostSchema = z.object({
  ...draftFields,
  ...checkedTexts(allFields),
  imageUrl: z.string(allFields),
});

const requiredFields = "Please fill out all required fields.";

/** An edited post that can be saved. */
export const editedPostSchema = z.object({ ...draftFields, ...checkedTexts(requiredFields) });

const pageSchema = z.object({
  ...draftFields,
  ...checkedTexts(requiredFields),
  category: z.string(),
});

export const emptyDraft: PostDraft = {
  title: "",
  category: "",
  author: "",
  content: [],
  tagline: "",
  alt: "",
  slug: "",
  relatedServices: [],
  imageUrl: null,
};

export type PostState = "draft" | "scheduled" | "published";

const { relatedServices: _, imageUrl, ...sameFields } = draftFields;
/** What published, scheduled and unfinished posts have in common, as it is stored. */
const columns = {
  ...sameFields,
  image_url: imageUrl,
  related_services: z.array(z.object({ slug: z.string() })),
};
const columnsSchema = z.object(columns);

/** Of rows, these two are checked where they are shown. */
export interface PostColumns
  extends Omit<z.infer<typeof columnsSchema>, "content" | "related_services"> {
  content: Json;
  related_services: unknown;
}

/** What a draft or version holds of a post. Missing and malformed values become empty. */
export function readDocument(stored: unknown) {
  const values: Record<string, unknown> = Object(stored);
  const { relatedServices: related_services, imageUrl: image_url, ...same } = emptyDraft;
  const read = keysOf(columns).flatMap((name) =>
    columns[name].safeParse(values[name]).success ? [[name, values[name]]] : [],
  );
  const empty = { ...same, related_services, image_url };
  return columnsSchema.parse({ ...empty, ...Object.fromEntries(read) });
}

/** The form's fields of a stored post, draft or version. Generated values become empty. */
export function draftOf(stored: unknown, isDraft = false): PostDraft {
  const { image_url, related_services: _, ...same } = readDocument(stored);
  const { title, tagline, alt, slug } = same;
  // The site adds a number to a taken slug only when a post is published, never to a draft.
  const isGenerated = isDraft ? slug === slugify(title) : isGeneratedSlug(slug, title);
  return {
    ...same,
    tagline: tagline === generatedTagline(title) ? "" : tagline,
    alt: alt === generatedAlt(title) ? "" : alt,
    slug: isGenerated ? "" : slug,
    relatedServices: relatedSlugs(Object(stored).related_services),
    imageUrl: toReference(image_url),
  };
}

/** Whether two drafts have the same content. */
export function isSameDraft(a: PostDraft, b: PostDraft): boolean {
  const comparable = (draft: PostDraft) => ({
    ...draft,
    relatedServices: draft.relatedServices.toSorted(),
  });
  return sameJson(comparable(a), comparable(b));
}

/**
 * The columns of a complete post from its form.
 * @param row the scheduled or published post; null for a new one
 */
export function toPostInput(
  draft: PostDraft,
  row: Pick<PostColumns, "title" | "slug"> | null,
  kind: Kind,
) {
  const { author: _, relatedServices: _slugs, imageUrl, ...same } = draft;
  return {
    ...same,
    slug: kind.toSlug(wantedSlug(draft, row)),
    tagline: draft.tagline || kind.tagline(draft.title),
    alt: draft.alt || kind.alt(draft.title),
    image_url: toReference(imageUrl),
    related_services: relatedServicesOf(draft),
  };
}

export type PostInput = ReturnType<typeof toPostInput>;

export function relatedServicesOf({ relatedServices }: Pick<PostDraft, "relatedServices">) {
  return relatedServices.map((slug) => ({ slug }));
}

/** A draft as it is stored. */
export function toDocument({ relatedServices, imageUrl, ...texts }: PostDraft) {
  return {
    ...texts,
    image_url: imageUrl,
    related_services: relatedServicesOf({ relatedServices }),
  };
}

function describesImages(content: Json): boolean {
  return parseBlocks(content).every((block) => block.type !== "image" || block.alt.trim());
}

function checkedTexts(missing: string) {
  return {
    title: shortText("title", missing),
    category: shortText("category", missing),
    content: content.check(z.minLength(1, missing)),
    tagline: z.string().check(z.trim(), atMost(postLimits.tagline, "tagline")),
    alt: z.string().check(z.trim(), atMost(postLimits.alt, "alternative text")),
    slug: z.string().check(atMost(postLimits.slug, "address")),
  };
}

function shortText(field: "title" | "category", missing: string) {
  return z.string().check(z.trim(), z.minLength(1, missing), atMost(postLimits[field], field));
}

interface Checked {
  value: string;
  issues: { push(issue: { code: "custom"; input: string; message: string }): unknown };
}

/** Counts characters like PostgreSQL. z.maxLength counts UTF-16 units. */
function atMost(limit: number, name: string) {
  return ({ value, issues }: Checked) => {
    if ([...value].length <= limit) return;
    const message = `The ${name} can have at most ${limit} characters.`;
    issues.push({ code: "custom", input: value, message });
  };
}

export const errorTitle = "Error! 😢";
const missingTitle = "Uh oh! Something is missing.";

export type PostErrors = Partial<Record<keyof PostDraft, string>>;

/** Why a post is not stored yet. `errors` are shown at the fields. */
export interface PostFailure extends FormFailure {
  errors?: PostErrors;
}

const wanted: PostErrors = {
  title: "Add a title.",
  category: "Add a category.",
  content: "Write the text.",
  imageUrl: "Add a featured image.",
};

/** The placeholders that a template left in a text, each as often as it is there. */
export function placeholdersIn(content: Json): string[] {
  return parseBlocks(content)
    .flatMap(textsOf)
    .flatMap(({ text }) => findPlaceholders(text));
}

/** A scheduled job removes an image that no post has referred to for a day. */
export const imageGone: FormFailure = {
  title: missingTitle,
  description: "The image that you had uploaded is no longer stored. Please upload it again.",
};

interface CompletedPost {
  state: PostState;
  row: Pick<PostColumns, "title" | "slug" | "content"> | null;
  kind: Kind;
}

/** The columns of a complete post, or what is missing or too long. */
export function completePost(
  draft: PostDraft,
  { state, row, kind }: CompletedPost,
): { input: PostInput } | { failure: PostFailure } {
  const postSchema = state === "published" ? editedPostSchema : newPostSchema;
  const { data: post, error } = (kind.inBlog ? postSchema : pageSchema).safeParse(draft);
  if (!post) {
    const errors = error?.issues.map(({ path: [name], message }) => [
      name,
      [allFields, requiredFields].includes(message) ? wanted[name as keyof PostDraft] : message,
    ]);
    const description = error?.issues[0]?.message ?? "";
    return {
      failure: { title: missingTitle, description, errors: Object.fromEntries(errors ?? []) },
    };
  }
  const input = toPostInput(post, row, kind);
  const address = kind.slugProblem(input.slug);
  if (address) return failureOf("slug", address);
  // Stored content may be older than these rules.
  if (sameJson(row?.content, input.content)) return { input };
  const [placeholder, ...others] = placeholdersIn(input.content);
  if (placeholder) {
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    return failureOf("content", `Fill in or remove ${placeholder}${more}.`, missingTitle);
  }
  return describesImages(input.content)
    ? { input }
    : failureOf("content", "Describe each image of the text for people who cannot see it.");
}

function failureOf(field: keyof PostDraft, description: string, title = errorTitle) {
  return { failure: { title, description, errors: { [field]: description } } };
}

/** The missing parts of a draft that is to be scheduled; null when it is complete. */
export function describeMissing({
  title,
  category,
  content,
  imageUrl,
}: PostDraft): PostFailure | null {
  const parts = [
    ["title", "a title", title.trim()],
    ["category", "a category", category.trim()],
    ["content", "a text", content.length],
    ["imageUrl", "a featured image", imageUrl],
  ] as const;
  const missing = parts.filter(([, , value]) => !value);
  if (missing.length === 0) return null;
  const list = new Intl.ListFormat("en").format(missing.map(([, name]) => name));
  return {
    title: missingTitle,
    description: `To schedule the post, add ${list}.`,
    errors: Object.fromEntries(missing.map(([field]) => [field, wanted[field]])),
  };
}
