import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backup, DraftSession, type SaveResult, type Stored } from "./draft-session.ts";
import { mergeDocuments } from "./merge/merge-documents.ts";

interface Text {
  text: string;
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A session that edits one draft, and a stub of the table that stores it. */
function open({
  stored = null,
  kept = null,
  isShown = true,
}: {
  stored?: Text | null;
  kept?: Backup<Text> | null;
  isShown?: boolean;
} = {}) {
  let row: Stored<Text> | null = stored && { document: stored, savedAt: "1" };
  let saves = 1;
  let failure: Error | null = null;
  let isResponseLost = false;
  let backup = kept;
  const session = new DraftSession<Text>({
    stored: row ?? { document: { text: "published" }, savedAt: null },
    backup: kept,
    async save(document, { savedAt: replaced }): Promise<SaveResult<Text>> {
      if (failure) throw failure;
      if ((row?.savedAt ?? null) !== replaced) return { conflict: row };
      const savedAt = String(++saves);
      row = { document, savedAt };
      if (isResponseLost) throw new TypeError("Failed to fetch");
      return { savedAt };
    },
    isSame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    keepBackup: (next) => {
      backup = next;
    },
  });
  if (isShown) session.subscribe(() => {});
  return {
    session,
    state: session.getState,
    row: () => row,
    backup: () => backup,
    fail: (next: Error | null) => {
      failure = next;
    },
    loseResponses: (lost: boolean) => {
      isResponseLost = lost;
    },
    saveElsewhere: (document: Text | null) => {
      row = document && { document, savedAt: String(++saves) };
    },
  };
}

test("a change is saved once typing stops, and kept in the browser until then", async () => {
  const { session, state, row, backup } = open();
  expect(state().status).toBe("unchanged");
  session.change({ text: "a" });
  await vi.advanceTimersByTimeAsync(900);
  session.change({ text: "ab" });
  await vi.advanceTimersByTimeAsync(900);
  expect(row()).toBeNull();
  expect(state().status).toBe("waiting");
  expect(backup()).toEqual({ document: { text: "ab" }, savedAt: null });
  await vi.advanceTimersByTimeAsync(100);
  expect(row()?.document).toEqual({ text: "ab" });
  expect(state().status).toBe("saved");
  expect(backup()).toBeNull();
});

test("a failed save is repeated, and nothing that was typed is lost", async () => {
  const { session, state, row, backup, fail } = open();
  fail(new TypeError("Failed to fetch"));
  session.change({ text: "a" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(state().status).toBe("failed");
  session.change({ text: "ab" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(backup()?.document).toEqual({ text: "ab" });
  fail(null);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(row()?.document).toEqual({ text: "ab" });
  expect(state().status).toBe("saved");
});

test("what another window saved is not overwritten, and the owner can keep either version", async () => {
  for (const keepsMine of [true, false]) {
    const { session, state, row, saveElsewhere } = open({ stored: { text: "old" } });
    saveElsewhere({ text: "theirs" });
    session.change({ text: "mine" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(state()).toMatchObject({
      status: "conflict",
      document: { text: "mine" },
      other: { document: { text: "theirs" } },
    });
    session.change({ text: "mine, longer" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(row()?.document).toEqual({ text: "theirs" });

    if (keepsMine) session.keepMine();
    else session.replace({ text: "theirs" }, row()?.savedAt ?? null);
    await vi.advanceTimersByTimeAsync(1000);
    expect(state().status).toBe("saved");
    expect(row()?.document).toEqual({ text: keepsMine ? "mine, longer" : "theirs" });
    expect(state().document).toEqual(row()?.document);
  }
});

test("a draft that was published or discarded in another window can be saved again", async () => {
  const { session, state, row, saveElsewhere } = open({ stored: { text: "old" } });
  saveElsewhere(null);
  session.change({ text: "mine" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(state()).toMatchObject({ status: "conflict", other: null });
  session.keepMine();
  await vi.advanceTimersByTimeAsync(1000);
  expect(row()?.document).toEqual({ text: "mine" });
});

test.each(["23514", "PT422"])(
  "values that the database refuses with %s are saved again after the next change only",
  async (code) => {
    const { session, row, fail } = open();
    fail(Object.assign(new Error("The text is too long."), { code }));
    session.change({ text: "long" });
    await vi.advanceTimersByTimeAsync(1000);
    fail(null);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(row()).toBeNull();
    session.change({ text: "short" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(row()?.document).toEqual({ text: "short" });
  },
);

test("a save whose response was lost is not a conflict", async () => {
  const { session, state, row, loseResponses } = open({ stored: { text: "old" } });
  loseResponses(true);
  session.change({ text: "a" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(state().status).toBe("failed");
  loseResponses(false);
  session.change({ text: "ab" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(state().status).toBe("saved");
  expect(row()?.document).toEqual({ text: "ab" });
});

test("what this browser kept is restored and saved, unless the draft has changed since", async () => {
  const current = open({
    stored: { text: "old" },
    kept: { document: { text: "kept" }, savedAt: "1" },
  });
  expect(current.state().document).toEqual({ text: "kept" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(current.row()?.document).toEqual({ text: "kept" });

  const outdated = open({
    stored: { text: "theirs" },
    kept: { document: { text: "kept" }, savedAt: "0" },
  });
  expect(outdated.state()).toMatchObject({
    status: "conflict",
    document: { text: "kept" },
    other: { document: { text: "theirs" } },
  });
});

test("what a page stored while it was closed is not a conflict for the next one", async () => {
  const { session, state, row, saveElsewhere } = open({
    kept: { document: { text: "kept" }, savedAt: null },
  });
  saveElsewhere({ text: "kept" });
  session.change({ text: "kept, continued" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(state().status).toBe("saved");
  expect(row()?.document).toEqual({ text: "kept, continued" });
});

test("a session that is never shown saves nothing", async () => {
  const { row } = open({ kept: { document: { text: "kept" }, savedAt: null }, isShown: false });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(row()).toBeNull();
});

test("a change during a save is saved after it", async () => {
  const { session, row, state } = open();
  session.change({ text: "a" });
  const flushed = session.flush();
  session.change({ text: "ab" });
  expect(await flushed).toBe(true);
  expect(row()?.document).toEqual({ text: "ab" });
  expect(state().status).toBe("saved");
});

test("a confirmation finds what another window saved, although nothing was changed here", async () => {
  const { session, state, row, saveElsewhere } = open({ stored: { text: "old" } });
  expect(await session.confirm()).toBe(true);
  saveElsewhere({ text: "theirs" });
  expect(await session.confirm()).toBe(false);
  expect(state().status).toBe("conflict");
  expect(row()?.document).toEqual({ text: "theirs" });

  const unchanged = open();
  expect(await unchanged.session.confirm()).toBe(true);
  expect(unchanged.row()).toBeNull();
});

test("a closed session saves what is waiting and stops trying", async () => {
  const { session, row, fail } = open();
  session.change({ text: "a" });
  session.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(row()?.document).toEqual({ text: "a" });
  fail(new TypeError("Failed to fetch"));
  session.change({ text: "ab" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(vi.getTimerCount()).toBe(0);
});

interface Fields {
  name: string;
  phone: string;
}

/** A session that merges, of a section that is published as version 1, and a stub of its tables. */
function openMerging(kept: Backup<Fields> | null = null, published = { name: "Old", phone: "1" }) {
  let version = 1;
  let draft: { document: Fields; savedAt: string } | null = null;
  let saves = 0;
  let backup = kept;
  const stored = (): Stored<Fields> => ({
    ...(draft ?? { document: published, savedAt: null }),
    version,
  });
  const session = new DraftSession<Fields>({
    stored: stored(),
    backup,
    async save(document, base): Promise<SaveResult<Fields>> {
      if ((draft?.savedAt ?? null) !== base.savedAt || version !== base.version) {
        return { conflict: stored() };
      }
      draft = { document, savedAt: String(++saves) };
      return { savedAt: draft.savedAt };
    },
    isSame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    merge: mergeDocuments,
    keepBackup: (next) => {
      backup = next;
    },
  });
  session.subscribe(() => {});
  return {
    session,
    state: session.getState,
    stored,
    backup: () => backup,
    publishElsewhere(document: Fields) {
      published = document;
      version++;
      draft = null;
    },
    saveElsewhere(document: Fields) {
      draft = { document, savedAt: String(++saves) };
    },
  };
}

const publications = ["publishElsewhere", "saveElsewhere"] as const;

test.each(publications)("a form that was not changed follows other windows (%s)", async (how) => {
  const { session, state, stored, ...elsewhere } = openMerging();
  const [before, after] = [
    { name: "Old", phone: "1" },
    { name: "New", phone: "1" },
  ];
  elsewhere[how](after);
  session.follow(stored());
  expect(state()).toMatchObject({
    document: after,
    status: how === "saveElsewhere" ? "saved" : "unchanged",
    followed: [{ before, after }],
  });
  session.dismissFollowed();
  session.follow(stored());
  expect(state().followed).toEqual([]);
});

test.each(publications)("a save keeps what another window changed meanwhile (%s)", async (how) => {
  const { session, state, stored, ...elsewhere } = openMerging();
  elsewhere[how]({ name: "New", phone: "1" });
  session.change({ name: "Old", phone: "2" });
  expect(await session.flush()).toBe(false);
  expect(state().document).toEqual({ name: "New", phone: "2" });
  expect(await session.flush()).toBe(true);
  expect(stored()).toMatchObject({
    document: { name: "New", phone: "2" },
    savedAt: state().savedAt,
  });
});

test.each(["here", "there"] as const)(
  "where both windows changed a field, nothing is saved until the owner chooses: %s",
  async (side) => {
    const { session, state, stored, backup, publishElsewhere } = openMerging();
    publishElsewhere({ name: "There", phone: "2" });
    session.change({ name: "Here", phone: "1" });
    await session.flush();
    expect(state()).toMatchObject({
      status: "conflict",
      document: { name: "Here", phone: "2" },
      conflicts: [{ path: "name", here: "Here", there: "There" }],
    });
    // What both typed survives a reload of the page.
    const reopened = openMerging(backup(), stored().document);
    expect(reopened.state().conflicts).toMatchObject([{ path: "name", here: "Here" }]);

    session.choose("name", side);
    await vi.advanceTimersByTimeAsync(1000);
    const name = side === "here" ? "Here" : "There";
    expect(state()).toMatchObject({ status: side === "here" ? "saved" : "unchanged" });
    expect(stored().document).toEqual({ name, phone: "2" });
  },
);

test("what this browser kept is merged with what was published since", async () => {
  const base = { name: "Before", phone: "1" };
  const kept = { document: { ...base, phone: "2" }, savedAt: null, base };
  const { state, stored } = openMerging(kept);
  await vi.advanceTimersByTimeAsync(1000);
  expect(state().status).toBe("saved");
  expect(stored().document).toEqual({ name: "Old", phone: "2" });
});

test("what was read before a save of this window is outdated", async () => {
  const { session, state, stored } = openMerging();
  const before = stored();
  const readAt = performance.now();
  await vi.advanceTimersByTimeAsync(1);
  session.change({ name: "Here", phone: "1" });
  await session.flush();
  session.follow(before, readAt);
  expect(state()).toMatchObject({ document: { name: "Here" }, status: "saved" });
});
