// A hosted project returns at most 1,000 rows per request: paging must still reach every row.
import { randomUUID } from "node:crypto";
import { afterAll, assert, beforeAll, expect, test } from "vitest";
import { countPages } from "../../app/loading/load-page.ts";
import { listCategories } from "../../app/posts/categories.ts";
import { readCategoryPosts, readPosts, searchPosts } from "../../app/posts/post-lists.ts";
import { blogPaging } from "../../app/posts/posts.ts";
import { readTestimonials, testimonialPaging } from "../../app/testimonials/testimonials.ts";
import { setUpProject } from "../start-project.ts";

const postCount = 2000;
const reviewCount = 1200;
const mark = randomUUID();
const { visitor, owner, admin } = await setUpProject();

beforeAll(async () => {
  // Uses the secret key, because the database sets the times of what others write.
  for (let first = 0; first < postCount; first += 400) {
    const posts = Array.from({ length: 400 }, (_, index) => ({
      slug: `${mark}-${first + index}`,
      title: `Post ${first + index}`,
      category: mark,
      author: "Ada Author",
      created_at: timeOf(first + index),
    }));
    await admin.from("posts").insert(posts).throwOnError();
  }
  for (let first = 0; first < reviewCount; first += 400) {
    const reviews = Array.from({ length: 400 }, (_, index) => ({
      id: randomUUID(),
      name: mark,
      content: `Review ${first + index}`,
      rating: 5,
      created_at: timeOf(first + index),
    }));
    await admin.from("testimonials").insert(reviews).throwOnError();
  }
});

afterAll(async () => {
  await owner.from("posts").delete().eq("category", mark);
  await owner.from("testimonials").delete().eq("name", mark);
});

/** Groups of ten have the same time: their order must be the same on every page. */
function timeOf(index: number): string {
  return new Date(Date.UTC(2020, 0, 1) + Math.floor(index / 10) * 60_000).toISOString();
}

/** @param indexes of the rows in the order in which they were shown */
function expectEachOnceNewestFirst(indexes: number[], count: number): void {
  expect(indexes).toHaveLength(count);
  expect(new Set(indexes).size).toBe(count);
  const groups = indexes.map((index) => Math.floor(index / 10));
  expect(groups).toEqual(groups.toSorted((a, b) => b - a));
}

/** All rows that a visitor sees page by page, and the number of pages. */
async function readAll<Row>(
  read: (page: number) => Promise<{ rows: Row[]; hasNext: boolean }>,
  mostOnFirst: number,
) {
  const shown: Row[] = [];
  for (let page = 1; ; page++) {
    const { rows, hasNext } = await read(page);
    expect(rows.length).toBeLessThanOrEqual(page === 1 ? mostOnFirst : 24);
    shown.push(...rows);
    if (!hasNext) return { shown, pages: page };
  }
}

test("paging shows each of 2,000 posts once, newest first", async () => {
  // The first page starts with a wide post.
  const { shown, pages } = await readAll((page) => readPosts(visitor, page), 25);
  expect(countPages(shown.length, blogPaging)).toBe(pages);
  const ours = shown.filter(({ slug }) => slug.startsWith(mark));
  expectEachOnceNewestFirst(
    ours.map(({ slug }) => Number(slug.split("-").at(-1))),
    postCount,
  );
});

test("paging shows each of 1,200 reviews once, newest first, after the samples", async () => {
  // The five samples are on the first page.
  const { shown, pages } = await readAll((page) => readTestimonials(visitor, true, page), 19);
  expectEachOnceNewestFirst(
    shown
      .filter(({ name }) => name === mark)
      .map(({ content }) => Number(content.split(" ").at(-1))),
    reviewCount,
  );
  const { count: stored } = await visitor
    .from("testimonials")
    .select("id", { count: "exact", head: true });
  expect(countPages(stored ?? 0, testimonialPaging(true))).toBe(pages);
});

test("a page beyond the last is the last one", async () => {
  const categories = await listCategories(visitor);
  const beyond = async (page: number) => ({
    posts: await readPosts(visitor, page),
    category: await readCategoryPosts(visitor, categories, mark, page),
    found: await searchPosts(visitor, "post", page),
    reviews: await readTestimonials(visitor, true, page),
    ofOwner: await readTestimonials(owner, true, page),
  });
  for (const [list, result] of Object.entries(await beyond(5000))) {
    assert(result, list);
    const { rows, page, hasNext, isBeyondLast } = "list" in result ? result.list : result;
    expect([list, rows.length > 0, hasNext, isBeyondLast]).toEqual([list, true, false, true]);
    expect([list, page > 40 && page < 110]).toEqual([list, true]);
  }
});

test("a range beyond the end is rejected when the rows are counted, as PostgREST does", async () => {
  const rows = visitor.from("posts").select("id", { count: "exact" }).range(100_000, 100_001);
  expect(await rows).toMatchObject({ status: 416, error: { code: "PGRST103" } });
  const uncounted = visitor.from("posts").select("id").range(100_000, 100_001);
  expect(await uncounted).toMatchObject({ status: 200, data: [] });
});
