import { afterEach, expect, test, vi } from "vitest";
import { defaultSettings } from "../../config/site.ts";
import { sectionNames, sectionSchemas } from "../../config/site-schema.ts";
import {
  completeAddress,
  elementOf,
  fieldAt,
  fieldKindOf,
  fieldsOf,
  fitDocument,
  isSameDocument,
  limitOf,
  profileName,
  type Schema,
  shapeLike,
  tidy,
  withOwnTimeZone,
} from "./fields.ts";

afterEach(() => vi.restoreAllMocks());

/** The fields of a schema and of its rows, by path. */
function allFields(schema: Schema, path: string): [string, ReturnType<typeof fieldsOf>[number]][] {
  return fieldsOf(schema).flatMap((field) => {
    const at = `${path}.${field.name}`;
    const kind = fieldKindOf(field.schema, field.info);
    const rows = kind === "rows" || kind === "services" ? elementOf(field.schema) : field.schema;
    return [[at, field], ...allFields(rows, at)];
  });
}

test.each(sectionNames)("each setting of the section %s has one field, in a group", (section) => {
  const fields = fieldsOf(sectionSchemas[section]);
  // A button sets `starter`.
  const names = Object.keys(sectionSchemas[section].shape).filter((name) => name !== "starter");
  expect(fields.map(({ name }) => name)).toEqual(names);
  expect(fields[0]?.info.group).toBeTruthy();
});

test("each field of a row has a control; two values of a service have other ones", () => {
  const { shape } = sectionSchemas.services.shape.items.def.innerType.element;
  const names = fieldsOf(elementOf(sectionSchemas.services.shape.items)).map(({ name }) => name);
  expect(Object.keys(shape).filter((name) => !names.includes(name))).toEqual(["hidden", "starter"]);
  for (const section of sectionNames) {
    for (const [path, { schema, info }] of allFields(sectionSchemas[section], section)) {
      if (fieldKindOf(schema, info) !== "rows") continue;
      const columns = fieldsOf(elementOf(schema)).map(({ name }) => name);
      expect(columns, path).toEqual(Object.keys(Object(shapeLike(elementOf(schema), undefined))));
    }
  }
});

test("each field has a label, says what it is for, and has a limit", () => {
  for (const section of sectionNames) {
    for (const [path, { schema, info }] of allFields(sectionSchemas[section], section)) {
      const kind = fieldKindOf(schema, info);
      expect(info.label, path).not.toBe("");
      if (path.split(".").length === 2) expect(info.help, path).toMatch(/\.$/);
      if (["line", "text", "list", "rows", "services"].includes(kind)) {
        expect(limitOf(schema), path).toBeGreaterThan(0);
      }
      if (["list", "rows", "services"].includes(kind)) expect(info.entry, path).toBeTruthy();
    }
  }
});

test("the type of a setting says which control it has", () => {
  const kinds = allFields(sectionSchemas.services, "services").map(([path, { schema, info }]) => [
    path.replace("services.items.", ""),
    fieldKindOf(schema, info),
  ]);
  expect(Object.fromEntries(kinds)).toMatchObject({
    ...{ title: "line", description: "text", icon: "icon", summary: "list", fit: "group" },
    ...{ "fit.yes": "list", sections: "rows", "sections.points": "list" },
  });
  const { home, look, contact } = sectionSchemas;
  expect(fieldsOf(home).map(({ schema, info }) => fieldKindOf(schema, info))).toContain("parts");
  expect(fieldsOf(look).map(({ schema, info }) => fieldKindOf(schema, info))).toContain("image");
  expect(fieldsOf(contact).map(({ schema, info }) => fieldKindOf(schema, info))).toContain(
    "switch",
  );
});

test("a path leads to the name of its field", () => {
  const name = (section: "contact" | "adviser" | "services", path: string) =>
    fieldAt(section, path)?.name;
  expect(name("contact", "phone")).toBe("Phone");
  expect(name("contact", "socials[0].url")).toBe("Profile 1: Address");
  expect(name("adviser", "paragraphs[1]")).toBe("Paragraph 2");
  expect(name("services", "items[2].sections[0].points[3]")).toBe("Service 3: Section 1: Point 4");
  expect(name("services", "items[0].fit.yes[0]")).toBe("Service 1: Who it suits: Reason for it 1");
  expect(name("contact", "fax")).toBeUndefined();
});

test.each(sectionNames)("a complete document of the section %s stays as it is", (section) => {
  expect(fitDocument(section, defaultSettings[section])).toEqual(defaultSettings[section]);
});

test("an incomplete draft gets defaults and empty values, and keeps what is invalid", () => {
  const firm = fitDocument("firm", { name: "  ", motto: "gone" });
  expect(firm).toMatchObject({ name: "  ", tagline: "" });
  expect(fitDocument("look", { mainColor: "red" })).toMatchObject({
    ...{ mainColor: "red", accentColor: null },
  });
  expect(firm).not.toHaveProperty("motto");
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
  expect(fitDocument("site", null)).toEqual({
    visible: true,
    countVisits: true,
    archiveYears: "7",
    hold: false,
    findReleases: true,
  });
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

test.each([
  ["calendly.com/ada", "https://calendly.com/ada"],
  [" www.example.com ", "https://www.example.com"],
  ["example.com:8443/a?b#c", "https://example.com:8443/a?b#c"],
  ["http://example.com", "http://example.com"],
  ["https://example.com", "https://example.com"],
  ["mailto:ada@example.com", "mailto:ada@example.com"],
  ["ada@example.com", "ada@example.com"],
  ["my page", "my page"],
  ["", ""],
])("the address %j becomes %j", (typed, completed) => {
  expect(completeAddress(typed)).toBe(completed);
});

test.each([
  ["https://www.linkedin.com/in/ada", "LinkedIn"],
  ["facebook.com/ada", "Facebook"],
  ["https://x.com/ada", "X"],
  ["https://youtu.be/ada", "YouTube"],
  ["https://uk.trustpilot.com/review/ada", "Trustpilot"],
  ["https://example.co.uk/ada", "Example"],
  ["link", ""],
  ["", ""],
])("the profile at %j is named %j", (address, name) => {
  expect(profileName(address)).toBe(name);
});

test("the time zone is the browser's, unless that is UTC", () => {
  const zone = vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions");
  const browserIn = (timeZone: string) =>
    zone.mockReturnValue({ timeZone } as Intl.ResolvedDateTimeFormatOptions);
  const started = () => withOwnTimeZone("contact", { timeZone: "America/New_York" }).timeZone;
  browserIn("America/Chicago");
  expect(started()).toBe("America/Chicago");
  expect(withOwnTimeZone("firm", {})).toEqual({});
  for (const hidden of ["UTC", "Etc/UTC", "GMT"]) {
    browserIn(hidden);
    expect(started()).toBe("America/New_York");
  }
});
