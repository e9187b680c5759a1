import { expect, test } from "vitest";
import { composeMailEnding } from "./licenses.ts";
import type { Documents } from "./mail-addresses.ts";

const documents = {
  firm: { name: "Ash & Oak" },
  adviser: { name: "Ada Byron", credentials: "CLU®" },
  licenses: { licenses: [{ state: "California", type: "Life", number: "0A12345" }], npn: "456" },
  disclosures: { mails: "Nothing here is advice." },
};

const ending = (settings: Documents, time = "2026-11-28T12:00:00Z") =>
  composeMailEnding(settings, Date.parse(time));

test("mails to visitors end with the license numbers below the name, and the disclosure", () => {
  expect(ending(documents)).toBe(
    "Ada Byron, CLU®\nLicensed in California (Life, Insurance License #0A12345), NPN 456.\nAsh & Oak\n\nNothing here is advice.",
  );
});

test("without an adviser the firm's name is above the numbers", () => {
  const { licenses, firm } = documents;
  expect(ending({ firm, licenses })).toMatch(/^Ash & Oak\nLicensed in .*\.$/);
  expect(ending({ ...documents, licenses: {} })).toBe(
    "Ada Byron, CLU®\nAsh & Oak\n\nNothing here is advice.",
  );
  expect(ending({})).toBe("");
});

test("mails have the address that pages show: without the street of who works from home", () => {
  const contact = { street: "1 Quay", city: "Salem", region: "OR", postalCode: "97301" };
  const withStreet = (showStreet: boolean) => ending({ contact: { ...contact, showStreet } });
  expect(withStreet(true)).toBe("1 Quay, Salem, OR 97301");
  expect(withStreet(false)).toBe("Salem, OR");
});

test("mails name a license until the end of its last day in the firm's time zone", () => {
  const license = { state: "Ohio", type: "Life", number: "1", expires: "2027-03-31" };
  const contact = { timeZone: "America/Los_Angeles" };
  const at = (time: string) => ending({ licenses: { licenses: [license] }, contact }, time);
  expect(at("2027-04-01T06:59:59Z")).toBe("Licensed in Ohio (Life, no. 1).");
  expect(at("2027-04-01T07:00:00Z")).toBe("");
});
