// A draft while it is edited: saves after a pause, retries, and never overwrites what another window saved.
import { useEffect, useState, useSyncExternalStore } from "react";

/** A draft as the database stores it. */
export interface StoredDraft<Document> {
  document: Document;
  /** `updated_at`, as the database returned it: a save must name the draft that it replaces. */
  savedAt: string;
}

/** The outcome of a save. `conflict`: another window saved, published (null) or discarded (null) the draft. */
export type SaveResult<Document> = { savedAt: string } | { conflict: StoredDraft<Document> | null };

export type DraftStatus =
  /** There is no draft, because nothing was changed. */
  | "unchanged"
  | "saved"
  /** The draft was changed and is saved after a pause. */
  | "waiting"
  | "saving"
  /** The last attempt failed; another one follows. */
  | "failed"
  /** Another window changed the draft, and the owner must choose a version. */
  | "conflict";

export interface DraftState<Document> {
  document: Document;
  status: DraftStatus;
  /** `savedAt` of the stored draft that the document is based on; null when there is none. */
  savedAt: string | null;
  /** In a conflict, the draft of the other window; null when it published or discarded its draft. */
  other: StoredDraft<Document> | null;
  error: unknown;
}

/** The backup in this browser until the draft is saved. */
export interface Backup<Document> {
  document: Document;
  savedAt: string | null;
}

interface DraftSessionOptions<Document> {
  /** The published document, or what the site shows without one. */
  start: Document;
  stored: StoredDraft<Document> | null;
  backup: Backup<Document> | null;
  save: (document: Document, replaced: string | null) => Promise<SaveResult<Document>>;
  isSame: (a: Document, b: Document) => boolean;
  keepBackup: (backup: Backup<Document> | null) => void;
}

/** Milliseconds after the last change, and before retries. */
const pause = 1000;
const retryDelays = [2000, 5000, 10_000, 30_000];

export class DraftSession<Document> {
  #state: DraftState<Document>;
  readonly #options: DraftSessionOptions<Document>;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> | undefined;
  #failures = 0;
  #isClosed = false;
  /** A document whose request got no response: the database may have stored it. */
  #unconfirmed: Document | null = null;

  constructor(options: DraftSessionOptions<Document>) {
    const { start, stored, backup, isSame } = options;
    this.#options = options;
    this.#state = {
      document: stored?.document ?? start,
      status: stored ? "saved" : "unchanged",
      savedAt: stored?.savedAt ?? null,
      other: null,
      error: null,
    };
    if (!backup || isSame(backup.document, this.#state.document)) return;
    const isCurrent = backup.savedAt === this.#state.savedAt;
    this.#state = {
      ...this.#state,
      document: backup.document,
      status: isCurrent ? "waiting" : "conflict",
      savedAt: backup.savedAt,
      other: isCurrent ? null : stored,
    };
    // The closing page may have stored it, without seeing the response.
    if (isCurrent) this.#unconfirmed = backup.document;
  }

  readonly getState = (): DraftState<Document> => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    // Saves what the backup restored. Not in the constructor, because React discards sessions of abandoned renderings.
    if (this.#state.status === "waiting" && !this.#timer) this.#saveAfter(pause);
    return () => this.#listeners.delete(listener);
  };

  change(document: Document): void {
    const { status, savedAt } = this.#state;
    this.#options.keepBackup({ document, savedAt });
    this.#set({ document, status: status === "conflict" ? status : "waiting" });
    if (status !== "conflict") this.#saveAfter(pause);
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
    const status = savedAt ? "saved" : "unchanged";
    this.#set({ document, savedAt, status, other: null, error: null });
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
        result = await this.#options.save(document, savedAt);
      } catch (error) {
        this.#unconfirmed = document;
        this.#set({ status: "failed", error });
        this.#saveAfter(retryDelays[Math.min(this.#failures++, retryDelays.length - 1)] ?? pause);
        return;
      }
      const stored = this.#storedBy(result, document);
      if (!stored) {
        this.#set({ status: "conflict", other: "conflict" in result ? result.conflict : null });
        return;
      }
      this.#failures = 0;
      this.#unconfirmed = null;
      this.#set({ savedAt: stored.savedAt, error: null });
      // The document was changed while it was being saved.
      if (this.#state.document === stored.document) break;
      this.#options.keepBackup({ document: this.#state.document, savedAt: stored.savedAt });
    }
    clearTimeout(this.#timer);
    this.#options.keepBackup(null);
    this.#set({ status: "saved" });
  }

  /** What the database has now, or null when it has another window's draft. */
  #storedBy(result: SaveResult<Document>, sent: Document) {
    if ("savedAt" in result) return { document: sent, savedAt: result.savedAt };
    const { conflict: other } = result;
    if (!other) return null;
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
 * @param open called once
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
