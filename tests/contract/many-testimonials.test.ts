// A hosted project returns at most 1,000 rows per request: paging must still reach every review.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  countTestimonialPages,
  loadTestimonials,
} from "../../app/testimonials/load-testimonials.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

const count = 1200;
let project: Project;
let visitor: ReturnType<typeof openClient>;
const mark = randomUUID();

beforeAll(async () => {
  project = await startProject();
  visitor = openClient(project);
  for (let first = 0; first < count; first += 400) {
    const rows = Array.from({ length: 400 }, (_, index) => ({
      id: randomUUID(),
      name: mark,
      content: `Review ${first + index}`,
      rating: 5,
      // Groups of ten have the same time: their order must be the same on every page.
      created_at: new Date(
        Date.UTC(2020, 0, 1) + Math.floor((first + index) / 10) * 60_000,
      ).toISOString(),
    }));
    expect((await visitor.from("testimonials").insert(rows)).error).toBeNull();
  }
});

afterAll(async () => {
  const owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
  await owner.from("testimonials").delete().eq("name", mark);
  await project.stop();
});

test("paging shows each of 1,200 reviews once, newest first, after the samples", async () => {
  const shown: string[] = [];
  let page = 1;
  for (; ; page++) {
    const list = await loadTestimonials(visitor, page);
    expect(list.failed).toBe(false);
    // The five samples are on the first page.
    expect(list.stored.length).toBeLessThanOrEqual(page === 1 ? 19 : 24);
    shown.push(...list.stored.filter(({ name }) => name === mark).map(({ content }) => content));
    if (!list.hasNext) break;
  }
  expect(shown).toHaveLength(count);
  expect(new Set(shown).size).toBe(count);
  const groups = shown.map((content) => Math.floor(Number(content.split(" ").at(-1)) / 10));
  expect(groups).toEqual(groups.toSorted((a, b) => b - a));

  const { count: stored } = await visitor
    .from("testimonials")
    .select("id", { count: "exact", head: true });
  expect(countTestimonialPages(stored ?? 0)).toBe(page);
});

test("a page beyond the last is empty, not an error", async () => {
  expect(await loadTestimonials(visitor, 5000)).toMatchObject({
    stored: [],
    hasNext: false,
    failed: false,
  });
});
