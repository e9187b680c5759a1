/** Why a testimonial can be refused or deleted, as the CHECK testimonials_refusal_reason has it. The number of stars is no reason. */
export const refusalReasons = {
  unverified: "The reviewer's identity or relationship could not be verified",
  unrelated: "It is not about us",
  private: "It names other people or private details",
  false: "It has a false or misleading statement",
  promise: "It promises or guarantees a result",
  offensive: "It is offensive",
  advertising: "It is advertising or spam",
  duplicate: "It is a duplicate",
  withdrawn: "The reviewer withdrew it",
} as const;

export type RefusalReason = keyof typeof refusalReasons;
