import { type FormErrors, fieldText } from "../forms/use-form-submit.ts";
import type { Client } from "../supabase/client-context.ts";
import { withOwnChange } from "../supabase/live.ts";
import { newId } from "../supabase/new-id.ts";
import type { Testimonial } from "./testimonials.ts";

interface ReviewField {
  label: string;
  required?: true;
  /** The maximum lengths in characters, as in the CHECK constraints of testimonials. */
  max: number;
  autoComplete?: string;
  placeholder?: string;
  /** The height of a text with several lines. Other fields have a single line. */
  rows?: number;
}

/**
 * The text fields of the review form, in their order. Not a zod schema: for a page that has no other
 * use of zod it would be 6 KB of script.
 */
const fields = {
  name: { label: "Your Name", required: true, max: 100, autoComplete: "name" },
  role: { label: "Your Role (Optional)", max: 100, placeholder: "Small business owner" },
  content: { label: "Your Review", required: true, max: 5000, rows: 5 },
} as const satisfies Record<string, ReviewField>;

export type ReviewFieldName = keyof typeof fields;
export const reviewFields: Readonly<Record<ReviewFieldName, ReviewField>> = fields;
// Object.keys returns string[]; the object above has exactly these keys.
export const reviewFieldNames = Object.keys(fields) as readonly ReviewFieldName[];
export const ratings = { min: 1, max: 5, default: 5 } as const;

export type Review = Pick<Testimonial, ReviewFieldName | "rating">;
type Texts = Pick<Review, ReviewFieldName>;

/** @returns the error of each invalid field */
export function validateReview(form: FormData): FormErrors {
  const errors: FormErrors = {};
  for (const name of reviewFieldNames) {
    const { required, max } = reviewFields[name];
    const { length } = fieldText(form, name);
    if (required && length === 0) errors[name] = "Required";
    else if (length > max) errors[name] = `Please keep this to ${max} characters.`;
  }
  return errors;
}

/** Reads a valid review form, trimmed. */
export function readReview(form: FormData): Review {
  const rating = Number(form.get("rating"));
  const isValid = Number.isInteger(rating) && rating >= ratings.min && rating <= ratings.max;
  const texts = reviewFieldNames.map((name) => [name, fieldText(form, name) || null]);
  // The form is valid, so no required text is null.
  return { ...(Object.fromEntries(texts) as Texts), rating: isValid ? rating : ratings.default };
}

/** Stores a review. @throws the backend's error */
export async function addReview(client: Client, review: Review): Promise<void> {
  const id = newId();
  await withOwnChange(id, async () => {
    const row = { ...review, id, created_at: new Date().toISOString() } satisfies Testimonial;
    await client.from("testimonials").insert(row).throwOnError();
  });
}
