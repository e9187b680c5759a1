import { useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { setSiteOutdated } from "../../config/refresh-site.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { showToast } from "../../ui/toast.ts";
import { ChangedElsewhereError, describeFailure } from "../describe-failure.ts";
import { useReload } from "../live-query.ts";
import { useApproval } from "../versions/approval.tsx";
import { decide as storeDecision, writersSettingsOf } from "../versions/approvals.ts";
import {
  discardDraft,
  restore as restoreVersion,
  saveDraft,
  submit as submitDocument,
} from "../versions/content-store.ts";
import { keepBackup, readBackup } from "../versions/draft-backup.ts";
import { DraftSession, type Stored, useDraftSession } from "../versions/draft-session.ts";
import { type AnyDocument, fitDocument, isSameDocument, tidy } from "./fields.ts";
import { findProblems, type Problems } from "./problems.ts";
import { formatOf } from "./section-format.ts";
import { publishDrafts, readRows, type StoredSettings, sectionThing } from "./settings-store.ts";

interface SectionDraftOptions {
  section: SectionName;
  settings: StoredSettings;
  startOf: (settings: StoredSettings) => AnyDocument;
}

export type SectionDraft = ReturnType<typeof useSectionDraft>;

/** The draft of a section: saves, publishes and discards it, follows other windows, and collects its problems. */
export function useSectionDraft({ section, settings, startOf }: SectionDraftOptions) {
  const reload = useReload();
  const { session, state } = useDraftSession(
    () => openSession(section, settings, newestOf),
    newestOf(settings),
    settings.readAt,
  );
  const format = useMemo(() => formatOf(section), [section]);
  const [wasChecked, setChecked] = useState(false);
  const [settlements, setSettlements] = useState(0);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [rejection, setRejection] = useState<Problems>({});
  const { isWaiting, untilOnline, stopWaiting } = useConnection();
  /** Whether texts that are marked as read are being published, and whether others were marked meanwhile. */
  const reading = useRef({ isRunning: false, isAgain: false });
  const found = useMemo(() => findProblems(section, state.document), [section, state.document]);
  const start = startOf(settings);
  const isSame = (stored: unknown) => isSameTidied(section, state.document, stored);
  const approval = useApproval({
    thing: sectionThing(section),
    settings: writersSettingsOf(settings.published.blog?.document),
    tables: ["section_drafts"],
    isIdle: !busy,
    isSame,
    isPublic: () => state.status === "unchanged" || isSame(settings.published[section]?.document),
  });

  function newestOf(settings: StoredSettings): Stored<AnyDocument> {
    const draft = settings.drafts[section];
    return {
      document: draft ? fitDocument(section, draft.document) : startOf(settings),
      savedAt: draft?.savedAt ?? null,
      version: settings.published[section]?.version ?? null,
    };
  }

  /**
   * Saves a form without problems, once there is a connection.
   * @returns `savedAt` of the draft; null, with the problems shown, when it cannot be published, or the owner stopped waiting
   * @throws why it was not saved
   */
  async function complete(): Promise<string | null> {
    flushSync(() => setChecked(true));
    if (Object.keys(found).length > 0) {
      focusFirstProblem();
      return null;
    }
    if (!(await untilOnline())) return null;
    if (session.getState().status === "unchanged") session.change(state.document);
    if (await saveUnlessMerged()) return session.getState().savedAt;
    throw session.getState().error ?? new ChangedElsewhereError();
  }

  /** Also publishes a form that was not changed. @returns whether it is published */
  function publish(): Promise<boolean> {
    return attempt("published", async () => {
      const isPublished = await publishCompleted();
      if (isPublished) announcePublished();
      return isPublished;
    });
  }

  async function publishCompleted(): Promise<boolean> {
    const savedAt = await complete();
    if (savedAt === null) return false;
    const { document } = session.getState();
    const rejected = await publishDrafts(await getBrowserClient(), { [section]: savedAt });
    if (rejected) {
      flushSync(() => setRejection({ [rejected.path]: rejected.text }));
      focusFirstProblem();
      return false;
    }
    const newest = session.getState().document;
    show(document);
    // It was changed while it was being published.
    if (newest !== document) session.change(newest);
    return true;
  }

  /** That texts were read is public at once, if nothing else of the section was changed. */
  async function markRead(document: AnyDocument): Promise<void> {
    const isAlone = state.status === "unchanged" || reading.current.isRunning;
    // The database publishes it without an approval only in place of the same texts.
    const mayPublish = !approval || settings.published[section] !== undefined;
    session.change(document);
    if (!isAlone || !mayPublish) return;
    reading.current.isAgain = reading.current.isRunning;
    if (reading.current.isRunning) return;
    reading.current.isRunning = true;
    let isDone: boolean;
    do {
      reading.current.isAgain = false;
      isDone = await attempt("published", publishCompleted);
    } while (isDone && reading.current.isAgain);
    reading.current.isRunning = false;
    if (!isDone) return;
    const description = "Visitors see the same texts as before.";
    showToast({ tone: "success", title: "Marked as read", description });
  }

  /**
   * Publishes this section, if it was changed, and others, all or none.
   * @param readOthers reads `savedAt` of their drafts; null when one cannot be published
   * @returns the section that the database rejects; null when it published them
   */
  async function publishWith(
    readOthers: () => Promise<Partial<Record<SectionName, string>> | null>,
  ): Promise<SectionName | null | undefined> {
    let rejected: SectionName | null | undefined;
    await attempt("published", async () => {
      if (!(await untilOnline())) return false;
      const own = session.getState().status === "unchanged" ? null : await complete();
      const client = await getBrowserClient();
      const { document, status } = session.getState();
      if (own === null && status !== "unchanged") return false;
      const others = await readOthers();
      if (!others) return false;
      const drafts = { ...others, ...(own !== null && { [section]: own }) };
      rejected = (await publishDrafts(client, drafts))?.section ?? null;
      if (rejected) return false;
      if (own !== null) show(document);
      announcePublished();
      return true;
    });
    return rejected;
  }

  function submit(): Promise<boolean> {
    return attempt("submitted", async () => {
      const savedAt = await complete();
      if (savedAt === null) return false;
      const document = tidy(session.getState().document);
      await submitDocument(await getBrowserClient(), sectionThing(section), document, savedAt);
      showToast({ tone: "success", title: "Submitted", description: "It can be approved now." });
      return true;
    });
  }

  function decide(decision: Parameters<typeof storeDecision>[1]): Promise<boolean> {
    return attempt("stored", async () => {
      const problem = await storeDecision(await getBrowserClient(), decision);
      if (problem) setFailure(problem);
      return !problem;
    });
  }

  async function discard(): Promise<void> {
    await attempt("discarded", async () => {
      await saveUnlessMerged();
      const { savedAt, status } = session.getState();
      if (status === "conflict") return false;
      if (savedAt) await discardDraft(await getBrowserClient(), sectionThing(section), savedAt);
      show(start);
      showToast({
        tone: "success",
        title: "Draft discarded",
        description: "The form shows what the site shows.",
      });
      return true;
    });
  }

  /** Continues with an earlier version, as a draft. @throws ChangedElsewhereError or the backend's error */
  async function restore(number: number, stored: unknown): Promise<void> {
    await session.flush();
    const { savedAt } = session.getState();
    const restored = await restoreVersion(await getBrowserClient(), number, savedAt);
    show(fitDocument(section, stored), restored);
  }

  /** @throws ChangedElsewhereError when the save brought changes that the owner has not seen */
  async function saveUnlessMerged(): Promise<boolean> {
    const { followed } = session.getState();
    const isSaved = await session.flush();
    if (session.getState().followed !== followed) throw new ChangedElsewhereError();
    return isSaved;
  }

  /** Continues with what is stored now: without a draft, or with a restored one. */
  function show(document: AnyDocument, savedAt: string | null = null): void {
    session.replace(document, savedAt);
    setSettlements((count) => count + 1);
    setChecked(false);
    setRejection({});
  }

  async function explain(error: unknown): Promise<string> {
    if (error instanceof ChangedElsewhereError) await reload();
    return describeFailure(error, "the settings", "Try again.");
  }

  async function attempt(what: string, act: () => Promise<boolean>): Promise<boolean> {
    setBusy(true);
    setFailure(undefined);
    try {
      const isDone = await act();
      if (isDone) await reload();
      return isDone;
    } catch (error) {
      console.error(`The draft was not ${what}`, error);
      setFailure(`Not ${what}: ${await explain(error)}`);
      return false;
    } finally {
      setBusy(false);
    }
  }

  return {
    section,
    format,
    start,
    session,
    state,
    problems: { ...rejection, ...found },
    /** Whether problems are also shown for fields that the owner has not left yet. */
    wasChecked,
    /** How often the draft was published, discarded and replaced here. */
    settlements,
    busy,
    failure,
    approval,
    /** Whether a publication waits for the connection. */
    isWaiting,
    stopWaiting,
    publish,
    publishWith,
    markRead,
    submit,
    decide,
    discard,
    restore,
    change(document: AnyDocument): void {
      setRejection({});
      session.change(document);
    },
  };
}

/** Whether there is a connection, or to wait for it. */
function useConnection() {
  const waiting = useRef<AbortController>(null);
  const [isWaiting, setWaiting] = useState(false);
  const stopWaiting = () => waiting.current?.abort();

  useEffect(() => () => waiting.current?.abort(), []);

  /** @returns whether there is a connection; false when the owner stopped waiting for it */
  async function untilOnline(): Promise<boolean> {
    if (navigator.onLine) return true;
    const stopped = new AbortController();
    waiting.current = stopped;
    setWaiting(true);
    return new Promise((resolve) => {
      const { signal } = stopped;
      const end = (isOnline: boolean) => {
        setWaiting(false);
        resolve(isOnline);
      };
      window.addEventListener("online", () => end(true), { signal, once: true });
      signal.addEventListener("abort", () => end(false));
    });
  }

  return { isWaiting, untilOnline, stopWaiting };
}

function announcePublished(): void {
  setSiteOutdated(true);
  showToast({ tone: "success", title: "Published", description: "Your changes are on the site." });
}

function focusFirstProblem(): void {
  window.document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

function isSameTidied(section: SectionName, a: unknown, b: unknown): boolean {
  return isSameDocument(section, tidy(a), tidy(b));
}

function openSession(
  section: SectionName,
  settings: StoredSettings,
  newestOf: (settings: StoredSettings) => Stored<AnyDocument>,
): DraftSession<AnyDocument> {
  const backupKey = `settings-draft:${section}`;
  return new DraftSession<AnyDocument>({
    stored: newestOf(settings),
    backup: readBackup(backupKey, (kept) => fitDocument(section, kept)),
    async save(document, replaced) {
      const client = await getBrowserClient();
      const savedAt = await saveDraft(client, sectionThing(section), tidy(document), replaced);
      return savedAt ? { savedAt } : { conflict: newestOf(await readRows(client)) };
    },
    isSame: (a, b) => isSameTidied(section, a, b),
    keepBackup: (backup) => keepBackup(backupKey, backup),
  });
}
