import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { HoneypotField, hasHoneypot, isHoneypotFilled } from "./honeypot-field.tsx";

test("the honeypot is invisible, not focusable and ignored by autofill", () => {
  const html = renderToString(<HoneypotField />);
  expect(html).toMatch(/<div aria-hidden="true"/);
  expect(html).toContain('tabindex="-1"');
  expect(html).toContain('autoComplete="off"');
  expect(html).not.toMatch(/display|hidden=""|type="hidden"/);
});

test("any text fills the honeypot; it is not filled when it is empty or missing", () => {
  const form = new FormData();
  expect(isHoneypotFilled(form)).toBe(false);
  expect(hasHoneypot(form)).toBe(false);
  form.set("subject", "");
  expect(isHoneypotFilled(form)).toBe(false);
  expect(hasHoneypot(form)).toBe(true);
  form.set("subject", " ");
  expect(isHoneypotFilled(form)).toBe(true);
});
