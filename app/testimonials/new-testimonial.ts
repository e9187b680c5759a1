import { testimonials as lengths } from "../../supabase/functions/_shared/database-limits.ts";
import { isOneLine } from "../../supabase/functions/_shared/one-line.ts";
import {
  questionNames,
  type TestimonialFieldName,
  type TestimonialQuestion,
  testimonialFieldNames,
  testimonialFields,
} from "../../supabase/functions/_shared/testimonial-fields.ts";
import type { Site } from "../config/use-site.ts";
import { fieldText } from "../forms/field-text.ts";
import { isHoneypotFilled } from "../forms/honeypot-field.tsx";
import type { FormErrors } from "../forms/use-form-submit.ts";
import type { VisitorClient } from "../supabase/client-context.ts";
import type { Database } from "../supabase/database.ts";
import { withOwnChange } from "../supabase/live.ts";
import { newId } from "../supabase/new-id.ts";
import type { Testimonial } from "./testimonials.ts";

export const ratings = { min: 1, max: 5, default: 5 } as const;

type Insert = Database["public"]["Tables"]["testimonials"]["Insert"];
type Answers = Pick<
  Insert,
  TestimonialQuestion | "compensation_details" | "email" | "consent" | "request" | "may_be_spam"
>;
export type NewTestimonial = Pick<Testimonial, TestimonialFieldName | "rating"> & Answers;
type Texts = Pick<NewTestimonial, TestimonialFieldName>;

/** The settings that decide what the form asks. An emptied wording of the consent has no box. */
type FormSettings = Pick<Site["testimonials"], "askConsent" | "consent">;

export function validateTestimonial(form: FormData, settings: FormSettings): FormErrors {
  const { askConsent, consent } = settings;
  const errors: FormErrors = {};
  for (const name of testimonialFieldNames) {
    const { required, max, rows } = testimonialFields[name];
    const text = fieldText(form, name);
    const problem = required && !text ? "Required" : textProblem(text, max, rows !== undefined);
    if (problem) errors[name] = problem;
  }
  if (askConsent && !form.has("rating")) errors.rating = "Please choose 1 to 5 stars.";
  for (const name of questionNames) {
    if (askConsent && !form.has(name)) errors[name] = "Required";
  }
  const details = textProblem(detailsOf(form), lengths.compensation_details);
  if (details) errors.compensation_details = details;
  if (!/^([^@\s]+@[^@\s]+)?$/.test(fieldText(form, "email"))) {
    errors.email = "Please enter a valid email address.";
  }
  if (askConsent && consent && !form.has("consent")) errors.consent = "Required";
  return errors;
}

/** Why the database would reject a text; undefined when it would not. */
function textProblem(text: string, max: number, severalLines = false): string | undefined {
  if (text.length > max) return `Please keep this to ${max} characters.`;
  if (!severalLines && !isOneLine(text)) return "Please write this in one line, without tabs.";
}

/** What was given for the testimonial. The field is hidden without it. */
function detailsOf(form: FormData): string {
  return form.get("compensation") === "given" ? fieldText(form, "compensation_details") : "";
}

export function readTestimonial(form: FormData): NewTestimonial {
  const rating = Number(form.get("rating"));
  const isValid = Number.isInteger(rating) && rating >= ratings.min && rating <= ratings.max;
  const texts = testimonialFieldNames.map((name) => [name, fieldText(form, name) || null]);
  const answers: Answers = {};
  const details = detailsOf(form);
  if (details) answers.compensation_details = details;
  if (isHoneypotFilled(form)) answers.may_be_spam = true;
  for (const name of [...questionNames, "email", "consent", "request"] as const) {
    const answer = form.get(name);
    // The wording of the consent is kept word for word.
    if (typeof answer === "string" && answer) answers[name] = answer;
  }
  return {
    // The form is valid, so no required text is null.
    ...(Object.fromEntries(texts) as Texts),
    rating: isValid ? rating : ratings.default,
    ...answers,
  };
}

export async function addTestimonial(
  client: VisitorClient,
  testimonial: NewTestimonial,
): Promise<void> {
  const id = newId();
  await withOwnChange(id, async () => {
    const row = { ...testimonial, id, created_at: new Date().toISOString() } satisfies Insert;
    await client.from("testimonials").insert(row).throwOnError();
  });
}
