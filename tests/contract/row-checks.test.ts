// What the database accepts: the limits of the forms, and times.
import { expect, test } from "vitest";
import { withdrawalChannels } from "../../app/manage/consent-records.tsx";
import { maxNoteLength } from "../../app/manage/messages/note-draft.ts";
import { postLimits } from "../../app/manage/posts/post-schema.ts";
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

/** The bounds of a table's CHECK constraints, by column; a missing lower bound is 0. */
async function checkedLimits(table: string) {
  const rows = await database.sql<{ definition: string }[]>`
    select pg_get_constraintdef(oid) as definition
    from pg_constraint
    where conrelid = ${`public.${table}`}::regclass and contype = 'c'`;
  return Object.fromEntries(
    rows.flatMap(({ definition }) => {
      const column = /^CHECK \(+(?:char_length\()?(?:private\.trimmed\()?(\w+)/.exec(
        definition,
      )?.[1];
      const max = /<= (\d+)/.exec(definition)?.[1];
      const min = />= (\d+)/.exec(definition)?.[1] ?? "0";
      return column && max ? [[column, { min: Number(min), max: Number(max) }]] : [];
    }),
  );
}

test("contact_messages accepts what the contact forms and the owner's note may have", async () => {
  const { email, ...others } = await checkedLimits("contact_messages");
  const fields = contactFieldNames.map((name) => {
    const { optional, max } = contactFields[name];
    return [name, { min: optional ? 0 : 1, max }];
  });
  // The table's minimum is that of the shortest address that a browser accepts.
  expect(email?.min).toBe("a@b".length);
  expect({ ...Object.fromEntries(fields), note: { min: 0, max: maxNoteLength } }).toEqual({
    ...others,
    email: { min: 1, max: email?.max },
  });
});

test("every typed field of the contact form is searched in the inbox", async () => {
  const [column] = await database.sql<{ expression: string }[]>`
    select generation_expression as expression from information_schema.columns
    where table_name = 'contact_messages' and column_name = 'search_text'`;
  for (const name of contactFieldNames.filter(isTyped)) {
    expect(column?.expression).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

test("every field of a testimonial has its column, which visitors may write, with its limits", async () => {
  const limits = await checkedLimits("testimonials");
  const columns = await database.sql<{ name: string; may: boolean }[]>`
    select column_name as name,
        has_column_privilege('anon', 'public.testimonials', column_name, 'insert')
          and has_column_privilege('authenticated', 'public.testimonials', column_name, 'insert') as may
      from information_schema.columns
      where table_schema = 'public' and table_name = 'testimonials'`;
  const missing = testimonialFieldNames.flatMap((name) => {
    const { required, max } = testimonialFields[name];
    const column = columns.find((each) => each.name === name);
    if (!column) return `The table testimonials has no column ${name}.`;
    if (!column.may) return `The grant of insert on testimonials lacks the column ${name}.`;
    const [min, limit] = [required ? 1 : 0, limits[name]];
    if (limit?.min === min && limit.max === max) return [];
    return `testimonials has no CHECK that ${name} has ${min} to ${max} characters.`;
  });
  expect(missing).toEqual([]);
  const { min, max } = ratings;
  expect(limits).toMatchObject({ rating: { min, max } });
});

test("the texts of the post form have the limits of posts", async () => {
  const { title, category, tagline, alt } = await checkedLimits("posts");
  expect({ title, category, tagline, alt }).toEqual({
    title: { min: 1, max: postLimits.title },
    category: { min: 1, max: postLimits.category },
    tagline: { min: 0, max: postLimits.tagline },
    alt: { min: 0, max: postLimits.alt },
  });
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
  "public.scheduled_posts": postLines,
  "public.post_approvals": ["by_name", "by_email"],
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
