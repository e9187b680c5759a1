// A draft while it is edited: saves after a pause, retries, and never overwrites what another window saved.
import { useEffect, useState, useSyncExternalStore } from "react";
import { isRefused } from "../../supabase/functions/_shared/api-errors.ts";
import { codeOf } from "./describe-failure.ts";
import type { Conflict, Merged, Side } from "./merge/merge-documents.ts";

/** What the database stores: a draft or, without one, what is published. */
export interface Stored<Document> {
  document: Document;
  /** `updated_at` of the draft, as the database returned it: a save must name the draft that it replaces. Null for no draft. */
  savedAt: string | null;
  /** The published version, for drafts that are merged. Null when nothing is published. */
  version?: number | null;
}

/** The outcome of a save. `conflict`: another window changed what is stored. Null when its new state is not known. */
export type SaveResult<Document> = { savedAt: string } | { conflict: Stored<Document> | null };

export type DraftStatus =
  | "unchanged"
  | "saved"
  /** The draft was changed and is saved after a pause. */
  | "waiting"
  | "saving"
  /** The last attempt failed; another one follows. */
  | "failed"
  /** Another window changed the draft, or the same fields of it, and the owner must choose a version. */
  | "conflict";

export interface DraftState<Document> {
  document: Document;
  status: DraftStatus;
  /** `savedAt` of the stored draft that the document is based on; null when there is none. */
  savedAt: string | null;
  /** In a conflict, what the other window stored; null when it published or discarded the draft. */
  other: Stored<Document> | null;
  /** The fields to choose, if drafts are merged. */
  conflicts: readonly Conflict[];
  /** The document before and after each change that came from another window. */
  followed: readonly { before: Document; after: Document }[];
  error: unknown;
}

export interface Backup<Document> {
  document: Document;
  savedAt: string | null;
  /** What the changes are based on, for drafts that are merged. */
  base?: Document | undefined;
}

interface DraftSessionOptions<Document> {
  stored: Stored<Document>;
  backup: Backup<Document> | null;
  /** @param replaced what the document is based on */
  save: (
    document: Document,
    replaced: Omit<Stored<Document>, "document">,
  ) => Promise<SaveResult<Document>>;
  isSame: (a: Document, b: Document) => boolean;
  /** Merges changes of another window. Without it, the owner chooses between two versions of the whole document. */
  merge?: (
    base: Document | undefined,
    here: Document,
    there: Document,
    choose?: (path: string) => Side | undefined,
  ) => Merged<Document>;
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
    const { stored, backup, isSame, merge } = options;
    const { document, savedAt, version = null } = stored;
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
    if (!backup || isSame(backup.document, document)) return;
    const isCurrent =
      backup.savedAt === savedAt &&
      (!merge || (backup.base !== undefined && isSame(backup.base, document)));
    this.#state = {
      ...this.#state,
      document: backup.document,
      status: isCurrent ? "waiting" : "conflict",
      savedAt: backup.savedAt,
      other: isCurrent || !savedAt ? null : stored,
    };
    // The closing page may have stored it, without seeing the response.
    if (isCurrent) this.#unconfirmed = backup.document;
    else if (merge) {
      this.#base = { document: backup.base, version };
      this.#state = this.#mergedWith(stored);
    }
  }

  readonly getState = (): DraftState<Document> => this.#state;

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

  /** Saves even an unchanged document, to detect a conflict. @returns whether there is none */
  async confirm(): Promise<boolean> {
    const { status, savedAt } = this.#state;
    if (status === "saved" && savedAt !== null) this.#start();
    else await this.flush();
    await this.#saving;
    return this.#state.status !== "conflict";
  }

  /** Ends a conflict: the other window's draft is replaced. */
  keepMine(): void {
    const { document, other } = this.#state;
    this.#set({ savedAt: other?.savedAt ?? null, other: null, status: "waiting" });
    this.change(document);
    this.#start();
  }

  /** Ends a conflict, or follows a publication: continues with what is stored. */
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
        const other = "conflict" in result ? result.conflict : null;
        if (other && this.#options.merge) this.#merge(other);
        else this.#set({ status: "conflict", other });
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
    const { merge, isSame } = this.#options;
    const { document: here, followed } = this.#state;
    if (!merge) return this.#state;
    const sent = this.#unconfirmed;
    const base = sent && isSame(sent, stored.document) ? sent : this.#base.document;
    const merged = merge(base, here, stored.document, choose);
    this.#base = { document: merged.base, version: stored.version ?? null };
    const isUntouched = isSame(here, merged.document);
    const isStored = isSame(merged.document, stored.document);
    const isConflict = merged.conflicts.length > 0;
    return {
      document: isUntouched ? here : merged.document,
      savedAt: stored.savedAt,
      status: isConflict
        ? "conflict"
        : !isStored
          ? "waiting"
          : stored.savedAt
            ? "saved"
            : "unchanged",
      other: isConflict ? stored : null,
      conflicts: merged.conflicts,
      followed:
        isUntouched || choose ? followed : [...followed, { before: here, after: merged.document }],
      error: null,
    };
  }

  #backUp(): void {
    const { document, savedAt } = this.#state;
    const base = this.#options.merge && { base: this.#base.document };
    this.#options.keepBackup({ document, savedAt, ...base });
  }

  /** What the database has now, or null when it has another window's draft. */
  #storedBy(result: SaveResult<Document>, sent: Document) {
    if ("savedAt" in result) return { document: sent, savedAt: result.savedAt };
    const { conflict: other } = result;
    if (!other?.savedAt) return null;
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
 * The session of a draft while its form is shown. Saves at once when the connection returns and when the page is hidden.
 */
export function useDraftSession<Document>(open: () => DraftSession<Document>) {
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

  return { session, state };
}
