// What the editor of a post says when something fails.
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import type { FormFailure } from "../../forms/use-form-submit.ts";
import { codeOf, describeFailure, toldReason } from "../describe-failure.ts";
import type { Kind } from "./kinds.ts";
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

const whatFailed = (name: string) => ({
  publish: `Creating the ${name} failed`,
  save: `Updating the ${name} failed`,
  schedule: `The ${name} was not scheduled`,
  unschedule: `The ${name} is still scheduled`,
  unpublish: `The ${name} is still public`,
  keep: "The draft was not saved",
  discard: "The draft was not discarded",
  submit: `The ${name} was not submitted`,
  decide: "The decision was not stored",
});

export type PostAction = keyof ReturnType<typeof whatFailed>;

export const draftConflict = (name: string): FormFailure => ({
  title: errorTitle,
  description: `Another window changed this ${name} as well. Choose what counts first.`,
});
export const newerVersion = (name: string): FormFailure => ({
  title: errorTitle,
  description: `This ${name} was changed somewhere else after you opened it. Read the changes, then try again.`,
});
export const publishedMeanwhile = (name: string): FormFailure => ({
  title: "Published meanwhile",
  description: `This ${name} is public now. What you changed is kept as a draft.`,
});

export function describeFailedAction(
  action: PostAction,
  error: unknown,
  { name, names }: Kind,
): FormFailure {
  const failed = whatFailed(name)[action];
  console.error(failed, error);
  // restrict_violation: private.require_approval
  if (codeOf(error) === "23001") {
    return { title: errorTitle, description: `${messageOf(error)}.` };
  }
  const reasonTold = toldReason(error);
  if (reasonTold) return { title: errorTitle, description: reasonTold };
  const slugProblem = error instanceof SlugCheckError ? error.message : null;
  if (action === "publish" || action === "save") {
    const doing = action === "publish" ? "creating" : "updating";
    const problem = `There was a problem ${doing} your ${name}. Please try again.`;
    return { title: errorTitle, description: slugProblem ?? problem };
  }
  const reason = slugProblem ?? describeFailure(error, names, "Try again.");
  return { title: errorTitle, description: `${failed}: ${reason}` };
}
