// The main flows of visitors and of the people who manage the site, with the calls of its pages, on any project.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { storeDraft } from "../post-calls.ts";
import { gif } from "../small-files.ts";
import { openClient, setUpProject } from "../start-project.ts";

const { project, visitor, admin, signInAs } = await setUpProject<SupabaseClient>();
const { client: editor } = await signInAs("editor", "Test");
const { client: assistant } = await signInAs("assistant", "Test");

test("a new password needs the current one, and ends the other sessions", async () => {
  const { email, password } = await project.createStranger();
  const [client, other] = [openClient(project), openClient(project)];
  await client.auth.signInWithPassword({ email, password });
  await other.auth.signInWithPassword({ email, password });
  const newPassword = randomUUID();
  const change = (current_password: string) =>
    client.auth.updateUser({ password: newPassword, current_password });
  expect((await change("wrong")).error).not.toBeNull();
  expect((await change(password)).error).toBeNull();
  expect((await other.auth.refreshSession()).error).not.toBeNull();
  const again = await openClient(project).auth.signInWithPassword({ email, password: newPassword });
  expect(again.error).toBeNull();
});

test("an editor's draft with an image becomes a post, which visitors read until it is deleted", async () => {
  const images = editor.storage.from("images");
  const path = `public/${randomUUID()}.gif`;
  const uploaded = await images.upload(path, gif, { contentType: "image/gif" });
  expect(uploaded.error).toBeNull();
  const address = images.getPublicUrl(path).data.publicUrl;
  expect((await fetch(address)).headers.get("content-type")).toBe("image/gif");

  const id = randomUUID();
  const post = { id, slug: id, title: "A test", category: "Test", author: "Test" };
  const { saved_at } = await storeDraft(editor, { id, title: post.title });
  const row = { ...post, image_url: address, draft_version: saved_at };
  await editor.from("posts").insert(row).throwOnError();
  expect((await editor.from("drafts").select("thing").eq("thing", id)).data).toEqual([]);
  const read = async () => (await visitor.from("posts").select("image_url").eq("slug", id)).data;
  expect(await read()).toEqual([{ image_url: `images/${path}` }]);
  await images.remove([path]);
  expect((await fetch(`${address}?used`)).ok).toBe(true);

  await editor.from("posts").delete().eq("id", id).throwOnError();
  expect(await read()).toEqual([]);
  const moved = await images.move(path, path, { destinationBucket: "deleted-images" });
  expect(moved.error).toBeNull();
  expect((await fetch(`${address}?deleted`)).ok).toBe(false);
  await admin.storage.from("deleted-images").remove([path]);
});

test("an SVG image is not stored", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const images = editor.storage.from("images");
  const path = `public/${randomUUID()}.svg`;
  expect((await images.upload(path, svg, { contentType: "image/svg+xml" })).error).not.toBeNull();
});

test("a visitor's message reaches the inbox, and an assistant answers and deletes it", async () => {
  const name = `Test ${randomUUID()}`;
  const message = { name, email: "test@example.com", phone: "", message: "A test of the project." };
  const sent = await visitor.functions.invoke("send-email", { body: JSON.stringify(message) });
  expect(sent.error && (await sent.error.context.text())).toBeNull();
  const find = { query: name, filter: "all", first: 0, count: 1 };
  const [found] = (await assistant.rpc("search_messages", find).throwOnError()).data.rows;
  expect(found).toMatchObject({ ...message, phone: null });
  const stored = () => assistant.from("contact_messages");
  const answered_at = new Date().toISOString();
  await stored().update({ answered_at }).eq("id", found.id).throwOnError();
  await stored().delete().eq("id", found.id).throwOnError();
  expect((await stored().select("id").eq("id", found.id)).data).toEqual([]);

  const spam = await visitor.functions.invoke("send-email/spam", { body: JSON.stringify(message) });
  expect(spam.error && (await spam.error.context.text())).toBeNull();
  const search = { ...find, filter: "spam" };
  const [kept] = (await assistant.rpc("search_messages", search).throwOnError()).data.rows;
  expect(kept).toMatchObject({ ...message, phone: null, spam_at: expect.any(String) });
  await stored().delete().eq("id", kept.id).throwOnError();
});
