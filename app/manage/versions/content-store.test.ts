import { expect, test } from "vitest";
import { formatSignature } from "./content-store.ts";

test("a signature has name and address, the address alone, or nothing for the secret key", () => {
  const email = "grace@example.com";
  const signatures = ["Grace Hopper", email].map((name) => ({ by_name: name, by_email: email }));
  expect(signatures.map(formatSignature)).toEqual([`Grace Hopper (${email})`, email]);
  expect(formatSignature({ by_name: null, by_email: null })).toBe("");
});
