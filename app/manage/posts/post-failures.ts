// What the editor of a post says when something fails.
import { type FormFailure, messageOf } from "../../forms/use-form-submit.ts";
import { describeFailure } from "../describe-failure.ts";
import { addressRefused } from "../images/image-reference.ts";
import { errorTitle } from "./post-schema.ts";
import { SlugCheckError } from "./slug.ts";

/** Stops a change. Shows the given failure, or nothing after the owner cancelled. */
export class StoppedSave extends Error {
  readonly failure: FormFailure | null;

  constructor(failure: FormFailure | null) {
    super(failure?.title ?? "Cancelled");
    this.failure = failure;
  }
}

export type FailPost = (failure: FormFailure) => void;

const whatFailed = {
  publish: "Creating the post failed",
  save: "Updating the post failed",
  schedule: "The post was not scheduled",
  unschedule: "The post is still scheduled",
  keep: "The draft was not saved",
  discard: "The draft was not discarded",
  submit: "The post was not submitted",
  decide: "The decision was not stored",
} as const;

export type PostAction = keyof typeof whatFailed;

export const draftChanged: FormFailure = {
  title: errorTitle,
  description: "Another window changed this post. Choose a version first.",
};
export const changedElsewhere: FormFailure = {
  title: errorTitle,
  description: "This post was changed somewhere else after you opened it.",
};
export const followed = {
  title: "Changed elsewhere",
  description: "Another window changed this post. This is its version.",
};
export const publishedMeanwhile: FormFailure = {
  title: "Published meanwhile",
  description: "This post is public now. What you changed is kept as a draft.",
};

export function describeFailedAction(action: PostAction, error: unknown): FormFailure {
  console.error(whatFailed[action], error);
  if (messageOf(error).includes("needs approval")) {
    return { title: errorTitle, description: `${messageOf(error)}.` };
  }
  if (addressRefused.test(messageOf(error))) {
    return { title: errorTitle, description: messageOf(error) };
  }
  const slugProblem = error instanceof SlugCheckError ? error.message : null;
  if (action === "publish" || action === "save") {
    const doing = action === "publish" ? "creating" : "updating";
    const problem = `There was a problem ${doing} your post. Please try again.`;
    return { title: errorTitle, description: slugProblem ?? problem };
  }
  if (messageOf(error).includes("is in the past")) {
    return { title: errorTitle, description: "This time is in the past. Choose a later one." };
  }
  const reason = slugProblem ?? describeFailure(error, "posts", "Try again.");
  return { title: errorTitle, description: `${whatFailed[action]}: ${reason}` };
}
