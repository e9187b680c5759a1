import { expect, test } from "vitest";
import { z } from "zod";
import { defaultSettings } from "../../config/site.ts";
import { sectionNames, sectionSchemas } from "../../config/site-schema.ts";
import { fieldsOf } from "./fields.ts";
import { emptyEntry, limitAt } from "./fit-document.ts";

test.each(sectionNames)("each setting of the section %s has one field", (section) => {
  const names = fieldsOf(section).map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(sectionSchemas[section].shape).toSorted());
});

test("each column of a row has one field", () => {
  for (const section of sectionNames) {
    for (const field of fieldsOf(section)) {
      if (field.kind !== "rows") continue;
      const columns = field.fields.map(({ name }) => name);
      expect(columns, field.name).toEqual(Object.keys(Object(emptyEntry(section, field.name))));
    }
  }
});

test("each field has a label, says what it is for, and fits the type of its setting", () => {
  const types = { switch: "boolean", list: "object", rows: "object", parts: "object" };
  for (const section of sectionNames) {
    const document: Record<string, unknown> = defaultSettings[section];
    for (const field of fieldsOf(section)) {
      const path = `${section}.${field.name}`;
      expect(field.label, path).not.toBe("");
      expect(field.help, path).toMatch(/\.$/);
      if (["image", "color", "services"].includes(field.kind)) continue;
      expect(typeof document[field.name], path).toBe(
        types[field.kind as keyof typeof types] ?? "string",
      );
    }
  }
});

test("each text has a limit", () => {
  for (const section of sectionNames) {
    for (const field of fieldsOf(section)) {
      if (field.kind === "line" || field.kind === "text" || field.kind === "list") {
        expect(limitAt(section, [field.name]), `${section}.${field.name}`).toBeGreaterThan(0);
      }
    }
  }
  expect(limitAt("contact", ["socials", "url"])).toBe(500);
  expect(limitAt("adviser", ["paragraphs", "*"])).toBe(2000);
});

test("the parts of the home page are those of the schema", () => {
  const parts = fieldsOf("home").flatMap((field) => (field.kind === "parts" ? field.parts : []));
  const { hidden } = sectionSchemas.home.shape;
  expect(z.array(z.string()).parse(parts.map(({ value }) => value))).toEqual(
    hidden.def.innerType.element.options,
  );
});
