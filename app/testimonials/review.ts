/** Upper bounds in characters, the same as the CHECKs of the testimonials table. */
export const reviewLimits = { name: 100, role: 100, content: 5000 } as const;

export interface Review {
  name: string;
  role: string | null;
  content: string;
  /** 1 to 5. */
  rating: number;
}

type ReviewResult =
  | { review: Review; errors?: undefined }
  | { review?: undefined; errors: Record<string, string> };

/** Reads the review form: name and review text are required, role is optional (section 5). */
export function parseReview(form: FormData): ReviewResult {
  const name = text(form, "name");
  const role = text(form, "role");
  const content = text(form, "content");
  const errors: Record<string, string> = {};
  if (!name) errors.name = "Required";
  if (!content) errors.content = "Required";
  for (const [field, value] of Object.entries({ name, role, content })) {
    const limit = reviewLimits[field as keyof typeof reviewLimits];
    if (value.length > limit) errors[field] = `Please keep this to ${limit} characters.`;
  }
  if (Object.keys(errors).length > 0) return { errors };
  return { review: { name, role: role || null, content, rating: rating(form) } };
}

function text(form: FormData, field: string): string {
  const value = form.get(field);
  return typeof value === "string" ? value.trim() : "";
}

function rating(form: FormData): number {
  const value = Number(form.get("rating"));
  return Number.isInteger(value) && value >= 1 && value <= 5 ? value : 5;
}
