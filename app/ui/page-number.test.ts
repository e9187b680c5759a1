import { expect, test } from "vitest";
import { pageOf } from "./load-posts.ts";

test.each([
  ["", 1],
  ["?page=1", 1],
  ["?page=3", 3],
  ["?page=0", 1],
  ["?page=-2", 1],
  ["?page=1.5", 1],
  ["?page=next", 1],
  ["?page=1e99", 1],
])("/blog%s asks for page %d", (query, page) => {
  expect(pageOf(`https://example.com/blog${query}`)).toBe(page);
});
