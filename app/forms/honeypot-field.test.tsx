import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { isTrapped, TrapField } from "./honeypot-field.tsx";
import { restOfFill, shortestFill } from "./use-minimum-fill-time.ts";

test("the trap is out of sight, out of the keyboard's way and unknown to autofill", () => {
  const html = renderToString(<TrapField />);
  expect(html).toMatch(/<div aria-hidden="true"/);
  expect(html).toContain('tabindex="-1"');
  expect(html).toContain('autoComplete="off"');
  expect(html).not.toMatch(/display|hidden=""|type="hidden"/);
});

test("a form is trapped when anything stands in the field, and not when it is empty or missing", () => {
  const form = new FormData();
  expect(isTrapped(form)).toBe(false);
  form.set("subject", "");
  expect(isTrapped(form)).toBe(false);
  form.set("subject", " ");
  expect(isTrapped(form)).toBe(true);
});

test("a form that is sent at once waits for two seconds, a slow one not at all", () => {
  expect(restOfFill(1000, 1000)).toBe(shortestFill);
  expect(restOfFill(1000, 2500)).toBe(500);
  expect(restOfFill(1000, 3000)).toBe(0);
  expect(restOfFill(1000, 60_000)).toBe(0);
});

test("a form whose start is unknown does not wait, and no clock makes one wait longer", () => {
  expect(restOfFill(Number.NEGATIVE_INFINITY, 1000)).toBe(0);
  expect(restOfFill(5000, 1000)).toBe(shortestFill);
});
