// What the database accepts: the limits of the forms, and times.
import { expect, test } from "vitest";
import { withdrawalChannels } from "../../app/manage/consent-records.tsx";
import { refusalReasons } from "../../app/manage/testimonials/refusal-reasons.ts";
import { ratings } from "../../app/testimonials/new-testimonial.ts";
import {
  contactFieldNames,
  contactFields,
  isTyped,
} from "../../supabase/functions/_shared/contact-fields.ts";
import { isOneLine } from "../../supabase/functions/_shared/one-line.ts";
import {
  testimonialFieldNames,
  testimonialFields,
} from "../../supabase/functions/_shared/testimonial-fields.ts";
import { setUpPreparedDatabase } from "../set-up.ts";

const database = await setUpPreparedDatabase();

test.each<[table: string, required: readonly string[]]>([
  ["contact_messages", contactFieldNames.filter((name) => !contactFields[name].optional)],
  ["testimonials", testimonialFieldNames.filter((name) => testimonialFields[name].required)],
  ["posts", ["title", "category", "author", "image_url"]],
])("%s has no blank text where its form requires one", async (table, required) => {
  const rows = await database.sql<{ name: string }[]>`
    select attname as name
      from pg_constraint join pg_attribute on attrelid = conrelid and conkey = array[attnum]
      where conrelid = ${`public.${table}`}::regclass and contype = 'c'
        and pg_get_constraintdef(pg_constraint.oid) ~ 'char_length.* >= '`;
  expect(rows.map(({ name }) => name).sort()).toEqual(required.toSorted());
});

test("every typed field of the contact form is searched in the inbox", async () => {
  const [column] = await database.sql<{ expression: string }[]>`
    select generation_expression as expression from information_schema.columns
    where table_name = 'contact_messages' and column_name = 'search_text'`;
  for (const name of contactFieldNames.filter(isTyped)) {
    expect(column?.expression).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

test("visitors may write every field of a testimonial, and the stars of the form", async () => {
  const rows = await database.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = 'testimonials'
        and has_column_privilege('anon', 'public.testimonials', column_name, 'insert')
        and has_column_privilege('authenticated', 'public.testimonials', column_name, 'insert')`;
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...testimonialFieldNames]));
  const [check] = await database.sql`
    select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'testimonials_rating_range'`;
  const { min, max } = ratings;
  expect(check?.text).toBe(`CHECK (((rating >= ${min}) AND (rating <= ${max})))`);
});

test.each<[constraint: string, choices: object]>([
  ["consent_withdrawals_channel", withdrawalChannels],
  ["testimonials_refusal_reason", refusalReasons],
])("the choices of %s are those of the form", async (constraint, choices) => {
  const [check] = await database.sql`
    select pg_get_constraintdef(oid) as text from pg_constraint where conname = ${constraint}`;
  const accepted = [...String(check?.text).matchAll(/'(\w+)'/g)].map(([, choice]) => choice);
  expect(accepted).toEqual(Object.keys(choices));
});

test("the database trims like the browser, so that line breaks alone are blank", async () => {
  const codes = Array.from({ length: 0xffff }, (_, index) => index + 1).filter(
    (code) => code < 0xd800 || code > 0xdfff,
  );
  const rows = await database.sql<{ code: number }[]>`
    select code from unnest(${codes}::int[]) as code
      where private.trimmed(chr(code) || 'a' || chr(code)) = 'a'`;
  const trimmed = codes.filter((code) => String.fromCodePoint(code).trim() === "");
  expect(rows.map(({ code }) => code)).toEqual(trimmed);
});

test("no rule of the database trims spaces alone", async () => {
  const rows = await database.sql<{ name: string }[]>`
    select proname as name from pg_proc
      where prosrc ~ '\\m(btrim|trim)\\(' and pronamespace in ('public'::regnamespace, 'private'::regnamespace)
    union all
    select conname from pg_constraint where pg_get_constraintdef(oid) ~ '\\mbtrim\\('
    union all
    select tgname from pg_trigger where pg_get_triggerdef(oid) ~ '\\mbtrim\\('`;
  expect(rows).toEqual([{ name: "trimmed" }]);
});

const postLines = ["title", "category", "author", "tagline", "alt"];
const texts: Record<string, readonly string[]> = {
  "public.testimonials": [
    ...testimonialFieldNames.filter((name) => !testimonialFields[name].rows),
    ...["compensation_details", "statement"],
  ],
  "public.testimonial_requests": ["name", "email"],
  "public.contact_messages": contactFieldNames.filter(
    (name) => isTyped(name) && !contactFields[name].rows,
  ),
  "public.posts": postLines,
  "public.versions": ["by_name", "by_email"],
  "private.people": ["name"],
};

test("a text that forms, mails and lists show in one line is one line in the database", async () => {
  const values = ["Ada Byron", "Jörg\u00a0😀", ..."\n\r\t\u0001\u007f\u0085\u2028\u2029"].map(
    (text) => (text.length > 1 ? text : `Ada${text}Byron`),
  );
  for (const [table, columns] of Object.entries(texts)) {
    for (const column of columns) {
      const checks = await database.sql<{ expression: string }[]>`
        select pg_get_expr(conbin, conrelid) as expression from pg_constraint
          where conrelid = ${table}::regclass and contype = 'c' and conkey = array[(
            select attnum from pg_attribute where attrelid = conrelid and attname = ${column}
          )]`;
      const [row] = await database.sql.unsafe<{ accepted: string[] }[]>(
        `select array(
            select ${column} from unnest($1::text[]) as ${column}
              where ${["true", ...checks.map(({ expression }) => expression)].join(" and ")}
          ) as accepted`,
        [values],
      );
      expect(row?.accepted, `${table}.${column}`).toEqual(values.slice(0, 2));
      expect(values.filter(isOneLine)).toEqual(values.slice(0, 2));
    }
  }
});

test("every column with a time rejects infinity and years outside 2000 to 2200", async () => {
  const columns = await database.sql<
    { column: string; name: string; type: string; checks: string[] }[]
  >`
    select attname as name, format_type(atttypid, null) as type,
        attrelid::regclass || '.' || attname as column,
        array(
          select pg_get_expr(conbin, conrelid) from pg_constraint
            where conrelid = attrelid and contype = 'c' and conkey = array[attnum]
        ) as checks
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind = 'r'
        and attnum > 0 and not attisdropped and atttypid in (
          'timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype
        )`;
  expect(columns.length).toBeGreaterThan(30);
  const accepted = ["2026-11-22", "2199-12-31"];
  const rejected = ["-infinity", "infinity", "0044-03-15 BC", "1999-12-30", "2200-01-03"];
  for (const { column, name, type, checks } of columns) {
    const [row] = await database.sql.unsafe<{ times: string[] }[]>(
      `select array(
          select time from unnest($1::text[]) as time, lateral (select time::${type} as ${name}) as row
            where ${["true", ...checks].join(" and ")}
        ) as times`,
      [[...accepted, ...rejected]],
    );
    expect(row?.times, column).toEqual(accepted);
  }
});
