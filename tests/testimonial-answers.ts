/** What a site that asks reviewers needs beside the consent. */
export const testimonialAnswers = {
  relationship: "client",
  compensation: "none",
  connection: "none",
};
