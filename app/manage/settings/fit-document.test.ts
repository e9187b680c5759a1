import { expect, test } from "vitest";
import { defaultSettings } from "../../config/site.ts";
import { sectionNames } from "../../config/site-schema.ts";
import { emptyEntry, fitDocument, isRequired, isSameDocument, tidy } from "./fit-document.ts";

test.each(sectionNames)("a complete document of the section %s stays as it is", (section) => {
  expect(fitDocument(section, defaultSettings[section])).toEqual(defaultSettings[section]);
});

test("an incomplete draft gets defaults and empty values, and keeps what is invalid", () => {
  const firm = fitDocument("firm", { name: "  ", mainColor: "red", motto: "gone" });
  expect(firm).toEqual({
    ...{ name: "  ", shortName: "", tagline: "", mainColor: "red", accentColor: null },
    ...{ logo: null, logoDark: null, icon: null, shareImage: null },
  });
});

test("values of another type are replaced", () => {
  const contact = fitDocument("contact", {
    phone: 5,
    showStreet: "yes",
    socials: [{ name: "LinkedIn" }, "x", null],
  });
  expect(contact.phone).toBe("");
  expect(contact.showStreet).toBe(false);
  expect(contact.socials).toEqual([
    { name: "LinkedIn", url: "" },
    { name: "", url: "" },
    { name: "", url: "" },
  ]);
  expect(fitDocument("home", { hidden: ["blog", "header"] }).hidden).toEqual(["blog"]);
  expect(fitDocument("site", null)).toEqual({ visible: true, countVisits: true });
});

test("a new row is empty", () => {
  expect(emptyEntry("licenses", "licenses")).toEqual({
    ...{ state: "", type: "", number: "", expires: "" },
  });
  expect(emptyEntry("adviser", "paragraphs")).toBe("");
});

test("documents with the same content are the same in any order of properties", () => {
  const [first, second] = [
    { name: "A", tagline: "B" },
    { tagline: "B", name: "A" },
  ];
  expect(isSameDocument("firm", first, second)).toBe(true);
  expect(isSameDocument("firm", first, { ...second, tagline: "C" })).toBe(false);
});

test("spaces around texts, NUL and CRLF are removed at any depth", () => {
  expect(tidy({ name: " A\0 ", rows: [{ text: "B\r\n\r\nC\n" }], logo: null, on: true })).toEqual({
    ...{ name: "A", rows: [{ text: "B\n\nC" }], logo: null, on: true },
  });
});

test("texts that must be filled in are known", () => {
  expect(isRequired("firm", ["name"])).toBe(true);
  expect(isRequired("home", ["headline"])).toBe(true);
  expect(isRequired("firm", ["tagline"])).toBe(false);
  expect(isRequired("licenses", ["licenses", "state"])).toBe(true);
});
