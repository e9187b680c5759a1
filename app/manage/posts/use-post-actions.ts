import { useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { remainingErrors } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Json } from "../../supabase/database.ts";
import { type Notice, showToast } from "../../ui/toast.ts";
import { selectInContent } from "../content/content-field.tsx";
import { ChangedElsewhereError } from "../describe-failure.ts";
import { formatSchedule } from "../format-moment.ts";
import { discardUpload, isImageStored, removeStoredImage } from "../images/image-storage.ts";
import { decide as storeDecision } from "../versions/approvals.ts";
import {
  unschedule as endSchedule,
  keepDraft,
  schedule as scheduleVersion,
  submit as submitDocument,
} from "../versions/content-store.ts";
import {
  describeFailedAction,
  draftConflict,
  newerVersion,
  type PostAction,
  publishedMeanwhile,
  StoppedSave,
} from "./post-failures.ts";
import {
  completePost,
  errorTitle,
  imageGone,
  type PostErrors,
  type PostFailure,
  type PostInput,
  type PostState,
  placeholdersIn,
} from "./post-schema.ts";
import {
  discardPostDraft,
  type OpenedPost,
  publishPost,
  restoreVersion,
  thingOf,
  unpublishPost,
  updatePost,
} from "./stored-posts.ts";
import { unpublished } from "./unpublish-dialog.tsx";
import type { FeaturedImage } from "./use-featured-image.ts";
import type { PostEditorState } from "./use-post-editor.ts";

const success = "Success! 🚀";

/** Focuses the first field with an error, in the order of the form. */
function focusInvalid(): void {
  const part = document.querySelector("[data-invalid]");
  const field = "textarea, [contenteditable=true], input:not([type=file])";
  (part?.querySelector<HTMLElement>(field) ?? part?.querySelector("button"))?.focus();
}

interface ShownFailure {
  text: string | undefined;
  errors?: PostErrors | undefined;
}

export type PostActions = ReturnType<typeof usePostActions>;

interface PostActionsOptions {
  editor: PostEditorState;
  image: FeaturedImage;
  /** The author of a post that names none. */
  author: string;
  /** The state that another window or the schedule has given the post; null while it is being read. */
  newState: PostState | null;
  /** Reads again what is stored, which the session then follows. */
  reread: () => Promise<OpenedPost | null>;
  onReopen: () => void;
}

export function usePostActions(options: PostActionsOptions) {
  const { editor, image, author, newState, reread, onReopen } = options;
  const { session, opened, current } = editor;
  const { kind, row, state } = opened;
  const thing = thingOf(opened);
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
  const [failed, setFailed] = useState<ShownFailure | null>(null);
  const errors = failed?.errors ? remainingErrors(failed.errors, missingNow()) : {};
  /** Rendered immediately: a toast inside a dialog that is still open would disappear with it. */
  const reopen = () => flushSync(onReopen);

  function missingNow(): PostErrors {
    const checked = completePost(editor.draft, opened);
    return "failure" in checked ? (checked.failure.errors ?? {}) : {};
  }

  function fail({ title, description, text = description, errors }: PostFailure): void {
    // Rendered before the focus moves, so that screen readers announce it with the field.
    flushSync(() => setFailed({ text, errors }));
    const [placeholder] = errors?.content ? placeholdersIn(current().content) : [];
    if (placeholder) selectInContent(placeholder, 0);
    else if (errors) focusInvalid();
    showToast({ tone: "error", title, description });
  }

  /** Runs a change after everything typed is saved. @param act returns the toast of its success */
  async function run(
    action: PostAction,
    act: (client: Client) => Promise<Notice>,
  ): Promise<boolean> {
    setFailed(null);
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

  /** Takes over what another window stored. @returns null when it is not known */
  async function explainChange(): Promise<PostFailure | null> {
    const stored = await reread().catch(() => undefined);
    if (stored === undefined) return null;
    if (stored?.state === state) return newerVersion(name);
    reopen();
    return stored?.state === "published" ? publishedMeanwhile(name) : newerVersion(name);
  }

  const onOtherState = useEffectEvent(() => {
    // What is typed here meanwhile stays: saving it finds the other state.
    if (!isRunning.current && !mustStay()) reopen();
  });
  useEffect(() => {
    if (newState !== null && newState !== state) onOtherState();
  }, [newState, state]);

  const [keptAt, setKeptAt] = useState<string | null>(null);
  const seen = () => ({ savedAt: session.getState().savedAt, version: session.version });

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
      const slug = await publishPost(client, opened, seen(), input, current().author || author);
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
        await updatePost(client, opened, seen(), sent);
      } catch (error) {
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
      const document = { ...input, author: current().author || author };
      await scheduleVersion(client, thing, document, seen(), publishedDate);
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
      await submitDocument(client, thing, { ...words, author: signed }, seen().savedAt);
      return { title: "Submitted", description: "It can be approved now." };
    });
  }

  const decide = (decision: { submission: number; is_approved: boolean; comment: string }) =>
    run("decide", async (client) => {
      const problem = await storeDecision(client, decision);
      if (problem) throw new StoppedSave({ title: errorTitle, description: problem });
      return decision.is_approved
        ? { title: "Approved", description: "It can be published as it is." }
        : { title: "Returned", description: `Your comment is shown with the ${name}.` };
    });

  const unschedule = () =>
    run("unschedule", async (client) => {
      await endSchedule(client, thing);
      reopen();
      return { title: "Unscheduled", description: "The post is a draft again." };
    });

  const unpublish = () =>
    run("unpublish", async (client) => {
      await unpublishPost(client, opened.id);
      settled.current = true;
      // Otherwise the page of the draft would begin with the published post, and lead back to its address.
      await reread().catch(() => {});
      navigate(`${kind.create}?draft=${opened.id}`, { replace: true });
      return unpublished;
    });

  const keepVersion = () =>
    run("keep", async (client) => {
      const { status, savedAt } = session.getState();
      // The bar says so until it is saved.
      if (status === "failed") throw new StoppedSave(null);
      await keepDraft(client, thing);
      setKeptAt(savedAt);
      return { title: "Draft saved", description: "Only you and your editors can see it." };
    });

  const discard = () =>
    run("discard", async (client) => {
      const { savedAt } = seen();
      if (savedAt) await discardPostDraft(client, opened, savedAt);
      session.replace(editor.start, null);
      image.reset();
      if (row) return { title: "Changes discarded", description: `The ${name} is as it was.` };
      leave();
      return { title: "Draft discarded", description: "It can be restored for 30 days." };
    });

  /** Continues with an earlier version, as a draft. @throws ChangedElsewhereError or the backend's error */
  async function restore(number: number, document: Json): Promise<void> {
    await session.flush();
    isRestoring.current = true;
    const restored = editor.format.read(document);
    try {
      const client = await getBrowserClient();
      const savedAt = await restoreVersion(client, { number, document }, seen().savedAt);
      session.replace(restored, savedAt);
      setKeptAt(savedAt);
    } finally {
      isRestoring.current = false;
    }
    const { imageUrl } = restored;
    const isImageLost = imageUrl !== null && !(await isImageStored(imageUrl));
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
    /** What is missing or wrong, by the field. */
    errors,
    /** Until what was missing is there. */
    failure: failed?.errors && Object.keys(errors).length === 0 ? undefined : failed?.text,
    fail,
    /** Whether leaving needs no confirmation: the post was saved or discarded. */
    settled,
    publish,
    save,
    schedule,
    submit,
    decide,
    unschedule,
    unpublish,
    keepVersion,
    keptAt,
    restore,
    discard,
    reportMissingImage: () =>
      setFailed({ text: imageGone.description, errors: { imageUrl: imageGone.title } }),
  };
}
