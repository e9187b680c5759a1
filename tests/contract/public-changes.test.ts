// Every change of a public row is a version, whoever made it and however, also one that is reverted at once.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { publishSettings } from "../other-firm.ts";
import { newPost } from "../post-calls.ts";
import { setUpProject } from "../start-project.ts";
import { newReview } from "../testimonial-answers.ts";

const { sql, visitor, owner, admin, signInAs } = await setUpProject<SupabaseClient>();
const { client: writer } = await signInAs("editor", "Wanda Writer");

/** What the list of changes has of a thing. */
async function changesOf(id: string) {
  const period = { starts: "2000-01-01T00:00:00Z", ends: "2200-01-01T00:00:00Z", first: 0 };
  const { data } = await owner.rpc("archive_changes", period).throwOnError();
  return data.filter(({ thing }: { thing: string }) => thing === id);
}

/** The versions of a thing: what happened, and the value of a column. */
async function versionsOf(id: string, column: string) {
  const rows = await sql`
    select event, document -> ${column} as value from versions where thing = ${id} order by number`;
  return rows.map(({ event, value }) => [event, value]);
}

async function publish(table: "posts" | "pages") {
  const { image_url: _, related_services: __, ...words } = newPost();
  const row = table === "posts" ? newPost() : { ...words, category: "" };
  await writer.from(table).insert(row).throwOnError();
  return row.id;
}

async function review(): Promise<string> {
  const row = newReview({});
  await visitor.from("testimonials").insert(row).throwOnError();
  return row.id;
}

type Actor = [who: string, client: SupabaseClient];
const writers: Actor[] = [
  ["a writer", writer],
  ["an owner", owner],
  ["the secret key", admin],
];
const columns = [
  ...["title", "tagline", "author", "alt"].map((name) => [name, "Other words"] as const),
  ["slug", "other-address"] as const,
  ["content", [{ type: "paragraph", text: "Other words." }]] as const,
];

test.each(
  (["posts", "pages"] as const).flatMap((table) =>
    writers.map(([who, client]) => [table, who, client] as const),
  ),
)(
  "each PATCH of %s by %s makes a version, also when it is reverted at once",
  async (table, _who, client) => {
    const id = await publish(table);
    for (const [column, value] of columns) {
      const [[, former] = []] = (await versionsOf(id, column)).slice(-1);
      const count = (await versionsOf(id, column)).length;
      const other = column === "slug" ? randomUUID() : value;
      for (const changed of [other, former]) {
        await client
          .from(table)
          .update({ [column]: changed })
          .eq("id", id)
          .throwOnError();
      }
      expect((await versionsOf(id, column)).slice(count)).toEqual([
        ["published", other],
        ["published", former],
      ]);
    }
    await client.from(table).delete().eq("id", id).throwOnError();
    expect((await changesOf(id)).at(-1)).toMatchObject({ event: "deleted" });
  },
);

test("hiding a page is an event of its own, with the name of who did it; so is its place in the menu", async () => {
  const id = await publish("pages");
  const set = (changes: object) => writer.from("pages").update(changes).eq("id", id).throwOnError();
  await set({ hidden: true });
  await set({ title: "Changed while hidden" });
  await set({ hidden: false });
  await set({ place: "menu" });
  await set({ place: "footer" });
  await set({ position: 77 });
  const by = { by_name: "Wanda Writer", by_role: "editor", how: "signed in" };
  const events = ["published", "unpublished", "unpublished", ...Array(4).fill("published")];
  expect(await changesOf(id)).toMatchObject(events.map((event) => ({ event, ...by })));
  expect((await versionsOf(id, "place")).slice(3).map(([, place]) => place)).toEqual([
    ...["footer", "menu", "footer", "footer"],
  ]);
});

test("each change of a review is a version, and taking it off the site is its refusal", async () => {
  const id = await review();
  const set = (client: SupabaseClient, changes: object) =>
    client.from("testimonials").update(changes).eq("id", id).throwOnError();
  await set(owner, { reply: "Thank you" });
  await set(owner, { reply: null });
  await set(owner, { statement: "A friend" });
  await set(admin, { content: "Forged" });
  await set(admin, { content: "Kind." });
  await set(owner, { approved_at: null, refused_at: new Date(), refusal_reason: "false" });
  await set(owner, { seen_at: new Date() });
  expect((await changesOf(id)).map(({ event }: { event: string }) => event)).toEqual([
    ...Array(6).fill("published"),
    "unpublished",
  ]);
});

test("each change of the settings is a version, past the forms as well", async () => {
  await publishSettings(owner, { notice: { text: "First" } });
  const set = (text: string) =>
    admin.from("site_settings").update({ document: { text } }).eq("section", "notice");
  await set("Forged").throwOnError();
  await set("First").throwOnError();
  await admin.from("site_settings").delete().eq("section", "notice").throwOnError();
  // What visitors read follows from the published settings alone.
  const shown = admin.from("public_site_settings").update({ document: { text: "Forged" } });
  expect((await shown.eq("section", "content")).error).toMatchObject({ code: "42501" });
  const versions = await versionsOf("notice", "text");
  expect(versions).toEqual([
    ["published", "First"],
    ["published", "Forged"],
    ["published", "First"],
    ["deleted", "First"],
  ]);
});

test("the version of a change is that of its transaction: both exist, or neither", async () => {
  const id = await publish("posts");
  const undo = new Error("undo");
  const changed = sql.begin(async (on) => {
    await on`update posts set title = 'Undone' where id = ${id}`;
    throw undo;
  });
  await expect(changed).rejects.toBe(undo);
  await sql.begin(async (on) => {
    await on`update posts set title = 'For a moment' where id = ${id}`;
    await on`update posts set title = 'Naming a guardian' where id = ${id}`;
  });
  expect((await versionsOf(id, "title")).map(([, title]) => title)).toEqual([
    ...["Naming a guardian", "For a moment", "Naming a guardian"],
  ]);
});
