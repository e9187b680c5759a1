import { expect, test } from "vitest";
import { composeMailEnding } from "./licenses.ts";

const documents = {
  firm: { name: "Ash & Oak" },
  adviser: { name: "Ada Byron", credentials: "CLU®" },
  licenses: { licenses: [{ state: "California", type: "Life", number: "0A12345" }], npn: "456" },
  disclosures: { mails: "Nothing here is advice." },
};

test("mails to visitors end with the license numbers below the name, and the disclosure", () => {
  expect(composeMailEnding(documents)).toBe(
    "Ada Byron, CLU®\nLicensed in California (Life, Insurance License #0A12345), NPN 456.\nAsh & Oak\n\nNothing here is advice.",
  );
});

test("without an adviser the firm's name is above the numbers", () => {
  const { licenses, firm } = documents;
  expect(composeMailEnding({ firm, licenses })).toMatch(/^Ash & Oak\nLicensed in .*\.$/);
  expect(composeMailEnding({ ...documents, licenses: {} })).toBe(
    "Ada Byron, CLU®\nAsh & Oak\n\nNothing here is advice.",
  );
  expect(composeMailEnding({})).toBe("");
});

test("mails have the address that pages show: without the street of who works from home", () => {
  const contact = { street: "1 Quay", city: "Salem", region: "OR", postalCode: "97301" };
  const ending = (showStreet: boolean) =>
    composeMailEnding({ contact: { ...contact, showStreet } });
  expect(ending(true)).toBe("1 Quay, Salem, OR 97301");
  expect(ending(false)).toBe("Salem, OR");
});
