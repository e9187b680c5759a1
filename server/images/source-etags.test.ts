import { expect, test } from "vitest";
import { createIdentities } from "./source-etags.ts";
import { ImageError } from "./image-error.ts";
import type { Originals } from "./image-sources.ts";

const source = { from: "uploads", segments: ["a.jpg"] } as const;

function setUp() {
  const state = { time: 0, asked: 0, answer: "one" as string | ImageError };
  const originals: Originals = {
    async identify() {
      state.asked += 1;
      if (state.answer instanceof ImageError) throw state.answer;
      return state.answer;
    },
    read: async () => Buffer.alloc(0),
  };
  return { state, identities: createIdentities(originals, () => state.time) };
}

test("a new version asks again, a known one does not", async () => {
  const { state, identities } = setUp();
  expect(await identities.of(source, "1")).toBe("one");
  state.answer = "two";
  expect(await identities.of(source, "1")).toBe("one");
  expect(await identities.of(source, "2")).toBe("two");
  expect(state.asked).toBe(2);
});

test("after five minutes a removed picture is gone", async () => {
  const { state, identities } = setUp();
  await identities.of(source, "1");
  state.answer = new ImageError(404, "gone");
  state.time = 5 * 60_000;
  await expect(identities.of(source, "1")).rejects.toThrow("gone");
});

test("while the backend is away pictures stay as they were", async () => {
  const { state, identities } = setUp();
  await identities.of(source, "1");
  state.answer = new ImageError(503, "away");
  state.time = 5 * 60_000;
  expect(await identities.of(source, "1")).toBe("one");
  await expect(identities.of(source, "2")).rejects.toThrow("away");
});
