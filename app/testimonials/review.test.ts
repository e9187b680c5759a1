import { expect, test } from "vitest";
import { readReview, validateReview } from "./review.ts";

const plain = { approveFirst: false, askConsent: false, consent: "I agree." };

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test("a review needs a name and a text; the role is optional", () => {
  const review = form({ name: " Ada ", content: " Kind. ", role: "", rating: "4" });
  expect(validateReview(review, plain)).toEqual({});
  expect(readReview(review)).toEqual({ name: "Ada", role: null, content: "Kind.", rating: 4 });
});

test("blanks do not count as a name or a text", () => {
  expect(validateReview(form({ name: "  ", content: "\n" }), plain)).toEqual({
    name: "Required",
    content: "Required",
  });
});

test("the rating defaults to 5 when it is missing or out of range", () => {
  for (const rating of ["", "0", "6", "2.5", "x"]) {
    expect(readReview(form({ name: "Ada", content: "Kind.", rating })).rating).toBe(5);
  }
});

test("without a default, a rating must be chosen", () => {
  const texts = { name: "Ada", content: "Kind." };
  const rules = { ...plain, approveFirst: true };
  expect(validateReview(form(texts), rules)).toEqual({ rating: "Please choose 1 to 5 stars." });
  expect(validateReview(form({ ...texts, rating: "2" }), rules)).toEqual({});
});

test("where the form asks, the relationship and the consent are required, and the email is not", () => {
  const texts = { name: "Ada", content: "Kind.", rating: "5" };
  const rules = { ...plain, askConsent: true };
  expect(Object.keys(validateReview(form({ ...texts, email: "ada@" }), rules))).toEqual([
    ...["relationship", "email", "consent"],
  ]);
  const withoutBox = validateReview(form(texts), { ...rules, consent: "" });
  expect(Object.keys(withoutBox)).toEqual(["relationship"]);
  const answers = { relationship: "former", email: "ada@example.com", consent: " I agree. " };
  expect(validateReview(form({ ...texts, ...answers, email: "" }), rules)).toEqual({});
  expect(readReview(form({ ...texts, ...answers, request: "" }))).toEqual({
    ...{ name: "Ada", role: null, content: "Kind.", rating: 5 },
    ...answers,
  });
});

test("a text that is too long for the database is rejected with its limit", () => {
  const errors = validateReview(form({ name: "Ada", content: "x".repeat(5001) }), plain);
  expect(errors).toEqual({ content: "Please keep this to 5000 characters." });
});
