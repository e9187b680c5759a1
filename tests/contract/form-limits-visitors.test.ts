import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { maxNoteLength } from "../../app/manage/messages/note-draft.ts";
import { ratings, reviewFieldNames, reviewFields } from "../../app/testimonials/review.ts";
import { type Database, startDatabase } from "../../backend/start-database.ts";
import {
  contactFieldNames,
  contactFields,
} from "../../supabase/functions/_shared/contact-fields.ts";
import { copyPreparedDataDir } from "../prepared-data-dir.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

let folder: string;
let database: Database;

beforeAll(async () => {
  folder = await createTemporaryFolder("form-limits");
  const dataDir = join(folder, "data");
  await copyPreparedDataDir(dataDir);
  database = await startDatabase({
    dataDir,
    siteUrl: "http://localhost",
    onStep: () => {},
  });
});

afterAll(async () => {
  await database.stop();
  await rm(folder, { recursive: true });
});

interface Limits {
  min: number;
  max: number;
}

/** The bounds of a table's CHECK constraints, by column; a missing lower bound is 0. */
async function checkedLimits(table: string): Promise<Record<string, Limits>> {
  const rows = await database.sql<{ definition: string }[]>`
    select pg_get_constraintdef(oid) as definition
    from pg_constraint
    where conrelid = ${`public.${table}`}::regclass and contype = 'c'`;
  return Object.fromEntries(
    rows.flatMap(({ definition }) => {
      const column = /^CHECK \(+(?:char_length\()?(?:btrim\()?(\w+)/.exec(definition)?.[1];
      const max = /<= (\d+)/.exec(definition)?.[1];
      const min = />= (\d+)/.exec(definition)?.[1] ?? "0";
      return column && max ? [[column, { min: Number(min), max: Number(max) }]] : [];
    }),
  );
}

test("the fields of the contact form have the limits of contact_messages", async () => {
  const { email, note: _note, ...others } = await checkedLimits("contact_messages");
  const fields = contactFieldNames.map((name) => {
    const { min = 0, max } = contactFields[name];
    return [name, { min, max }];
  });
  // The shortest address that the form accepts is longer than the table demands.
  const shortest = "a@b.cd".length;
  expect(email?.min).toBeLessThanOrEqual(shortest);
  expect(Object.fromEntries(fields)).toEqual({
    ...others,
    email: { min: 0, max: email?.max },
  });
});

test("the owner's note has the limit of contact_messages", async () => {
  const { note } = await checkedLimits("contact_messages");
  expect(note).toEqual({ min: 0, max: maxNoteLength });
});

test("the fields of the review form have the limits of testimonials", async () => {
  const fields = reviewFieldNames.map((name) => {
    const { required, max } = reviewFields[name];
    return [name, { min: required ? 1 : 0, max }];
  });
  const { min, max } = ratings;
  expect({ ...Object.fromEntries(fields), rating: { min, max } }).toEqual(
    await checkedLimits("testimonials"),
  );
});
