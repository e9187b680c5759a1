import { useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useRevalidator } from "react-router";
import { setSiteOutdated } from "../../config/refresh-site.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { showToast } from "../../ui/toast.ts";
import { describeFailure } from "../describe-failure.ts";
import { keepBackup, readBackup } from "../draft-backup.ts";
import { DraftSession, useDraftSession } from "../draft-session.ts";
import { type AnyDocument, fitDocument, isSameDocument, tidy } from "./fields.ts";
import { findProblems, type Problems } from "./problems.ts";
import { discardDraft, publishDrafts, type StoredSettings, saveDraft } from "./settings-store.ts";

interface SectionDraftOptions {
  section: SectionName;
  stored: StoredSettings;
  /** The document that the form shows without a draft. */
  start: AnyDocument;
}

export type SectionDraft = ReturnType<typeof useSectionDraft>;

/** The draft of a section: saves, publishes and discards it, follows other windows, and collects its problems. */
export function useSectionDraft({ section, stored, start }: SectionDraftOptions) {
  const { revalidate } = useRevalidator();
  const { session, state } = useDraftSession(() => openSession(section, start, stored));
  const [wasChecked, setChecked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [rejection, setRejection] = useState<Problems>({});
  const found = useMemo(() => findProblems(section, state.document), [section, state.document]);

  useFollowStored({ section, session, stored, start, refresh: revalidate });

  /** Also publishes a form that was not changed. @returns whether it is published */
  async function publish(): Promise<boolean> {
    flushSync(() => setChecked(true));
    if (Object.keys(found).length > 0) {
      focusFirstProblem();
      return false;
    }
    return attempt("published", async () => {
      if (session.getState().status === "unchanged") session.change(state.document);
      if (!(await session.flush())) return false;
      const rejected = await publishDrafts(await getBrowserClient(), [section]);
      if (rejected) {
        flushSync(() => setRejection({ [rejected.path]: rejected.text }));
        focusFirstProblem();
        return false;
      }
      show(session.getState().document);
      announcePublished();
      return true;
    });
  }

  async function discard(): Promise<void> {
    await attempt("discarded", async () => {
      await session.flush();
      const { savedAt } = session.getState();
      if (savedAt && !(await discardDraft(section, savedAt))) {
        setFailure("The draft was changed in another window and was not discarded.");
        return false;
      }
      show(start);
      showToast({
        tone: "success",
        title: "Draft discarded",
        description: "The form shows what the site shows.",
      });
      return true;
    });
  }

  /** Ends the session and continues without a draft. */
  function show(document: AnyDocument): void {
    session.replace(document, null);
    setChecked(false);
    setRejection({});
  }

  async function attempt(what: string, act: () => Promise<boolean>): Promise<boolean> {
    setBusy(true);
    setFailure(undefined);
    try {
      const isDone = await act();
      if (isDone) await revalidate();
      return isDone;
    } catch (error) {
      console.error(`The draft was not ${what}`, error);
      setFailure(`Not ${what}: ${describeFailure(error, "the settings", "Try again.")}`);
      return false;
    } finally {
      setBusy(false);
    }
  }

  return {
    section,
    start,
    session,
    state,
    problems: { ...rejection, ...found },
    /** Whether problems are also shown for fields that the owner has not left yet. */
    wasChecked,
    busy,
    failure,
    publish,
    discard,
    change(document: AnyDocument): void {
      setRejection({});
      session.change(document);
    },
    /** Ends a conflict with the draft of the other window, or with what is published. */
    takeOther(): void {
      const { other } = session.getState();
      session.replace(other?.document ?? start, other?.savedAt ?? null);
      if (!other) void revalidate();
    },
  };
}

export function announcePublished(): void {
  setSiteOutdated(true);
  showToast({ tone: "success", title: "Published", description: "Your changes are on the site." });
}

function focusFirstProblem(): void {
  window.document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

function openSession(
  section: SectionName,
  start: AnyDocument,
  { drafts }: StoredSettings,
): DraftSession<AnyDocument> {
  const draft = drafts[section];
  const backupKey = `settings-draft:${section}`;
  return new DraftSession<AnyDocument>({
    start,
    stored: draft
      ? { document: fitDocument(section, draft.document), savedAt: draft.savedAt }
      : null,
    backup: readBackup(backupKey, (kept) => fitDocument(section, kept)),
    save: async (document, replaced) => {
      const result = await saveDraft(section, tidy(document), replaced);
      if ("savedAt" in result) return result;
      const other = result.conflict;
      return { conflict: other && { ...other, document: fitDocument(section, other.document) } };
    },
    isSame: (a, b) => isSameDocument(section, tidy(a), tidy(b)),
    keepBackup: (backup) => keepBackup(backupKey, backup),
  });
}

interface FollowOptions extends SectionDraftOptions {
  session: DraftSession<AnyDocument>;
  refresh: () => void;
}

/** Reloads when the owner returns to this window, and shows what another window saved unless it changed something here. */
function useFollowStored({ section, session, stored, start, refresh }: FollowOptions): void {
  const before = useRef(session.getState());
  const latest = useRef({ refresh, start });
  latest.current = { refresh, start };

  useEffect(() => {
    function onVisible() {
      const state = session.getState();
      if (document.visibilityState !== "visible" || !isSettled(state.status)) return;
      before.current = state;
      latest.current.refresh();
    }
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [session]);

  useEffect(() => {
    const state = session.getState();
    // A save since the request has made its response outdated.
    if (state !== before.current || !isSettled(state.status)) return;
    const draft = stored.drafts[section];
    if ((draft?.savedAt ?? null) === state.savedAt) return;
    session.replace(
      draft ? fitDocument(section, draft.document) : latest.current.start,
      draft?.savedAt ?? null,
    );
  }, [session, section, stored]);
}

function isSettled(status: string): boolean {
  return status === "saved" || status === "unchanged";
}
