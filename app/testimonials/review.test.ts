import { expect, test } from "vitest";
import { parseReview } from "./review.ts";

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test("a review needs a name and a text; role is optional", () => {
  expect(
    parseReview(form({ name: " Ada ", content: " Kind. ", role: "", rating: "4" })).review,
  ).toEqual({
    name: "Ada",
    role: null,
    content: "Kind.",
    rating: 4,
  });
});

test("blanks do not count as a name or a text", () => {
  expect(parseReview(form({ name: "  ", content: "\n" })).errors).toEqual({
    name: "Required",
    content: "Required",
  });
});

test("the rating defaults to 5 when it is missing or out of range", () => {
  for (const rating of ["", "0", "6", "2.5", "x"]) {
    expect(parseReview(form({ name: "Ada", content: "Kind.", rating })).review?.rating).toBe(5);
  }
});

test("a text that the database would refuse is refused with its limit", () => {
  const result = parseReview(form({ name: "Ada", content: "x".repeat(5001) }));
  expect(result.errors?.content).toBe("Please keep this to 5000 characters.");
});
