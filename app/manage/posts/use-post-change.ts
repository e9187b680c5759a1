import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type FormFailure, messageOf } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { subscribeToChanges } from "../../supabase/live.ts";
import { showToast, type ToastContent } from "../../ui/toast.ts";
import { describeFailure } from "../describe-failure.ts";
import { imageRefused } from "../images/image-reference.ts";
import { draftOf, errorTitle, type PostDraft } from "./post-schema.ts";
import { SlugCheckError } from "./slug.ts";
import { LostRaceError, openPost } from "./stored-posts.ts";
import { baseVersionOf, type PostEditorState } from "./use-post-editor.ts";

/** Stops a change. Shows the given failure, or nothing after the owner cancelled. */
export class StoppedSave extends Error {
  readonly failure: FormFailure | null;

  constructor(failure: FormFailure | null) {
    super(failure?.title ?? "Cancelled");
    this.failure = failure;
  }
}

export type FailPost = (failure: FormFailure) => void;

/** What failed, for the log and the toast. */
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

type Action = keyof typeof whatFailed;

/**
 * Changes the stored post, one change at a time, each with its toasts, and follows what other windows store.
 * @param mustStay whether the editor has something that opening the post again would lose
 */
export function usePostChange(
  { session, opened }: PostEditorState,
  onReopen: () => void,
  mustStay: () => boolean,
) {
  const { id, isPage, state } = opened;
  const [running, setRunning] = useState<Action | null>(null);
  const isRunning = useRef(false);
  const [failure, setFailure] = useState<string>();
  /** The other version, if the post was changed elsewhere. */
  const [newer, setNewer] = useState<{ draft: PostDraft; version: string }>();
  /** The versions that this window may replace: the opened one, and those that it sent itself. */
  const versions = useRef([baseVersionOf(opened)].filter((version) => version !== null)).current;
  /** Rendered immediately: a toast inside a dialog that is still open would disappear with it. */
  const reopen = () => flushSync(onReopen);

  function fail({ title, description, text = description }: FormFailure): void {
    setFailure(text);
    showToast({ tone: "error", title, description });
  }

  /**
   * Runs a change after everything typed is saved.
   * @param act returns the toast of its success
   * @returns whether it succeeded
   */
  async function run(
    action: Action,
    act: (client: Client) => Promise<Omit<ToastContent, "tone">>,
  ): Promise<boolean> {
    setFailure(undefined);
    setNewer(undefined);
    setRunning(action);
    isRunning.current = true;
    try {
      const client = await getBrowserClient();
      await session.flush();
      if (session.getState().status === "conflict") throw new StoppedSave(draftChanged);
      showToast({ tone: "success", ...(await act(client)) });
      return true;
    } catch (error) {
      const lost = error instanceof LostRaceError ? await explainLostRace() : null;
      const described =
        error instanceof StoppedSave ? error.failure : (lost ?? describe(action, error));
      if (described) fail(described);
      return false;
    } finally {
      setRunning(null);
      isRunning.current = false;
    }
  }

  /** Shows the version of another window, so that the owner can choose. @returns null when it is not known */
  async function explainLostRace(): Promise<FormFailure | null> {
    if (!(await session.confirm())) return draftChanged;
    const client = await getBrowserClient();
    const stored = await openPost(client, id, isPage).catch(() => undefined);
    if (stored === undefined) return null;
    if (stored?.state !== state) {
      reopen();
      return stored?.state === "published" ? publishedMeanwhile : changedElsewhere;
    }
    if (!stored.row || versions.includes(stored.row.updated_at)) return null;
    setNewer({ draft: draftOf(stored.row), version: stored.row.updated_at });
    return changedElsewhere;
  }

  /** Shows what another window stored. What is typed here meanwhile stays: saving it finds the other version. */
  async function follow(): Promise<void> {
    const seen = session.getState();
    const stays = () =>
      isRunning.current ||
      mustStay() ||
      session.getState() !== seen ||
      !["saved", "unchanged"].includes(seen.status);
    if (stays()) return;
    const stored = await openPost(await getBrowserClient(), id, isPage);
    if (stays()) return;
    const version = stored?.row?.updated_at ?? null;
    const hasOtherDraft = (stored?.draft?.updated_at ?? null) !== seen.savedAt;
    const hasOtherRow =
      version !== (opened.row?.updated_at ?? null) && !versions.includes(version ?? "");
    if (hasOtherRow && !hasOtherDraft && seen.savedAt && stored?.row && stored.state === state) {
      setNewer({ draft: draftOf(stored.row), version: stored.row.updated_at });
    } else if (hasOtherDraft || hasOtherRow) {
      reopen();
      showToast({ tone: "success", ...followed });
    }
  }
  const newestFollow = useRef(follow);
  newestFollow.current = follow;
  useEffect(() => subscribeToChanges(["posts", "post_drafts"], () => newestFollow.current()), []);

  return { running, failure, setFailure, newer, versions, fail, run, reopen };
}

const draftChanged: FormFailure = {
  title: errorTitle,
  description: "Another window changed this post. Choose a version first.",
};
const changedElsewhere: FormFailure = {
  title: errorTitle,
  description: "This post was changed somewhere else after you opened it.",
};
const followed = {
  title: "Changed elsewhere",
  description: "Another window changed this post. This is its version.",
};
const publishedMeanwhile: FormFailure = {
  title: "Published meanwhile",
  description: "This post is public now. What you changed is kept as a draft.",
};

function describe(action: Action, error: unknown): FormFailure {
  console.error(whatFailed[action], error);
  if (messageOf(error).includes("needs approval")) {
    return { title: errorTitle, description: `${messageOf(error)}.` };
  }
  if (messageOf(error) === imageRefused) return { title: errorTitle, description: imageRefused };
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
