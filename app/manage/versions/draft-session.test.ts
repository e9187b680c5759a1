import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backup, DraftSession, type SaveResult, type Stored } from "./draft-session.ts";

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
  const version = null;
  let row: Stored<Text> | null = stored && { document: stored, savedAt: "1", version };
  let saves = 1;
  let failure: Error | null = null;
  let isResponseLost = false;
  let backup = kept;
  const session = new DraftSession<Text>({
    stored: row ?? { document: { text: "published" }, savedAt: null, version },
    backup: kept,
    async save(document, { savedAt: replaced }): Promise<SaveResult<Text>> {
      if (failure) throw failure;
      if ((row?.savedAt ?? null) !== replaced) return { conflict: row };
      const savedAt = String(++saves);
      row = { document, savedAt, version };
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
      row = document && { document, savedAt: String(++saves), version };
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
  expect(backup()).toEqual({
    document: { text: "ab" },
    savedAt: null,
    base: { text: "published" },
  });
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

test("a draft that was discarded in another window is saved again by whoever still writes", async () => {
  const { session, state, row, saveElsewhere } = open({ stored: { text: "old" } });
  saveElsewhere(null);
  session.change({ text: "mine" });
  await vi.advanceTimersByTimeAsync(2000);
  expect(state().status).toBe("saved");
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
    kept: { document: { text: "kept" }, savedAt: "1", base: { text: "old" } },
  });
  expect(current.state().document).toEqual({ text: "kept" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(current.row()?.document).toEqual({ text: "kept" });

  const outdated = open({
    stored: { text: "theirs" },
    kept: { document: { text: "kept" }, savedAt: "0", base: { text: "old" } },
  });
  expect(outdated.state()).toMatchObject({
    status: "conflict",
    document: { text: "kept" },
    other: { document: { text: "theirs" } },
  });
});

test("what a page stored while it was closed is not a conflict for the next one", async () => {
  const { session, state, row, saveElsewhere } = open({
    kept: { document: { text: "kept" }, savedAt: null, base: { text: "published" } },
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

/** A session of something that is published as version 1, and a stub of its tables. */
function openPublished(
  kept: Backup<Fields> | null = null,
  published = { name: "Old", phone: "1" },
) {
  let version = 1;
  let draft: { document: Fields; savedAt: string; version: number } | null = null;
  let replaced = published;
  let saves = 0;
  let backup = kept;
  function stored(): Stored<Fields> {
    if (!draft) return { document: published, savedAt: null, version };
    const newer = { before: replaced, after: published, version };
    return { ...draft, published: draft.version === version ? undefined : newer };
  }
  const session = new DraftSession<Fields>({
    stored: stored(),
    backup,
    async save(document, base): Promise<SaveResult<Fields>> {
      if ((draft?.savedAt ?? null) !== base.savedAt || version !== base.version) {
        return { conflict: stored() };
      }
      draft = { document, savedAt: String(++saves), version };
      return { savedAt: draft.savedAt };
    },
    isSame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
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
    /** As a program does, which knows of no drafts. */
    publishBesideDraft(document: Fields) {
      replaced = published;
      published = document;
      version++;
    },
    saveElsewhere(document: Fields) {
      draft = { document, savedAt: String(++saves), version };
    },
  };
}

const publications = ["publishElsewhere", "saveElsewhere"] as const;

test.each(publications)("a form that was not changed follows other windows (%s)", async (how) => {
  const { session, state, stored, ...elsewhere } = openPublished();
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
  const { session, state, stored, ...elsewhere } = openPublished();
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
    const { session, state, stored, backup, publishElsewhere } = openPublished();
    publishElsewhere({ name: "There", phone: "2" });
    session.change({ name: "Here", phone: "1" });
    await session.flush();
    expect(state()).toMatchObject({
      status: "conflict",
      document: { name: "Here", phone: "2" },
      conflicts: [{ path: "name", here: "Here", there: "There" }],
    });
    // What both typed survives a reload of the page.
    const reopened = openPublished(backup(), stored().document);
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
  const { state, stored } = openPublished(kept);
  await vi.advanceTimersByTimeAsync(1000);
  expect(state().status).toBe("saved");
  expect(stored().document).toEqual({ name: "Old", phone: "2" });
});

test("what was read before a save of this window is outdated", async () => {
  const { session, state, stored } = openPublished();
  const before = stored();
  const readAt = performance.now();
  await vi.advanceTimersByTimeAsync(1);
  session.change({ name: "Here", phone: "1" });
  await session.flush();
  session.follow(before, readAt);
  expect(state()).toMatchObject({ document: { name: "Here" }, status: "saved" });
});

test("a draft keeps its changes when something else is published beside it", async () => {
  const { session, state, stored, publishBesideDraft } = openPublished();
  session.change({ name: "Here", phone: "1" });
  await session.flush();
  publishBesideDraft({ name: "Old", phone: "2" });
  session.follow(stored());
  const merged = { name: "Here", phone: "2" };
  expect(state()).toMatchObject({ document: merged, status: "waiting" });
  // Read again before it is saved.
  session.follow(stored());
  await vi.advanceTimersByTimeAsync(1000);
  expect(state().status).toBe("saved");
  expect(stored()).toMatchObject({ document: merged, version: 2, published: undefined });
});

test.each(["here", "there"] as const)(
  "where the draft and a publication beside it changed the same fields, the owner chooses: %s",
  async (side) => {
    const { session, state, stored, backup, publishBesideDraft } = openPublished();
    session.change({ name: "Here", phone: "1" });
    await session.flush();
    publishBesideDraft({ name: "There", phone: "2" });
    session.change({ name: "Here", phone: "3" });
    await session.flush();
    expect(state()).toMatchObject({
      status: "conflict",
      conflicts: [{ path: "name" }, { path: "phone", here: "3", there: "2" }],
    });
    session.follow(stored());
    expect(state().conflicts).toHaveLength(2);
    expect(backup()?.document).toEqual({ name: "Here", phone: "3" });
    session.choose("name", side);
    session.choose("phone", "here");
    await vi.advanceTimersByTimeAsync(1000);
    expect(state().status).toBe("saved");
    const name = side === "here" ? "Here" : "There";
    expect(stored()).toMatchObject({ document: { name, phone: "3" }, version: 2 });
  },
);

test("a form that opens with a draft beside which something was published merges both", async () => {
  const published = { before: { name: "Old", phone: "1" }, after: { name: "Old", phone: "2" } };
  const document = { name: "Draft", phone: "1" };
  const session = new DraftSession<Fields>({
    stored: { document, savedAt: "1", version: 1, published: { ...published, version: 2 } },
    backup: null,
    save: async () => ({ savedAt: "2" }),
    isSame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    keepBackup() {},
  });
  expect(session.version).toBe(2);
  expect(session.getState()).toMatchObject({
    document: { name: "Draft", phone: "2" },
    status: "waiting",
    followed: [{ before: document }],
  });
});
