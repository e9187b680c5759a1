import { useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import type { FormFailure } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { subscribeToChanges } from "../../supabase/live.ts";
import { type Notice, showToast } from "../../ui/toast.ts";
import { ChangedElsewhereError } from "../describe-failure.ts";
import { formatSchedule } from "../format-moment.ts";
import { discardUpload, isImageStored, removeStoredImage } from "../images/image-storage.ts";
import {
  describeFailedAction,
  draftConflict,
  followed,
  newerVersion,
  type PostAction,
  publishedMeanwhile,
  StoppedSave,
} from "./post-failures.ts";
import {
  completePost,
  draftOf,
  errorTitle,
  imageGone,
  type PostDraft,
  type PostInput,
} from "./post-schema.ts";
import {
  discardDraft,
  keepDraft,
  openPost,
  type PostVersion,
  publishPost,
  restoreVersion,
  schedulePost,
  submitPost,
  unschedulePost,
  updatePost,
} from "./stored-posts.ts";
import type { FeaturedImage } from "./use-featured-image.ts";
import { baseVersionOf, type PostEditorState } from "./use-post-editor.ts";

const success = "Success! 🚀";

export type PostActions = ReturnType<typeof usePostActions>;

interface PostActionsOptions {
  editor: PostEditorState;
  image: FeaturedImage;
  /** The author of a post that names none. */
  author: string;
  onReopen: () => void;
}

export function usePostActions({ editor, image, author, onReopen }: PostActionsOptions) {
  const { session, opened, current } = editor;
  const { id, kind, row, state } = opened;
  const { name, fullName } = kind;
  const { contact, closed } = useSite();
  const isPublic = !closed.includes(kind.home);
  const navigate = useNavigate();
  const settled = useRef(false);
  const isRestoring = useRef(false);
  const mustStay = () =>
    settled.current || isRestoring.current || image.isWaiting || image.isUploading;
  const [running, setRunning] = useState<PostAction | null>(null);
  const isRunning = useRef(false);
  const [failure, setFailure] = useState<string>();
  /** The other version, if the post was changed elsewhere. */
  const [newer, setNewer] = useState<{ draft: PostDraft; version: string }>();
  /** What was sent without a response. */
  const unconfirmed = useRef<PostInput | null>(null);
  /** The versions that this window may replace: the opened one, and those that the owner has chosen to replace. */
  const versions = useRef([baseVersionOf(opened)].filter((version) => version !== null)).current;
  /** Rendered immediately: a toast inside a dialog that is still open would disappear with it. */
  const reopen = () => flushSync(onReopen);

  function fail({ title, description, text = description }: FormFailure): void {
    setFailure(text);
    showToast({ tone: "error", title, description });
  }

  /** Runs a change after everything typed is saved. @param act returns the toast of its success */
  async function run(
    action: PostAction,
    act: (client: Client) => Promise<Notice>,
  ): Promise<boolean> {
    setFailure(undefined);
    setNewer(undefined);
    setRunning(action);
    isRunning.current = true;
    try {
      const client = await getBrowserClient();
      await session.flush();
      if (session.getState().status === "conflict") throw new StoppedSave(draftConflict(name));
      showToast({ tone: "success", ...(await act(client)) });
      return true;
    } catch (error) {
      const change = error instanceof ChangedElsewhereError ? await explainChange() : null;
      const described =
        error instanceof StoppedSave
          ? error.failure
          : (change ?? describeFailedAction(action, error, kind));
      if (described) fail(described);
      return false;
    } finally {
      setRunning(null);
      isRunning.current = false;
    }
  }

  /** Shows the version of another window, so that the owner can choose. @returns null when it is not known */
  async function explainChange(): Promise<FormFailure | null> {
    if (!(await session.confirm())) return draftConflict(name);
    const client = await getBrowserClient();
    const stored = await openPost(client, id, kind).catch(() => undefined);
    if (stored === undefined) return null;
    if (stored?.state !== state) {
      reopen();
      return stored?.state === "published" ? publishedMeanwhile(name) : newerVersion(name);
    }
    if (!stored.row || versions.includes(stored.row.updated_at)) return null;
    setNewer({ draft: draftOf(stored.row), version: stored.row.updated_at });
    return newerVersion(name);
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
    const stored = await openPost(await getBrowserClient(), id, kind);
    if (stays()) return;
    const version = stored?.row?.updated_at ?? null;
    const hasOtherDraft = (stored?.draft?.updated_at ?? null) !== seen.savedAt;
    const hasOtherRow =
      version !== (opened.row?.updated_at ?? null) && !versions.includes(version ?? "");
    if (hasOtherRow && !hasOtherDraft && seen.savedAt && stored?.row && stored.state === state) {
      setNewer({ draft: draftOf(stored.row), version: stored.row.updated_at });
    } else if (hasOtherDraft || hasOtherRow) {
      reopen();
      showToast({ tone: "success", ...followed(name) });
    }
  }
  const onChangeElsewhere = useEffectEvent(follow);
  useEffect(() => subscribeToChanges(["posts", "drafts"], () => onChangeElsewhere()), []);

  const [keptAt, setKeptAt] = useState<string | null>(null);
  const seen = () => ({ id, kind, draft: session.getState().savedAt, versions });

  /** The columns of the complete post; null, with its failure shown, when something is missing. */
  function complete(): PostInput | null {
    const checked = completePost(current(), opened);
    if ("input" in checked) return checked.input;
    fail(checked.failure);
    return null;
  }

  /** Ends the session, because the text is stored elsewhere now, and removes the former image. */
  function settle(imageUrl: string | null): void {
    session.replace(current(), null);
    if (row && row.image_url !== imageUrl) void removeStoredImage(row.image_url);
  }

  function leave(): void {
    settled.current = true;
    image.reset();
    navigate(isPublic ? kind.home : kind.list);
  }

  async function confirmImage({ image_url }: PostInput): Promise<void> {
    if (!image_url || (await isImageStored(image_url))) return;
    editor.change({ imageUrl: null });
    throw new StoppedSave(imageGone);
  }

  async function publish(): Promise<void> {
    const input = complete();
    if (!input) return;
    await run("publish", async (client) => {
      await confirmImage(input);
      const slug = await publishPost(client, seen(), input, current().author || author);
      settle(input.image_url);
      leave();
      const action = isPublic && {
        label: `View ${name}`,
        onAction: () => void navigate(kind.folder + slug),
      };
      const description = `Your new ${fullName} has been published.`;
      return { title: success, description, ...(action && { action }) };
    });
  }

  async function save(): Promise<void> {
    const input = complete();
    if (!row || !input) return;
    await run("save", async (client) => {
      const uploaded = await image.upload();
      const image_url = uploaded ?? input.image_url;
      const sent = { ...input, image_url };
      try {
        await updatePost(client, seen(), sent, row.slug, unconfirmed.current);
      } catch (error) {
        // The post is stored if only the response was lost.
        unconfirmed.current = sent;
        image.forgetUpload();
        if (uploaded) await discardUpload(uploaded);
        throw error;
      }
      settle(image_url);
      leave();
      return { title: success, description: `Your ${fullName} has been updated.` };
    });
  }

  /** @param publishedDate ISO 8601. @returns whether it was stored */
  async function schedule(publishedDate: string): Promise<boolean> {
    const input = complete();
    if (!input) return false;
    return run("schedule", async (client) => {
      await confirmImage(input);
      await schedulePost(client, seen(), input, current().author || author, publishedDate);
      settle(input.image_url);
      reopen();
      return {
        title: state === "scheduled" ? "Schedule saved" : "Post scheduled",
        description: `It is published on ${formatSchedule(publishedDate, contact.timeZone)}.`,
      };
    });
  }

  async function submit(): Promise<void> {
    const input = complete();
    if (!input) return;
    await run("submit", async (client) => {
      const uploaded = await image.upload();
      if (uploaded) {
        editor.change({ imageUrl: uploaded });
        image.reset();
        if (!(await session.flush())) throw session.getState().error ?? new ChangedElsewhereError();
      }
      const words = { ...input, image_url: uploaded ?? input.image_url };
      await confirmImage(words);
      // A published post keeps its author.
      const signed = row && state === "published" ? row.author : current().author || author;
      await submitPost(client, seen(), words, signed);
      return { title: "Submitted", description: "It can be approved now." };
    });
  }

  const decide = (decision: { submission: number; is_approved: boolean; comment: string }) =>
    run("decide", async (client) => {
      const args = { ...decision, preview_token: null, name: null, email: null };
      const { data: problem } = await client.rpc("decide", args).throwOnError();
      if (problem) throw new StoppedSave({ title: errorTitle, description: problem });
      return decision.is_approved
        ? { title: "Approved", description: "It can be published as it is." }
        : { title: "Returned", description: `Your comment is shown with the ${name}.` };
    });

  async function overwrite(): Promise<void> {
    if (newer) versions.push(newer.version);
    if (row && state === "scheduled") await schedule(row.published_date);
    else await save();
  }

  const unschedule = () =>
    run("unschedule", async (client) => {
      await unschedulePost(client, { id, kind });
      reopen();
      return { title: "Unscheduled", description: "The post is a draft again." };
    });

  const keepVersion = () =>
    run("keep", async (client) => {
      const { status, error, savedAt } = session.getState();
      if (status === "failed") throw error;
      await keepDraft(client, { id, kind });
      setKeptAt(savedAt);
      return { title: "Draft saved", description: "Only you and your editors can see it." };
    });

  const discard = () =>
    run("discard", async (client) => {
      const { draft } = seen();
      if (draft) await discardDraft(client, { id, kind, draft });
      session.replace(editor.start, null);
      image.reset();
      if (row) return { title: "Changes discarded", description: `The ${name} is as it was.` };
      leave();
      return { title: "Draft discarded", description: "It can be restored for 30 days." };
    });

  /** Continues with an earlier version, as a draft. @throws the backend's error */
  async function restore(version: PostVersion): Promise<void> {
    const client = await getBrowserClient();
    // In a conflict, this also shows the choice between two versions.
    await session.confirm();
    isRestoring.current = true;
    try {
      const savedAt = await restoreVersion(client, version, seen().draft, opened.version);
      editor.restore(version.document, savedAt);
      setKeptAt(savedAt);
    } finally {
      isRestoring.current = false;
    }
    const { image_url } = version.document;
    const isImageLost = image_url !== null && !(await isImageStored(image_url));
    if (isImageLost) editor.change({ imageUrl: null });
    showToast({
      tone: "success",
      title: "Version restored",
      description: isImageLost
        ? "It is your draft now. Its image is no longer stored: choose another one."
        : "It is your draft now, and not public yet.",
    });
  }

  return {
    running,
    failure,
    newer,
    fail,
    /** Whether leaving needs no confirmation: the post was saved or discarded. */
    settled,
    publish,
    save,
    schedule,
    submit,
    decide,
    overwrite,
    unschedule,
    keepVersion,
    keptAt,
    restore,
    discard,
    reportMissingImage: () => setFailure(imageGone.description),
  };
}
