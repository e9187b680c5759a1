import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isSameDraft, readDraft, storeDraft } from "./use-post-form.ts";

const draft = {
  title: "A title",
  category: "",
  text: "Text",
  relatedServices: ["a", "b"],
  image: null,
  id: null,
  seenVersion: null,
};
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a stored draft is read again until it is removed", () => {
  storeDraft(null, draft);
  storeDraft("post-1", { ...draft, seenVersion: "2026-01-01" });
  expect(readDraft(null)).toEqual(draft);
  expect(readDraft("post-1")).toEqual({ ...draft, seenVersion: "2026-01-01" });

  storeDraft("post-1", null);
  expect(readDraft("post-1")).toBeNull();
  expect(readDraft(null)?.title).toBe("A title");
});

test("a draft of an earlier release is read", () => {
  const { title, category, text, relatedServices } = draft;
  stored.set("post-draft:new", JSON.stringify({ title, category, text, relatedServices }));
  expect(readDraft(null)).toEqual(draft);
});

test.each(["", "{", "null", "7", "[]", '{"title":"A title"}', '{"title":1,"text":"x"}'])(
  "%j in the storage is not a draft",
  (text) => {
    stored.set("post-draft:new", text);
    expect(readDraft(null)).toBeNull();
  },
);

test("a storage that throws does not stop the form", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const fail = () => {
    throw new DOMException("Full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { getItem: fail, setItem: fail, removeItem: fail });
  expect(readDraft(null)).toBeNull();
  storeDraft(null, draft);
  storeDraft(null, null);
  expect(log).toHaveBeenCalledTimes(2);
  log.mockRestore();
});

test("drafts are the same when their content is, in any order of services", () => {
  expect(isSameDraft(draft, { ...draft, relatedServices: ["b", "a"], id: "1" })).toBe(true);
  for (const change of [{ title: "" }, { category: "x" }, { text: "" }, { relatedServices: [] }]) {
    expect(isSameDraft(draft, { ...draft, ...change })).toBe(false);
  }
  const image = { path: "public/a.png", url: "https://example.com/a.png" };
  expect(isSameDraft(draft, { ...draft, image })).toBe(false);
});
