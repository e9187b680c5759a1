import { randomUUID } from "node:crypto";
import { publishSentence } from "./consent-sentences.ts";

/** What a site that asks reviewers needs beside the consent. */
export const testimonialAnswers = {
  relationship: "client",
  compensation: "none",
  connection: "none",
};

/** A review with all that a site may ask for. */
export function newReview(changes: Record<string, unknown> = {}) {
  return {
    ...{ id: randomUUID(), name: "Ada", content: "Kind.", rating: 5 },
    ...{ ...testimonialAnswers, consent: publishSentence, ...changes },
  };
}
