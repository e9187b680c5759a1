// Editing a title changes the post's slug. The database keeps the former slugs for good.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findPost } from "../../app/posts/find-post.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

let project: Project;
let visitor: ReturnType<typeof openClient>;
let owner: ReturnType<typeof openClient>;
const mark = randomUUID();
const slugOf = (name: string) => `${name}-${mark}`;

beforeAll(async () => {
  project = await startProject();
  visitor = openClient(project);
  owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
});

afterAll(async () => {
  await owner.from("posts").delete().eq("category", mark);
  await project.stop();
});

async function add(name: string): Promise<string> {
  const id = randomUUID();
  const row = { id, slug: slugOf(name), title: name, category: mark, author: "A" };
  expect((await owner.from("posts").insert(row)).error).toBeNull();
  return id;
}

async function rename(id: string, name: string): Promise<void> {
  const { error } = await owner
    .from("posts")
    .update({ slug: slugOf(name) })
    .eq("id", id);
  expect(error).toBeNull();
}

/** What an address resolves to: the post's id, the slug that it moved to, or nothing. */
async function lookUp(name: string): Promise<string | null> {
  const found = await findPost(visitor, slugOf(name));
  if (!found) return null;
  return "movedTo" in found ? `moved to ${found.movedTo.replace(`-${mark}`, "")}` : found.id;
}

test("after two renames both former slugs lead directly to the newest", async () => {
  const id = await add("one");
  await rename(id, "two");
  await rename(id, "three");

  expect(await lookUp("one")).toBe("moved to three");
  expect(await lookUp("two")).toBe("moved to three");
  expect(await lookUp("three")).toBe(id);
});

test("a post that takes its former slug back owns it again", async () => {
  const id = await add("back");
  await rename(id, "forth");
  await rename(id, "back");

  expect(await lookUp("back")).toBe(id);
  expect(await lookUp("forth")).toBe("moved to back");
});

test("a new post may take a former slug and owns it", async () => {
  const first = await add("wanted");
  await rename(first, "given-up");
  const second = await add("wanted");

  expect(await lookUp("wanted")).toBe(second);
  await rename(second, "moved-on");
  expect(await lookUp("wanted")).toBe("moved to moved-on");
  expect(await lookUp("given-up")).toBe(first);
});

test("an edit that keeps the slug stores no former slug", async () => {
  const id = await add("steady");
  await owner
    .from("posts")
    .update({ slug: slugOf("steady"), title: "Edited" })
    .eq("id", id);

  expect(await lookUp("steady")).toBe(id);
  const { data } = await visitor.from("post_slugs").select("slug").eq("post_id", id);
  expect(data).toEqual([]);
});

test("the former slugs of a deleted post are deleted with it", async () => {
  const id = await add("doomed");
  await rename(id, "still-doomed");
  await owner.from("posts").delete().eq("id", id);

  expect(await lookUp("doomed")).toBeNull();
  const { data } = await visitor.from("post_slugs").select("slug").eq("post_id", id);
  expect(data).toEqual([]);
});
