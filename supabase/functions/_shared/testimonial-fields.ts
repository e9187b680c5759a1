// What the author of a testimonial writes, in its order, and is asked where the setting testimonials.askConsent is on. The
// form, its checks (app/testimonials/new-testimonial.ts), the card, the owner's list, the mail, the archive's file and the privacy
// notice derive from it; the CHECKs of testimonials have the same answers. Not a zod schema: for a page that has
// no other use of zod it would be 6 KB of script.
import { testimonials as lengths } from "./database-limits.ts";
import { keysOf } from "./object-keys.ts";

interface TestimonialField {
  /** The label on the form. */
  label: string;
  /** The name in the mail and, after 'your', in the privacy notice. */
  shortLabel: string;
  required?: true;
  /** The maximum length in characters. */
  max: number;
  autoComplete?: string;
  placeholder?: string;
  /** The height of a text with several lines. Other fields have a single line. */
  rows?: number;
}

const fields = {
  name: {
    label: "Your Name",
    shortLabel: "Name",
    required: true,
    max: lengths.name,
    autoComplete: "name",
  },
  role: {
    ...{ label: "Your Role (Optional)", shortLabel: "Role", max: lengths.role },
    placeholder: "Small business owner",
  },
  content: {
    label: "Your Review",
    shortLabel: "Review",
    required: true,
    max: lengths.content,
    rows: 5,
  },
} as const satisfies Record<string, TestimonialField>;

export type TestimonialFieldName = keyof typeof fields;
export const testimonialFields: Readonly<Record<TestimonialFieldName, TestimonialField>> = fields;
export const testimonialFieldNames: readonly TestimonialFieldName[] = keysOf(fields);
/** What stands beside a testimonial's name and words, where its author wrote it. */
export const detailNames = testimonialFieldNames.filter(
  (name) => name !== "name" && name !== "content",
);

/** Answers in the words of the form, and as a sentence of the card without its period; empty where there is nothing to say. */
type Answers = Readonly<Record<string, readonly [choice: string, stated: string]>>;

const questions = {
  relationship: {
    label: "Are you a client?",
    answers: {
      client: ["I am a client", "Client"],
      former: ["I was a client", "Former client"],
      none: ["I am not a client", "Not a client"],
    },
  },
  compensation: {
    label: "Were you paid or given something for this review?",
    answers: {
      none: ["No, nothing", "Not paid for this review"],
      given: ["Yes", "Received something for this review"],
    },
  },
  connection: {
    label: "Are you family, or do you work for the firm?",
    answers: {
      none: ["Neither", ""],
      family: ["I am family of someone at the firm", "Family of someone at the firm"],
      employee: ["I work for the firm", "Works for the firm"],
    },
  },
} as const satisfies Record<string, { label: string; answers: Answers }>;

export type TestimonialQuestion = keyof typeof questions;
export const testimonialQuestions: Readonly<
  Record<TestimonialQuestion, { label: string; answers: Answers }>
> = questions;
export const questionNames: readonly TestimonialQuestion[] = keysOf(questions);

/** The answers of a testimonial's reviewer; null or absent when nobody asked. */
export type TestimonialAnswers = {
  readonly [Name in TestimonialQuestion | "compensation_details"]?: string | null;
};

/** @returns what the reviewer answered, in sentences; empty when nobody asked */
export function describeAnswers(given: TestimonialAnswers): string {
  const stated = questionNames.flatMap((name) => {
    const [, words] = testimonialQuestions[name].answers[given[name] ?? ""] ?? [];
    const { compensation_details: details } = given;
    return words ? [`${words}${name === "compensation" && details ? ` (${details})` : ""}.`] : [];
  });
  return stated.join(" ");
}
