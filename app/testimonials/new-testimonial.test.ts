import { expect, test } from "vitest";
import { readTestimonial, validateTestimonial } from "./new-testimonial.ts";

const plain = { askConsent: false, consent: "I agree." };

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test("a review needs a name and a text; the role is optional", () => {
  const review = form({ name: " Ada ", content: " Kind. ", role: "", rating: "4" });
  expect(validateTestimonial(review, plain)).toEqual({});
  expect(readTestimonial(review)).toEqual({ name: "Ada", role: null, content: "Kind.", rating: 4 });
});

test("blanks do not count as a name or a text", () => {
  expect(validateTestimonial(form({ name: "  ", content: "\n" }), plain)).toEqual({
    name: "Required",
    content: "Required",
  });
});

test("the rating defaults to 5 when it is missing or out of range", () => {
  for (const rating of ["", "0", "6", "2.5", "x"]) {
    expect(readTestimonial(form({ name: "Ada", content: "Kind.", rating })).rating).toBe(5);
  }
});

test("where the form asks, stars, answers and the consent are required, and the email is not", () => {
  const texts = { name: "Ada", content: "Kind." };
  const rules = { ...plain, askConsent: true };
  const answers = { relationship: "former", compensation: "none", connection: "none" };
  expect(validateTestimonial(form({ ...texts, email: "ada@" }), rules)).toEqual({
    ...{ rating: "Please choose 1 to 5 stars." },
    ...{ relationship: "Required", compensation: "Required", connection: "Required" },
    ...{ email: "Please enter a valid email address.", consent: "Required" },
  });
  const complete = { ...texts, ...answers, rating: "2", consent: " I agree. " };
  expect(validateTestimonial(form(complete), rules)).toEqual({});
  const { consent: _, ...withoutBox } = complete;
  expect(validateTestimonial(form(withoutBox), { ...rules, consent: "" })).toEqual({});
  expect(readTestimonial(form({ ...complete, email: "a@b.example", request: "" }))).toEqual({
    ...{ name: "Ada", role: null, content: "Kind.", rating: 2 },
    ...{ ...answers, email: "a@b.example", consent: " I agree. " },
  });
});

test("what was given is read only when something was given", () => {
  const details = { compensation_details: " A gift card. " };
  const texts = { name: "Ada", content: "Kind.", ...details };
  expect(readTestimonial(form({ ...texts, compensation: "none" }))).not.toHaveProperty(
    "compensation_details",
  );
  const given = readTestimonial(form({ ...texts, compensation: "given" }));
  expect(given).toMatchObject({ compensation: "given", compensation_details: "A gift card." });
});

test("a name, a role and what was given are one line, and a review can have several", () => {
  const problem = "Please write this in one line, without tabs.";
  const lines = { name: "Ada\nRating: 1", role: "Baker\u2028x", content: "Kind.\nThanks." };
  const details = { compensation: "given", compensation_details: "a\tb" };
  expect(validateTestimonial(form({ ...lines, ...details }), plain)).toEqual({
    ...{ name: problem, role: problem, compensation_details: problem },
  });
});

test("a text that is too long for the database is rejected with its limit", () => {
  const errors = validateTestimonial(form({ name: "Ada", content: "x".repeat(5001) }), plain);
  expect(errors).toEqual({ content: "Please keep this to 5000 characters." });
});
