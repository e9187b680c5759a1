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

test("without an adviser the firm's name is above the numbers, and without numbers there is no name", () => {
  const { licenses, firm } = documents;
  expect(composeMailEnding({ firm, licenses })).toMatch(/^Ash & Oak\nLicensed in .*\.$/);
  expect(composeMailEnding({ ...documents, licenses: {} })).toBe("Nothing here is advice.");
  expect(composeMailEnding({})).toBe("");
});
