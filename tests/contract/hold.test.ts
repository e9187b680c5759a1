// A hold, and fewer years of the archive: what is deleted because of its age, and when.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { changeHistory } from "../change-history.ts";
import { keepCopy } from "../kept-copies.ts";
import { publishSettings } from "../other-firm.ts";
import { newPost } from "../post-calls.ts";
import { gif } from "../small-files.ts";
import { setUpProject } from "../start-project.ts";
import { newReview } from "../testimonial-answers.ts";

// No job runs between two steps of a test.
const { sql, visitor, owner, admin } = await setUpProject<SupabaseClient>({
  jobIntervals: {
    ...{ unusedImages: 3_600_000, deletedMessages: 3_600_000, erasures: 3_600_000 },
    ...{ expiredFiles: 3_600_000, mail: 3_600_000 },
  },
});

const setSite = (site: object) => publishSettings(owner, { site });

async function retention(years: number | null = null) {
  return (await owner.rpc("archive_retention", { years }).throwOnError()).data;
}

/** Runs every job that deletes because of age. */
async function runJobs(): Promise<void> {
  await sql`
    select private.remove_deleted_messages(), private.remove_old_mails(), private.finish_erasures(),
      private.delete_expired_files(), private.store_visits(current_date, '[]')`;
  await admin.functions.invoke("remove-unused-images", { body: "" });
}

/** Moves what the archive has into the past. */
async function ageArchive(years: number): Promise<void> {
  await changeHistory(sql, async (on) => {
    await on`update private.archive_files set stored_at = stored_at - make_interval(years => ${years})`;
    await on`update private.archive_pages set since = since - make_interval(years => ${years})`;
  });
}

test("during a hold nothing is deleted because of its age, and afterwards everything is", async () => {
  const old = new Date(Date.now() - 400 * 86_400_000).toISOString();
  const message = { id: randomUUID(), name: "Ada", email: "a@b.example", message: "Ten letters" };
  const spam = { ...message, id: randomUUID() };
  await admin.from("contact_messages").insert(message).throwOnError();
  await admin
    .from("contact_messages")
    .insert({ ...spam, spam_at: old })
    .throwOnError();
  const [mail, link] = [randomUUID(), randomUUID()];
  const email = `${randomUUID()}@example.com`;
  const erased = newReview({ email });
  await visitor.from("testimonials").insert(erased).throwOnError();
  await owner.rpc("erase_person", { email, received_on: "2026-11-20", keep: [] }).throwOnError();
  const path = `/blog/${randomUUID()}`;
  for (const words of ["Former.", "Newer."]) await keepCopy(sql, path, words);
  const image = `public/${randomUUID()}.gif`;
  const options = { contentType: "image/gif" };
  await owner.storage.from("images").upload(image, gif, options);
  const post = newPost({ image_url: `images/${image}` });
  await owner.from("posts").insert(post).throwOnError();
  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  await changeHistory(sql, async (on) => {
    await on`update contact_messages set deleted_at = ${old} where id = ${message.id}`;
    await on`
      insert into mails (id, kind, recipient, status, created_at)
        values (${mail}, 'test', 'a@b.example', 'sent', ${old})`;
    await on`
      insert into testimonial_requests (token, name, expires_at) values (${link}, 'Ada', ${old})`;
    await on`insert into visit_counts values ('2025-01-01', 'page', '/', 1)`;
    await on`update versions set at = at - interval '9 years' where thing in (${erased.id}, ${post.id})`;
    await on`update consents set given_at = given_at - interval '9 years' where subject_id = ${erased.id}`;
  });
  await ageArchive(9);
  const kept = async () => {
    const [row] = await sql`
      select
        (select count(*)::int from contact_messages where id in (${message.id}, ${spam.id})) as messages,
        (select count(*)::int from mails where id = ${mail}) as mails,
        (select count(*)::int from testimonial_requests where token = ${link}) as links,
        (select count(*)::int from visit_counts where day = '2025-01-01') as visits,
        (select count(*)::int from versions
          where thing = ${erased.id} and document ? 'content') > 0 as words,
        (select count(*)::int from consents where subject_id = ${erased.id}) as consents,
        (select count(*)::int from private.archive_files where words = 'Former.') as copies,
        (select count(*)::int from storage.objects where name = ${image}) as images`;
    return row;
  };
  const all = { messages: 2, mails: 1, links: 1, visits: 1, words: true };
  const everything = { ...all, consents: 1, copies: 1, images: 1 };
  async function ageImages(): Promise<void> {
    await sql`update storage.objects set updated_at = ${old} where name = ${image}`;
    await sql`update private.unused_images set since = ${old} where name = ${image}`;
  }
  await setSite({ hold: true });
  for (const _ of [1, 2]) {
    await ageImages();
    await runJobs();
  }
  expect(await kept()).toEqual(everything);
  await expect(sql`delete from private.archive_files`).rejects.toThrow("The archive keeps a file");
  const erasure = { email: message.email, received_on: "2026-11-20", keep: [] };
  const { error } = await owner.rpc("erase_person", erasure);
  expect(error?.message).toContain("A hold is on");
  expect(await kept()).toEqual(everything);
  // Visitors do not learn of it.
  const shown = visitor.from("public_site_settings").select("document").eq("section", "site");
  expect(JSON.stringify((await shown.throwOnError()).data)).not.toContain("hold");
  expect(await retention()).toMatchObject({ is_held: true });

  await setSite({ hold: false });
  for (const _ of [1, 2]) {
    await ageImages();
    await runJobs();
  }
  const nothing = { messages: 0, mails: 0, links: 0, visits: 0, words: false };
  expect(await kept()).toEqual({ ...nothing, consents: 0, copies: 0, images: 0 });
});

test("fewer years of the archive say what will go, and count after a week", async () => {
  const path = `/blog/${randomUUID()}`;
  for (const words of ["Six years old.", "Newer."]) await keepCopy(sql, path, words);
  await ageArchive(6);
  const isKept = async () => {
    await sql`select private.delete_expired_files()`;
    const found = await sql`select from private.archive_files where words = 'Six years old.'`;
    return found.length === 1;
  };
  /** As if it had been published so many days before. */
  const passDays = (days: number) =>
    changeHistory(
      sql,
      (on) => on`
        update versions set at = at - make_interval(days => ${days})
          where kind = 'section' and thing = 'site'`,
    );
  await setSite({ archiveYears: "7" });
  await passDays(30);
  expect(await retention()).toMatchObject({ years: 7, present: 7, ends: null, copies: 0 });
  // Before it is shortened.
  expect(await retention(5)).toMatchObject({ years: 5, present: 7, copies: 1 });
  await setSite({ archiveYears: "6" });
  await passDays(3);
  await setSite({ archiveYears: "5" });
  expect(await isKept()).toBe(true);
  const { ends, ...shortened } = await retention();
  expect(shortened).toMatchObject({ years: 5, present: 7, copies: 1, from: expect.any(String) });
  expect(Math.round((Date.parse(ends) - Date.now()) / 86_400_000)).toBe(7);
  await passDays(6);
  expect(await isKept()).toBe(true);
  // The six years of before are in force now.
  expect(await retention()).toMatchObject({ years: 5, present: 6 });
  await passDays(2);
  expect(await retention()).toMatchObject({ years: 5, present: 5, ends: null });
  expect(await isKept()).toBe(false);
});

test("a hold keeps what fewer years would delete", async () => {
  const path = `/blog/${randomUUID()}`;
  for (const words of ["Held.", "Newer."]) await keepCopy(sql, path, words);
  await ageArchive(8);
  await setSite({ archiveYears: "5", hold: true });
  await sql`select private.delete_expired_files()`;
  expect(await sql`select from private.archive_files where words = 'Held.'`).toHaveLength(1);
  await setSite({ archiveYears: "5" });
});
