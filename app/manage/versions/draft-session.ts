// A draft while it is edited: saves after a pause, retries, and merges what other windows stored, field by field.
import { useEffect, useState, useSyncExternalStore } from "react";
import { isRefused } from "../../../supabase/functions/_shared/api-errors.ts";
import { codeOf } from "../describe-failure.ts";
import type { Replaced } from "./content-store.ts";
import { type Conflict, mergeDocuments, type Side } from "./merge-documents.ts";

/** What the database stores: a draft or, without one, what is scheduled or public. */
export interface Stored<Document> extends Replaced {
  document: Document;
  /** What became public after the draft was started, without it. The draft is merged with it. */
  published?: { before: Document; after: Document; version: number | null } | undefined;
}

/** The outcome of a save. `conflict`: another window changed what is stored. Null when nothing is stored any more. */
export type SaveResult<Document> = { savedAt: string } | { conflict: Stored<Document> | null };

export type DraftStatus =
  | "unchanged"
  | "saved"
  /** The draft was changed and is saved after a pause. */
  | "waiting"
  | "saving"
  /** The last attempt failed; another one follows. */
  | "failed"
  /** Another window changed the same fields, and the owner must choose. */
  | "conflict";

export interface DraftState<Document> {
  document: Document;
  status: DraftStatus;
  /** `savedAt` of the stored draft that the document is based on; null when there is none. */
  savedAt: string | null;
  /** In a conflict, what is stored. */
  other: Stored<Document> | null;
  /** The fields to choose. */
  conflicts: readonly Conflict[];
  /** The document before and after each change that came from another window. */
  followed: readonly { before: Document; after: Document }[];
  error: unknown;
}

export interface Backup<Document> {
  document: Document;
  savedAt: string | null;
  /** What the changes are based on. Undefined in backups of a version of the site that did not keep it. */
  base?: Document | undefined;
}

interface DraftSessionOptions<Document> {
  stored: Stored<Document>;
  backup: Backup<Document> | null;
  save: (document: Document, replaced: Replaced) => Promise<SaveResult<Document>>;
  isSame: (a: Document, b: Document) => boolean;
  keepBackup: (backup: Backup<Document> | null) => void;
}

/** Milliseconds after the last change, and before retries. */
const pause = 1000;
const retryDelays = [2000, 5000, 10_000, 30_000];

export class DraftSession<Document> {
  #state: DraftState<Document>;
  /** What the changes here are based on. */
  #base: { document: Document | undefined; version: number | null };
  readonly #options: DraftSessionOptions<Document>;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> | undefined;
  #failures = 0;
  #isClosed = false;
  /** A document whose request got no response: the database may have stored it. */
  #unconfirmed: Document | null = null;
  /** When this window last changed what is stored. What was read before is outdated. */
  #settledAt = Number.NEGATIVE_INFINITY;

  constructor(options: DraftSessionOptions<Document>) {
    const { stored, backup, isSame } = options;
    const { document, savedAt, version, published } = stored;
    this.#options = options;
    this.#base = { document, version };
    this.#state = {
      document,
      savedAt,
      status: savedAt ? "saved" : "unchanged",
      other: null,
      conflicts: [],
      followed: [],
      error: null,
    };
    if (backup && !isSame(backup.document, document)) {
      const { base } = backup;
      this.#state = { ...this.#state, document: backup.document, status: "waiting" };
      if (backup.savedAt === savedAt && base !== undefined && isSame(base, document)) {
        // The closing page may have stored it, without seeing the response.
        this.#unconfirmed = backup.document;
        return;
      }
      this.#base = { document: base, version };
      this.#state = this.#mergedWith(stored);
    } else if (published) this.#state = this.#mergedWith(stored);
  }

  readonly getState = (): DraftState<Document> => this.#state;

  /** The scheduled or public version that the changes here are based on. */
  get version(): number | null {
    return this.#base.version;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    // Saves what the backup restored. Not in the constructor, because React discards sessions of abandoned renderings.
    if (this.#state.status === "waiting" && !this.#timer) this.#saveAfter(pause);
    return () => this.#listeners.delete(listener);
  };

  change(document: Document): void {
    const { status } = this.#state;
    this.#set({ document, status: status === "conflict" ? status : "waiting" });
    this.#backUp();
    if (status !== "conflict") this.#saveAfter(pause);
  }

  /** Merges what another window stored. @param readAt when reading it began */
  follow(stored: Stored<Document>, readAt = performance.now()): void {
    // A save that is under way finds out by itself.
    if (this.#saving || readAt < this.#settledAt) return;
    this.#merge(stored);
  }

  /** Chooses a version of a field that another window changed as well. */
  choose(path: string, side: Side): void {
    const { other } = this.#state;
    if (other) this.#merge(other, (at) => (at === path ? side : undefined));
  }

  /** The owner has seen what came from other windows. */
  dismissFollowed(): void {
    this.#set({ followed: [] });
  }

  /** Saves now. @returns whether everything is saved */
  async flush(): Promise<boolean> {
    if (["waiting", "failed"].includes(this.#state.status)) this.#start();
    await this.#saving;
    return ["saved", "unchanged"].includes(this.#state.status);
  }

  /** Continues with what this window has stored: a publication, a restored version, or nothing after the draft was discarded. */
  replace(document: Document, savedAt: string | null): void {
    clearTimeout(this.#timer);
    this.#options.keepBackup(null);
    this.#failures = 0;
    this.#base = { ...this.#base, document };
    this.#settledAt = performance.now();
    const status = savedAt ? "saved" : "unchanged";
    const settled = { other: null, conflicts: [], followed: [], error: null };
    this.#set({ document, savedAt, status, ...settled });
  }

  /** Saves pending changes once, without retries: the backup in the browser still has them. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#state.status === "waiting") this.#start();
  }

  #saveAfter(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.#start(), delay);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#saving ??= this.#save().finally(() => {
      this.#saving = undefined;
    });
  }

  async #save(): Promise<void> {
    for (;;) {
      const { document, savedAt } = this.#state;
      this.#set({ status: "saving" });
      let result: SaveResult<Document>;
      try {
        result = await this.#options.save(document, { savedAt, version: this.#base.version });
      } catch (error) {
        this.#unconfirmed = document;
        this.#set({ status: "failed", error });
        // The next change saves values that the database refuses.
        if (isRefused(codeOf(error))) return;
        this.#saveAfter(retryDelays[Math.min(this.#failures++, retryDelays.length - 1)] ?? pause);
        return;
      }
      const stored = this.#storedBy(result, document);
      if (!stored) {
        // A draft that was discarded elsewhere is kept by whoever still writes.
        const gone = { document: this.#base.document ?? document, savedAt: null, version: null };
        this.#merge(("conflict" in result ? result.conflict : null) ?? gone);
        return;
      }
      this.#failures = 0;
      this.#unconfirmed = null;
      this.#base = { ...this.#base, document: stored.document };
      this.#settledAt = performance.now();
      this.#set({ savedAt: stored.savedAt, error: null });
      // The document was changed while it was being saved.
      if (this.#state.document === stored.document) break;
      this.#backUp();
    }
    clearTimeout(this.#timer);
    this.#options.keepBackup(null);
    this.#set({ status: "saved" });
  }

  #merge(stored: Stored<Document>, choose?: (path: string) => Side | undefined): void {
    clearTimeout(this.#timer);
    this.#set(this.#mergedWith(stored, choose));
    const { status } = this.#state;
    if (status === "waiting" || status === "conflict") this.#backUp();
    else this.#options.keepBackup(null);
    if (status === "waiting") this.#saveAfter(pause);
  }

  /** Changes the base, and returns the state that follows. */
  #mergedWith(
    stored: Stored<Document>,
    choose?: (path: string) => Side | undefined,
  ): DraftState<Document> {
    const { isSame } = this.#options;
    const { document: here, followed } = this.#state;
    const { savedAt, published } = stored;
    const sent = this.#unconfirmed;
    const base = sent && isSame(sent, stored.document) ? sent : this.#base.document;
    const merged = mergeDocuments(base, here, stored.document, choose);
    let { document, conflicts } = merged;
    let other = stored;
    const isNewer = published !== undefined && published.version !== this.#base.version;
    if (isNewer && conflicts.length === 0) {
      const withPublished = mergeDocuments(published.before, document, published.after, choose);
      ({ document, conflicts } = withPublished);
      other = { ...stored, published: { ...published, before: withPublished.base } };
    }
    const isConflict = conflicts.length > 0;
    const version = isNewer && !isConflict ? published.version : this.#base.version;
    this.#base = { document: merged.base, version: published ? version : stored.version };
    const isUntouched = isSame(here, document);
    const isStored = !isNewer && isSame(document, stored.document);
    return {
      document: isUntouched ? here : document,
      savedAt,
      status: isConflict ? "conflict" : !isStored ? "waiting" : savedAt ? "saved" : "unchanged",
      other: isConflict ? other : null,
      conflicts,
      followed: isUntouched || choose ? followed : [...followed, { before: here, after: document }],
      error: null,
    };
  }

  #backUp(): void {
    const { document, savedAt } = this.#state;
    this.#options.keepBackup({ document, savedAt, base: this.#base.document });
  }

  /** What the database has now, or null when it has another window's draft. */
  #storedBy(result: SaveResult<Document>, sent: Document) {
    if ("savedAt" in result) return { document: sent, savedAt: result.savedAt };
    const { conflict: other } = result;
    if (!other?.savedAt || other.published) return null;
    const own = [sent, this.#unconfirmed].find(
      (document) => document && this.#options.isSame(document, other.document),
    );
    return own ? { document: own, savedAt: other.savedAt } : null;
  }

  #set(changes: Partial<DraftState<Document>>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}

/**
 * The session of a draft while its form is shown. Saves at once when the connection returns and when the page is hidden, and
 * follows what other windows store.
 * @param newest what is stored; null for nothing
 * @param readAt when reading it began, of `performance.now()`
 */
export function useDraftSession<Document>(
  open: () => DraftSession<Document>,
  newest: Stored<Document> | null,
  readAt: number,
) {
  const [session] = useState(open);
  const state = useSyncExternalStore(session.subscribe, session.getState);

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const save = () => void session.flush();
    const onHidden = () => document.visibilityState === "hidden" && save();
    window.addEventListener("online", save, { signal });
    window.addEventListener("pagehide", save, { signal });
    document.addEventListener("visibilitychange", onHidden, { signal });
    return () => {
      listening.abort();
      session.close();
    };
  }, [session]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `newest` is a new object in each rendering.
  useEffect(() => {
    if (newest) session.follow(newest, readAt);
  }, [session, readAt]);

  return { session, state };
}
