import { expect, test } from "vitest";
import { ImageError } from "./image-sources.ts";
import { createSourceEtags } from "./source-etags.ts";

const source = { from: "uploads", segments: ["a.jpg"] } as const;

function setUp() {
  const state: { time: number; reads: number; etag: string | ImageError } = {
    time: 0,
    reads: 0,
    etag: "one",
  };
  const sources = {
    async readEtag() {
      state.reads += 1;
      if (state.etag instanceof ImageError) throw state.etag;
      return state.etag;
    },
  };
  return { state, etags: createSourceEtags(sources, () => state.time) };
}

test("a new version reads the ETag again, a known one does not", async () => {
  const { state, etags } = setUp();
  expect(await etags.of(source, "1")).toBe("one");
  state.etag = "two";
  expect(await etags.of(source, "1")).toBe("one");
  expect(await etags.of(source, "2")).toBe("two");
  expect(state.reads).toBe(2);
});

test("a removed image is gone after five minutes", async () => {
  const { state, etags } = setUp();
  await etags.of(source, "1");
  state.etag = new ImageError(404, "gone");
  state.time = 5_000;
  await expect(etags.of(source, "1")).rejects.toThrow("gone");
});

test("images stay available during an outage of the backend", async () => {
  const { state, etags } = setUp();
  await etags.of(source, "1");
  state.etag = new ImageError(503, "away");
  state.time = 5_000;
  expect(await etags.of(source, "1")).toBe("one");
  await expect(etags.of(source, "2")).rejects.toThrow("away");
});

test("an ETag that was read before the images changed is not cached", async () => {
  const { state, etags } = setUp();
  const reading = etags.of(source, "1");
  etags.clear();
  await reading;
  state.etag = new ImageError(404, "gone");
  await expect(etags.of(source, "1")).rejects.toThrow("gone");
});
