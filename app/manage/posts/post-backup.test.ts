import { beforeEach, expect, test, vi } from "vitest";
import { kinds } from "./kinds.ts";
import { keepPostBackup, readNewPostId, readPostBackup, rememberNewPost } from "./post-backup.ts";
import { emptyDraft } from "./post-schema.ts";

const document = { ...emptyDraft, title: "A title", relatedServices: ["a"] };
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});

test("a backup is read again until it is removed", () => {
  keepPostBackup("1", { document, savedAt: "2026-01-01" });
  expect(readPostBackup("1")).toEqual({ document, savedAt: "2026-01-01" });
  expect(readPostBackup("2")).toBeNull();
  keepPostBackup("1", null);
  expect(readPostBackup("1")).toBeNull();
});

test("a new post is found again until the database has it", () => {
  rememberNewPost("1", kinds.post);
  expect(readNewPostId(kinds.post)).toBeNull();
  keepPostBackup("1", { document, savedAt: null });
  expect(readNewPostId(kinds.post)).toBe("1");
  keepPostBackup("1", { document, savedAt: "2026-01-01" });
  expect(readNewPostId(kinds.post)).toBeNull();
});

test.each(["", "{", "null", "7", "[]", '{"title":"A title"}', '{"document":{},"savedAt":null}'])(
  "%j in the storage is not a backup",
  (text) => {
    stored.set("post-draft:1", text);
    expect(readPostBackup("1")).toBeNull();
  },
);
