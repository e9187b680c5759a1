import { type FormFailure, messageOf } from "../../forms/use-form-submit.ts";
import { describeFailure } from "../describe-failure.ts";
import { errorTitle } from "./complete-post.ts";
import { PublishedMeanwhileError } from "./post-drafts.ts";
import { SlugCheckError } from "./slug.ts";

export function describeSaveFailure(error: unknown, text: string, log: string): FormFailure {
  if (error instanceof PublishedMeanwhileError) return publishedMeanwhile;
  console.error(log, error);
  return {
    title: errorTitle,
    description: error instanceof SlugCheckError ? error.message : text,
  };
}

/** The toast of any other failed action. @param what happened instead, without a full stop */
export function describeDraftFailure(error: unknown, what: string): FormFailure {
  if (error instanceof PublishedMeanwhileError) return publishedMeanwhile;
  console.error(what, error);
  if (messageOf(error).includes("is in the past")) {
    return { title: errorTitle, description: "This time is in the past. Choose a later one." };
  }
  const reason =
    error instanceof SlugCheckError ? error.message : describeFailure(error, "posts", "Try again.");
  return { title: errorTitle, description: `${what}: ${reason}` };
}

const publishedMeanwhile: FormFailure = {
  title: "Published meanwhile",
  description: "This post is public now. What you changed is kept as a draft.",
};
