// Realtime delivers contact messages to the owner only. Others are rejected, or receive at most the
// id of a deleted row: no policy can be evaluated on a row that no longer exists.
import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClient, type Project, startProject } from "../start-project.ts";

interface Change {
  table: string;
  eventType: string;
  new: object;
  old: object;
}

let project: Project;
let admin: SupabaseClient;
let visitor: SupabaseClient;
let stranger: SupabaseClient;
let owner: SupabaseClient;

beforeAll(async () => {
  project = await startProject();
  admin = createClient(project.url, project.secretKey, { auth: { persistSession: false } });
  visitor = openClient(project) as SupabaseClient;
  stranger = openClient(project) as SupabaseClient;
  owner = openClient(project) as SupabaseClient;
  await stranger.auth.signInWithPassword(await project.createStranger());
  await owner.auth.signInWithPassword(project.owner);
});

afterAll(async () => {
  await Promise.all([visitor, stranger, owner].map((client) => client.removeAllChannels()));
  await project.stop();
});

/** Joins a channel for the table. @returns the first status and every event from then on. */
async function listen(client: SupabaseClient, table: string) {
  await client.realtime.setAuth();
  const received: Change[] = [];
  const status = await new Promise<string>((resolve) => {
    client
      .channel(`realtime ${table}`)
      .on("postgres_changes", { event: "*", schema: "public", table }, (change) => {
        received.push(change as unknown as Change);
      })
      .subscribe((first) => resolve(first));
  });
  return { status, received };
}

function newMessage() {
  return { id: randomUUID(), name: "Ada", email: "ada@example.com", message: "Please call me." };
}

/**
 * Everyone receives a post, and changes keep their order: all earlier writes have been delivered.
 */
async function waitForPost(received: readonly Change[][]) {
  const id = randomUUID();
  const before = received.map(({ length }) => length);
  await admin.from("posts").insert({ id, slug: id, title: "A", category: "A", author: "A" });
  await expect.poll(() => received.every((list, i) => list.length > (before[i] ?? 0))).toBe(true);
}

test("a visitor's subscription to messages is rejected", async () => {
  const { status } = await listen(visitor, "contact_messages");
  expect(status).toBe("CHANNEL_ERROR");
});

test("the owner receives every message; a signed-in stranger receives none of the content", async () => {
  const posts = [await listen(owner, "posts"), await listen(stranger, "posts")];
  const [toOwner, toStranger] = [
    await listen(owner, "contact_messages"),
    await listen(stranger, "contact_messages"),
  ];
  const message = newMessage();

  await admin.from("contact_messages").insert(message);
  await owner.from("contact_messages").update({ read_at: new Date() }).eq("id", message.id);
  await waitForPost(posts.map(({ received }) => received));
  expect(toOwner.received.map(({ eventType }) => eventType)).toEqual(["INSERT", "UPDATE"]);
  expect(toOwner.received[0]?.new).toMatchObject({ id: message.id });
  expect(toStranger.received).toEqual([]);

  await owner.from("contact_messages").delete().eq("id", message.id);
  await waitForPost(posts.map(({ received }) => received));
  expect(toOwner.received.at(-1)).toMatchObject({ eventType: "DELETE", old: { id: message.id } });
  for (const { eventType, new: row, old } of toStranger.received) {
    expect({ eventType, row, old }).toEqual({
      eventType: "DELETE",
      row: {},
      old: { id: message.id },
    });
  }
});
