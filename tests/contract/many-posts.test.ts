// A hosted project returns at most 1,000 rows per request: paging must still reach every post.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blogPage, countPostPages, loadPosts } from "../../app/posts/load-posts.ts";
import { getPostBySlug } from "../../app/posts/posts.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

const count = 2000;
let project: Project;
let visitor: ReturnType<typeof openClient>;
const mark = randomUUID();

beforeAll(async () => {
  project = await startProject();
  visitor = openClient(project);
  const owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
  for (let first = 0; first < count; first += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      slug: `${mark}-${first + index}`,
      title: `Post ${first + index}`,
      category: mark,
      author: "Nora Whitfield",
      // Groups of ten have the same time: their order must be the same on every page.
      created_at: new Date(
        Date.UTC(2020, 0, 1) + Math.floor((first + index) / 10) * 60_000,
      ).toISOString(),
    }));
    expect((await owner.from("posts").insert(rows)).error).toBeNull();
  }
});

afterAll(async () => {
  const owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
  await owner.from("posts").delete().eq("category", mark);
  await project.stop();
});

test("paging shows each of 2,000 posts once, newest first", async () => {
  const shown: string[] = [];
  let page = 1;
  for (; ; page++) {
    const list = await loadPosts(visitor, blogPage(page));
    expect(list.failed).toBe(false);
    // The first page opens with a wide post.
    expect(list.posts.length).toBeLessThanOrEqual(page === 1 ? 25 : 24);
    shown.push(...list.posts.map(({ slug }) => slug));
    if (!list.hasNext) break;
  }
  expect(countPostPages(shown.length)).toBe(page);
  const ours = shown.filter((slug) => slug.startsWith(mark));
  expect(ours).toHaveLength(count);
  expect(new Set(ours).size).toBe(count);
  const groups = ours.map((slug) => Math.floor(Number(slug.split("-").at(-1)) / 10));
  expect(groups).toEqual(groups.toSorted((a, b) => b - a));
});

test("a page beyond the last is empty, not an error", async () => {
  expect(await loadPosts(visitor, blogPage(5000))).toMatchObject({
    posts: [],
    hasNext: false,
    failed: false,
  });
});

test("the oldest post can be opened", async () => {
  expect((await getPostBySlug(visitor, `${mark}-0`))?.title).toBe("Post 0");
});
