// A backup of 0.9, which had eight tables where versions, drafts, schedules and previews are now, is restored into these.
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { formatOf, writeArchive } from "embedded-supabase/backup/backup-file.ts";
import { restore } from "embedded-supabase/backup/restore.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { expect, test } from "vitest";
import { embeddedConfig } from "../../embedded.config.ts";
import { newPost } from "../post-calls.ts";
import { setUpDatabase, setUpFolder } from "../set-up.ts";

const at = (minute: number) => `2026-11-20T09:${String(minute).padStart(2, "0")}:00+00:00`;
const ada = { by_name: "Ada", by_email: "ada@example.com", saved_by: null };
const [page, review, token] = [randomUUID(), randomUUID(), randomUUID()];
const dates = { published_date: at(1), created_at: at(1), updated_at: at(1) };

const published = { ...newPost(), ...dates };
const scheduled = { ...newPost(), ...dates, published_date: at(40), updated_at: at(5) };
const words = (post: ReturnType<typeof newPost>) => {
  const { id: _, slug: __, ...rest } = post;
  return rest;
};
const ownPage = {
  ...{ id: page, slug: "team", title: "Team", tagline: "", category: "", author: "Ada", alt: "" },
  ...{ content: [], image_url: null, related_services: [], is_page: true, hidden: false },
  ...{ place: "menu", position: 1, ...dates },
};
const testimonial = { id: review, name: "Grace", content: "Kind.", rating: 5, created_at: at(1) };
const blog = { needApproval: true };
const firm = { name: "Ash & Oak", tagline: "", logo: null, mainColor: "#6d1f33" };
const publishedAs = { published_by: null, by_name: "Ada", by_email: null };

const backup: Record<string, object[]> = {
  "public.posts": [published],
  "public.pages": [ownPage],
  "public.testimonials": [{ ...testimonial, approved_at: at(2) }],
  "public.site_settings": [
    { section: "blog", document: blog, version: 2, published_at: at(3) },
    { section: "firm", document: firm, version: 3, published_at: at(6) },
  ],
  "public.public_site_settings": [
    { section: "blog", document: {}, version: 2 },
    { section: "firm", document: firm, version: 3 },
    { section: "ownPages", document: { items: [], former: {} }, version: 3 },
  ],
  "public.site_settings_versions": [
    { id: 1, section: "blog", document: {}, published_at: at(2), ...publishedAs },
    { id: 2, section: "blog", document: blog, published_at: at(3), ...publishedAs },
    { id: 3, section: "firm", document: firm, published_at: at(6), ...publishedAs },
  ],
  "public.site_settings_drafts": [
    {
      section: "blog",
      document: { lead: "New" },
      base_version: 2,
      updated_at: at(9),
      updated_by: null,
    },
    {
      section: "firm",
      document: { ...firm, mainColor: "#1f2f5c" },
      base_version: 3,
      updated_at: at(10),
      updated_by: null,
    },
  ],
  "public.post_versions": [
    {
      id: 1,
      post_id: published.id,
      event: "published",
      document: published,
      saved_at: at(1),
      ...ada,
    },
    { id: 2, post_id: page, event: "published", document: ownPage, saved_at: at(1), ...ada },
    {
      id: 3,
      post_id: scheduled.id,
      event: "scheduled",
      document: scheduled,
      saved_at: at(5),
      ...ada,
    },
  ],
  "public.post_approvals": [
    {
      ...{ id: 1, post_id: scheduled.id, event: "approved", document: words(scheduled) },
      ...{ saved_at: at(4), ...ada, comment: "Good.", draft_version: null },
    },
  ],
  "public.post_drafts": [
    {
      ...{
        ...ownPage,
        title: "Our team",
        base_version: at(1),
        updated_at: at(8),
        updated_by: null,
      },
    },
  ],
  "public.scheduled_posts": [{ ...scheduled, failure: null, retry_at: null }],
  "public.post_previews": [
    {
      token,
      post_id: page,
      created_at: at(8),
      expires_at: at(50),
      created_by: null,
      may_approve: true,
    },
  ],
  "public.testimonial_versions": [
    {
      id: 1,
      testimonial_id: review,
      event: "received",
      document: testimonial,
      saved_at: at(1),
      ...ada,
    },
    {
      ...{ id: 2, testimonial_id: review, event: "approved", saved_at: at(2), ...ada },
      document: { ...testimonial, approved_at: at(2) },
    },
  ],
  "supabase_migrations.schema_migrations": [{ version: "20261122120600", name: "post_previews" }],
};

const folder = await setUpFolder("upgrade");
const file = join(folder, "0.9.backup");
await mkdir(join(folder, "keys"));
const tables = Object.entries(backup).map(([table, rows]) => {
  const [schema = "", name = ""] = table.split(".");
  return { schema, name, columns: Object.keys(rows[0] ?? {}), rows: rows.length };
});
await writeArchive(
  file,
  async (archive) => {
    const manifest = {
      ...{ format: formatOf(embeddedConfig.name), madeAt: at(30), tables, pictures: 0 },
      ...{ migrations: ["20261122120000", "20261122120600"] },
      sequences: [{ schema: "public", name: "post_versions_id_seq", value: "3" }],
    };
    await archive.add("manifest.json", JSON.stringify(manifest));
    const { databasePassword: _, ...keys } = loadSecrets(join(folder, "keys"));
    await archive.add("secrets.json", JSON.stringify(keys));
    for (const [table, rows] of Object.entries(backup)) {
      const lines = rows.map((row) => JSON.stringify(row)).join(",\n");
      await archive.add(`tables/${table}/1.json`, `[${lines}]`);
    }
    await archive.add("end", "");
  },
  async () => {},
);
const dataDir = join(folder, "restored");
await restore({ config: embeddedConfig, file, dataDir, replace: false, onStep: () => {} });

const { sql } = await setUpDatabase(dataDir);

test("the content of a backup of 0.9 moves into the present tables, with its numbers and approvals", async () => {
  const versions = await sql`
    select number::int, kind, thing, event, by_name, comment from versions order by number`;
  expect(versions.map(({ kind, event }) => `${kind} ${event}`)).toEqual([
    ...["post published", "page published", "testimonial submitted"],
    ...["section published", "testimonial published", "section published"],
    ...["post approved", "post scheduled", "section published", "section published"],
  ]);
  expect(versions[6]).toMatchObject({ thing: scheduled.id, by_name: "Ada", comment: "Good." });
  expect(
    await sql`
      select kind, thing, document ->> 'title' as title, base::int from drafts order by kind, thing`,
  ).toEqual([
    { kind: "page", thing: page, title: "Our team", base: 2 },
    { kind: "section", thing: "blog", title: null, base: 6 },
    { kind: "section", thing: "firm", title: null, base: 9 },
    { kind: "section", thing: "look", title: null, base: 10 },
  ]);
  expect(await sql`select thing, version::int from schedules`).toEqual([
    { thing: scheduled.id, version: 8 },
  ]);
  expect(await sql`select token, kind, thing from previews`).toEqual([
    { token, kind: "page", thing: page },
  ]);
  const { name, tagline, ...look } = firm;
  const sections = [
    { section: "blog", document: blog, version: 6 },
    { section: "firm", document: { name, tagline }, version: 9 },
    { section: "look", document: look, version: 10 },
  ];
  expect(
    await sql`select section, document, version::int from site_settings order by section`,
  ).toEqual(sections);
  expect(
    await sql`
      select section, document, version::int from public_site_settings
        where section in ('firm', 'look') order by section`,
  ).toEqual(sections.slice(1));
  expect(await sql`select from pg_namespace where nspname = 'former'`).toHaveLength(0);

  // What was approved is published by the job, and new versions follow.
  await sql`select private.publish_due()`;
  expect(await sql`select failure from schedules`).toEqual([]);
  expect(await sql`select slug from posts where id = ${scheduled.id}`).toEqual([
    { slug: scheduled.slug },
  ]);
  const [newest] = await sql`select max(number)::int as number from versions`;
  expect(newest?.number).toBeGreaterThan(10);
});
