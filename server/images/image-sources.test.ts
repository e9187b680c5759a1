import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createImageSources } from "./image-sources.ts";

let response: () => Response;
let reads: number;
const sources = createImageSources({
  siteFolder: "/none",
  projectUrl: "https://abc.supabase.co",
  fetchProject: async () => {
    reads += 1;
    return response();
  },
});
const etagOf = (name: string, version: string) =>
  sources.etagOf({ from: "uploads", segments: [name], width: 320, height: null, version });
const found = (etag: string) => () => new Response(null, { headers: { etag } });
const gone = () => new Response(null, { status: 404 });
const away = () => new Response(null, { status: 503 });

beforeEach(() => {
  vi.useFakeTimers();
  [response, reads] = [found("one"), 0];
});

afterEach(() => {
  vi.useRealTimers();
});

test("a new version reads the ETag again, a known one does not", async () => {
  expect(await etagOf("a", "1")).toContain("one");
  response = found("two");
  expect(await etagOf("a", "1")).toContain("one");
  expect(await etagOf("a", "2")).toContain("two");
  expect(reads).toBe(2);
});

test("a removed image is gone after five seconds, also in an outage that follows", async () => {
  await etagOf("b", "1");
  response = gone;
  vi.advanceTimersByTime(5_001);
  await expect(etagOf("b", "1")).rejects.toThrow("There is no such image");
  response = away;
  await expect(etagOf("b", "1")).rejects.toThrow("The backend responded 503");
});

test("images stay available during an outage of the backend", async () => {
  await etagOf("c", "1");
  response = away;
  vi.advanceTimersByTime(5_001);
  expect(await etagOf("c", "1")).toContain("one");
  await expect(etagOf("c", "2")).rejects.toThrow("The backend responded 503");
});

test("an ETag that was read before the images changed is not used after it", async () => {
  const reading = etagOf("d", "1");
  sources.forgetEtags();
  await reading;
  response = gone;
  await expect(etagOf("d", "1")).rejects.toThrow("There is no such image");
});
