// What a reviewer is asked where the setting testimonials.askConsent is on. The form, its checks, the card, the mail and
// the archive's file derive from it; the CHECKs of testimonials have the same answers.

/** Answers in the words of the form and of the card. */
type Answers = Readonly<Record<string, readonly [choice: string, stated: string]>>;

const questions = {
  relationship: {
    label: "Are you a client?",
    answers: {
      client: ["I am a client", "client"],
      former: ["I was a client", "former client"],
      none: ["I am not a client", "not a client"],
    },
  },
  compensation: {
    label: "Were you paid or given something for this review?",
    answers: {
      none: ["No, nothing", "received nothing for this review"],
      given: ["Yes", "received something for this review"],
    },
  },
  connection: {
    label: "Are you family, or do you work for the firm?",
    answers: {
      none: ["Neither", "neither family nor employee"],
      family: ["I am family of someone at the firm", "family of someone at the firm"],
      employee: ["I work for the firm", "works for the firm"],
    },
  },
} as const satisfies Record<string, { label: string; answers: Answers }>;

export type ReviewQuestion = keyof typeof questions;
export const reviewQuestions: Readonly<
  Record<ReviewQuestion, { label: string; answers: Answers }>
> = questions;
// Object.keys returns string[]; the object above has exactly these keys.
export const reviewQuestionNames = Object.keys(questions) as readonly ReviewQuestion[];

/** The answers of a testimonial's reviewer; null or absent when nobody asked. */
export type ReviewAnswers = {
  readonly [Name in ReviewQuestion | "compensation_details"]?: string | null;
};

/** @returns what the reviewer answered, as the end of a sentence; empty when nobody asked */
export function describeAnswers(given: ReviewAnswers): string {
  const stated = reviewQuestionNames.flatMap((name) => {
    const [, words] = reviewQuestions[name].answers[given[name] ?? ""] ?? [];
    const { compensation_details: details } = given;
    return words ? [name === "compensation" && details ? `${words} (${details})` : words] : [];
  });
  return stated.join(", ");
}
