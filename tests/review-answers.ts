/** What a site that asks reviewers needs beside the consent. */
export const reviewAnswers = { relationship: "client", compensation: "none", connection: "none" };
