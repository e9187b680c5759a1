// Images and the posts that reference them: the database protects what is in use, and a scheduled
// job deletes what no post has referenced for a day.
import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { connect } from "embedded-supabase/database.ts";
import { afterEach, expect, test } from "vitest";
import { changeHistory } from "../change-history.ts";
import { newPost, scheduling, storeDraft } from "../post-calls.ts";
import { gif } from "../small-files.ts";
import { setUpProject, startProject } from "../start-project.ts";

const otherGif = Buffer.concat([gif, gif]);

const { project, sql, owner, admin, signInAs } = await setUpProject<SupabaseClient>();
const { client: editor } = await signInAs("editor");

afterEach(async () => {
  await admin.from("posts").delete().eq("category", "Family");
});

async function storeImage(name = `public/${randomUUID()}.gif`): Promise<string> {
  const { error } = await owner.storage
    .from("images")
    .upload(name, gif, { contentType: "image/gif" });
  expect(error).toBeNull();
  return name;
}

function addressOf(name: string): string {
  return owner.storage.from("images").getPublicUrl(name).data.publicUrl;
}

async function isServed(name: string): Promise<boolean> {
  return (await fetch(addressOf(name), { method: "HEAD" })).ok;
}

async function publish(image_url: string | null, content: object[] = []): Promise<string> {
  const post = newPost({ image_url, content });
  await owner.from("posts").insert(post).throwOnError();
  return post.id;
}

/** Ends the 30 days in which deleted posts can be restored. */
async function endRestoration(): Promise<void> {
  await changeHistory(
    sql,
    (history) => history`
      update versions
        set at = at - interval '30 days'
        where thing in (select thing from versions where event = 'deleted')`,
  );
}

/** As if these images had been stored, and unused, for a day. */
async function makeOld(...names: string[]): Promise<void> {
  await sql`update storage.objects set updated_at = now() - interval '25 hours' where name = any(${names})`;
  await sql`update private.unused_images set since = now() - interval '25 hours' where name = any(${names})`;
}

/** Moves the noted times into the past, then runs the job. */
async function removeUnused(hoursLater = 0): Promise<void> {
  await sql`update private.unused_images set since = since - make_interval(hours => ${hoursLater})`;
  await sql`update storage.objects set updated_at = updated_at - make_interval(hours => ${hoursLater})`;
  const { error } = await admin.functions.invoke("remove-unused-images", { body: "" });
  expect(error).toBeNull();
}

test("of images removed together, those stay to which a post, a draft or a scheduled post refers", async () => {
  const names = ["a b & (c)+", "", "", "", ""].map((name) => `public/${name}${randomUUID()}.gif`);
  const [featured = "", inText = "", ofDraft = "", inDraft = "", scheduled = ""] = names;
  for (const name of names) await storeImage(name);
  const unused = await storeImage();
  const block = (url: string) => [{ type: "image", src: url, alt: "", width: 1, height: 1 }];
  const deleted = await publish(addressOf(featured));
  await owner.from("posts").delete().eq("id", deleted).throwOnError();
  await endRestoration();
  await publish(addressOf(featured));
  await publish(null, block(`${addressOf(inText)}?t=1`));
  const draft = { image_url: addressOf(ofDraft), content: block(addressOf(inDraft)) };
  await storeDraft(owner, { id: randomUUID(), ...draft });
  const post = newPost({ image_url: addressOf(scheduled) });
  await owner.rpc("schedule", scheduling(post)).throwOnError();
  const { data } = await owner.storage.from("images").remove([...names, unused]);
  expect(data?.map(({ name }) => name)).toEqual([unused]);
  expect(await Promise.all([...names, unused].map(isServed))).toEqual([
    ...names.map(() => true),
    false,
  ]);
});

test("an image that a version of a post names is neither removed nor replaced, wherever it is", async () => {
  const [first, second] = [await storeImage(), await storeImage()];
  const id = await publish(addressOf(first));
  await owner
    .from("posts")
    .update({ image_url: addressOf(second) })
    .eq("id", id)
    .throwOnError();
  const images = owner.storage.from("images");
  const toDeleted = { destinationBucket: "deleted-images" };
  for (const isDeleted of [false, true]) {
    if (isDeleted) await owner.from("posts").delete().eq("id", id).throwOnError();
    expect((await images.remove([first])).data).toEqual([]);
    const options = { contentType: "image/gif", upsert: true };
    expect((await images.upload(first, otherGif, options)).error).not.toBeNull();
    expect((await images.move(first, first, toDeleted)).error).toBeNull();
    // Another upload must not take the name either, because the image could not be moved back then.
    expect((await images.upload(first, otherGif, options)).error).not.toBeNull();
    expect(await isServed(first)).toBe(false);
    await removeUnused(24 * 31);
    const back = owner.storage.from("deleted-images").move(first, first, {
      destinationBucket: "images",
    });
    expect((await back).error).toBeNull();
    await removeUnused();
    await removeUnused(25);
    expect(await isServed(first)).toBe(true);
  }
  await endRestoration();
  expect((await images.move(first, first, toDeleted)).error).toBeNull();
  await removeUnused(24 * 31);
  expect(await sql`select from storage.objects where name = ${first}`).toHaveLength(0);
});

test("a file keeps its name, in its bucket and between the two", async () => {
  const [name, other] = [await storeImage(), `public/${randomUUID()}.gif`];
  const buckets = ["images", "deleted-images"];
  for (const bucket of buckets) {
    for (const destinationBucket of buckets) {
      for (const client of [owner, editor]) {
        const move = client.storage.from(bucket).move(name, other, { destinationBucket });
        expect((await move).error).not.toBeNull();
      }
    }
    const destinationBucket = bucket === "images" ? "deleted-images" : "images";
    const move = editor.storage.from(bucket).move(name, name, { destinationBucket });
    expect((await move).error).toBeNull();
  }
  expect(await isServed(name)).toBe(true);
});

const bucket = "https://x.example/storage/v1/object/public/images";

test.each([
  ["/storage/v1/object/public/images/public/a.png", "images/public/a.png", "public/a.png"],
  [`${bucket}/public/a%20b.png?t=1#x`, "images/public/a%20b.png", "public/a b.png"],
  [`${bucket}/public/caf%C3%A9%.png`, "images/public/caf%C3%A9%.png", "public/café%.png"],
  [
    "http://127.0.0.1:3000/storage/v1/render/image/public/images/public/a.png?width=80",
    "images/public/a.png",
    "public/a.png",
  ],
  [`${bucket}/%70ublic%2F%61.png`, "images/%70ublic%2F%61.png", "public/a.png"],
  [`${bucket}/public/%FF.png`, "images/public/%FF.png", null],
  [`${bucket}/public/%00.png`, "images/public/%00.png", null],
  [`${bucket}/public/a.png?"b`, `${bucket}/public/a.png?"b`, null],
  [`${bucket}/`, `${bucket}/`, null],
  ["https://x.example/a.png", "https://x.example/a.png", null],
  ["/images/posts/old-oak.svg", "/images/posts/old-oak.svg", null],
  [null, null, null],
])("the address %s is stored as %s and resolves to the file %s", async (src, stored, name) => {
  const [row] = await sql`
    select reference as stored, private.image_name(reference) as name
      from (
        select private.with_references(jsonb_build_object('src', ${src}::text)::text)::jsonb ->> 'src'
      ) as stored (reference)`;
  expect(row).toEqual({ stored, name });
});

test("a row that is written with the address of an upload has its reference", async () => {
  const reference = `images/${await storeImage()}`;
  const url = addressOf(reference.replace("images/", ""));
  const stored = (src: string) => ({
    image_url: src,
    content: [
      { type: "image", src, alt: 'A "lamp"', width: 1, height: 1 },
      { type: "paragraph", text: `See ${url}` },
    ],
  });
  const { id, slug, related_services, ...post } = newPost(stored(`${url}?t=17`));
  const draft = { ...post, id: randomUUID() };
  const published_date = "2199-01-01T09:00:00Z";
  const wanted = scheduling({ ...post, id, slug, related_services, published_date });
  await storeDraft(owner, draft);
  // Twice, as after a lost response.
  for (const _ of [1, 2]) {
    expect(await owner.rpc("schedule", wanted)).toMatchObject({ error: null });
  }
  await storeDraft(owner, { id: "look", logo: { src: url, width: 1, height: 1 } }, "section");

  const [rows] = await sql`
    select draft.document as draft, version.document as version, settings.document as settings
      from drafts as draft, schedules as scheduled join versions as version on number = version,
        drafts as settings
      where draft.thing = ${draft.id} and scheduled.thing = ${id} and settings.thing = 'look'`;
  expect(rows).toMatchObject({
    draft: stored(reference),
    version: stored(reference),
    settings: { logo: { src: reference } },
  });
  for (const [kind, thing] of [
    ["section", "look"],
    ["post", id],
    ["post", draft.id],
  ]) {
    await owner.rpc("discard_draft", { kind, thing, replaced: null }).throwOnError();
  }
});

test("the job keeps images that are used or recent and deletes those unused for a day", async () => {
  const [used, young, old] = [await storeImage(), await storeImage(), await storeImage()];
  await publish(addressOf(used));
  await removeUnused();
  await makeOld(old);
  await removeUnused();
  expect(await Promise.all([used, young, old].map(isServed))).toEqual([true, true, false]);
  // The bytes are deleted with the row.
  expect(await sql`select from storage.objects where name = ${old}`).toHaveLength(0);
});

const linkedTexts = [
  (marks: object[]) => ({ type: "paragraph", text: "A", marks }),
  (marks: object[]) => ({ type: "list", items: ["B", "A"], itemMarks: [[], marks] }),
  (marks: object[]) => ({ type: "table", rows: [["B", "A"]], rowMarks: [[[], marks]] }),
];

/** Stores a PDF and publishes a page that links to it. */
async function publishLink(href: (name: string) => string, index = 0) {
  const name = `files/${randomUUID()}.pdf`;
  const options = { contentType: "application/pdf" };
  const { error } = await owner.storage.from("files").upload(name, Buffer.from("%PDF-"), options);
  expect(error).toBeNull();
  const marks = [{ type: "link", start: 0, end: 1, href: href(name) }];
  const content = [linkedTexts[index % linkedTexts.length]?.(marks)];
  const id = randomUUID();
  const page = { id, slug: id, title: "A", author: "A", content };
  const inserted = await owner.from("pages").insert(page);
  return { id, name, error: inserted.error };
}

test("a PDF stays as long as anything links to it, in whatever spelling, and is unused afterwards", async () => {
  const files = owner.storage.from("files");
  const pages = await Promise.all(
    [
      (name: string) => `/${name}`,
      (name: string) => `/${name}?a=%FF#page=2`,
      (name: string) => `https://www.example.com/${name.replace("/", "%2F")}`,
      (name: string) => `/storage/v1/object/public/files/${name}`,
    ].map((href, index) => publishLink(href, index)),
  );
  expect(pages.map(({ error }) => error)).toEqual(pages.map(() => null));
  const names = pages.map(({ name }) => name);
  expect((await files.remove(names)).data).toEqual([]);
  const setAside = { destinationBucket: "deleted-images" };
  for (const name of names) expect((await files.move(name, name, setAside)).error).not.toBeNull();
  await removeUnused();
  await removeUnused(25);
  expect(await sql`select from storage.objects where name = any (${names})`).toHaveLength(4);
  for (const { id } of pages) await owner.from("pages").delete().eq("id", id).throwOnError();
  await endRestoration();
  await removeUnused();
  await removeUnused(25);
  expect(await sql`select from storage.objects where name = any (${names})`).toHaveLength(0);
});

test("a link that a browser reads as another path is rejected where it could lead to a PDF", async () => {
  for (const href of [
    (name: string) => `/${name.replace("/", "/x/../")}`,
    (name: string) => `/%ff/%2e%2e/${name}`,
    (name: string) => `https://www.example.com\\${name.replace("/", "\\")}`,
  ]) {
    const { error } = await publishLink(href);
    expect(error?.message).toBe("The address of a file is not accepted. Attach the file instead.");
  }
  const elsewhere = await publishLink(() => "https://elsewhere.example/a/../b.html");
  expect(elsewhere.error).toBeNull();
});

test("files that Storage does not remove do not keep the others", async () => {
  const name = await storeImage();
  await sql`
    insert into storage.objects (bucket_id, name, updated_at)
      select 'images', 'public/stuck-' || number || '.gif', now() - interval '1 day'
        from generate_series(1, 100) as number`;
  await sql`create function keep() returns trigger language plpgsql as 'begin return null; end'`;
  await sql`
    create trigger keep before delete on storage.objects
      for each row when (old.name like 'public/stuck-%') execute function keep()`;
  try {
    await removeUnused();
    await sql`
      update private.unused_images set since = since - interval '1 hour' where name like '%stuck%'`;
    await removeUnused(25);
    expect(await isServed(name)).toBe(false);
    expect(await sql`select from storage.objects where name like '%stuck%'`).toHaveLength(100);
  } finally {
    await sql`drop function keep cascade`;
    await sql`delete from storage.objects where name like '%stuck%'`;
  }
});

test("an image that a post released recently stays for a day, however old it is", async () => {
  const name = await storeImage();
  const id = await publish(addressOf(name));
  await removeUnused(1000);
  await owner.from("posts").delete().eq("id", id);
  await endRestoration();
  await removeUnused();
  await removeUnused(23);
  expect(await isServed(name)).toBe(true);
  await removeUnused(2);
  expect(await isServed(name)).toBe(false);
});

test("a reference, however short, restarts the day", async () => {
  const name = await storeImage();
  await removeUnused();
  await removeUnused(23);
  const id = await publish(addressOf(name));
  await owner.from("posts").delete().eq("id", id);
  await endRestoration();
  await removeUnused(2);
  expect(await isServed(name)).toBe(true);
});

test("no post can reference an image whose removal has begun", async () => {
  const name = await storeImage();
  await removeUnused();
  await makeOld(name);
  const claimed = await admin.rpc("claim_unused_images", { max_count: 1000 });
  expect(claimed.data).toContain(name);
  const { error } = await owner
    .from("posts")
    .insert(newPost({ image_url: `${addressOf(name)}?t=1` }));
  expect(error?.message).toContain("is being removed");
  await removeUnused();
  expect(await isServed(name)).toBe(false);
  // A new upload under the same name is a new image.
  await storeImage(name);
  await removeUnused();
  expect(await isServed(name)).toBe(true);
  await publish(addressOf(name));
});

test("a concurrent save and the job never both get an image", async () => {
  const names = await Promise.all(Array.from({ length: 20 }, () => storeImage()));
  await removeUnused();
  await makeOld(...names);
  const [responses] = await Promise.all([
    Promise.all(
      names.map((name) => owner.from("posts").insert(newPost({ image_url: addressOf(name) }))),
    ),
    ...Array.from({ length: 4 }, () => admin.rpc("claim_unused_images", { max_count: 5 })),
  ]);
  await removeUnused();
  const published = responses.map(({ error }) => !error);
  expect(await Promise.all(names.map(isServed))).toEqual(published);
});

test("the function requires POST", async () => {
  const address = `${project.url}/functions/v1/remove-unused-images`;
  const get = await fetch(address, { headers: { apikey: project.secretKey } });
  expect(get.status).toBe(405);
});

test("the embedded backend runs the job on its own schedule", async () => {
  const other = await startProject({ jobIntervals: { unusedImages: 50 } });
  const database = connect(other.backend?.databaseUrl ?? "", 1);
  const client = createClient(other.url, other.secretKey, { auth: { persistSession: false } });
  try {
    const name = `public/${randomUUID()}.gif`;
    await client.storage.from("images").upload(name, gif, { contentType: "image/gif" });
    const noted = async () =>
      (await database`select from private.unused_images where name = ${name}`).length;
    await expect.poll(noted).toBe(1);
    await database`update storage.objects set updated_at = now() - interval '25 hours'`;
    await database`update private.unused_images set since = now() - interval '25 hours'`;
    await expect
      .poll(async () => (await database`select from storage.objects where name = ${name}`).length)
      .toBe(0);
  } finally {
    await database.end();
    await other.stop();
  }
});
