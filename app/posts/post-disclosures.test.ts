import { expect, test } from "vitest";
import { postDisclosures } from "./post-disclosures.ts";

const notices = [
  { category: "", text: "For all posts." },
  { category: "Life Insurance", text: "For life insurance." },
  { category: "Taxes", text: "For taxes." },
];

test("a post has the notices of its category, in any case, and those for all posts", () => {
  expect(postDisclosures(notices, " life insurance ")).toEqual([
    "For all posts.",
    "For life insurance.",
  ]);
  expect(postDisclosures(notices, "News")).toEqual(["For all posts."]);
  expect(postDisclosures([], "Taxes")).toEqual([]);
});
