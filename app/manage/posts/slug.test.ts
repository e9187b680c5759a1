import fc from "fast-check";
import { expect, test } from "vitest";
import { slugify } from "../../posts/slugify.ts";
import { saveWithFreeSlug, toSlugCharacters } from "./slug.ts";

test("what is typed as a slug has only characters that the database accepts", () => {
  expect(toSlugCharacters("My Café / 2027?")).toBe("My-Caf--2027");
});

/** Saves a title; @returns the slugs that were tried, the saved one last. */
async function slugsTried(slug: string, ...taken: string[]): Promise<string[]> {
  const tried: string[] = [];
  await saveWithFreeSlug(
    slug,
    async (candidate) => taken.includes(candidate),
    async (free) => {
      tried.push(free);
      return { error: null };
    },
  );
  return tried;
}

test("a taken slug gets the first free number", async () => {
  expect(await slugsTried("a-title", "a-title", "a-title-1")).toEqual(["a-title-2"]);
});

test("a post titled New or Category does not get the slug of a page", async () => {
  expect(await slugsTried("new")).toEqual(["new-1"]);
  expect(await slugsTried("category")).toEqual(["category-1"]);
});

test("a slug that was taken after the check gets the next number; any other error ends the search", async () => {
  const errors = [
    'duplicate key value violates unique constraint "posts_slug_key"',
    'duplicate key value violates unique constraint "posts_pkey"',
  ].map((message) => Object.assign(new Error(message), { code: "23505" }));
  const tried: string[] = [];
  const saving = saveWithFreeSlug(
    "a-title",
    async () => false,
    async (free) => ({ error: errors[tried.push(free) - 1] ?? null }),
  );
  await expect(saving).rejects.toBe(errors[1]);
  expect(tried).toEqual(["a-title", "a-title-1"]);
});

test("an error of the check aborts the search", async () => {
  const failure = new Error("offline");
  const saving = saveWithFreeSlug("a-title", () => Promise.reject(failure), expect.unreachable);
  await expect(saving).rejects.toBe(failure);
});

test("whatever is taken, the result is free and starts with the slug", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.nat(20), async (title, count) => {
      const slug = slugify(title);
      const taken = Array.from({ length: count }, (_, n) => (n === 0 ? slug : `${slug}-${n}`));
      const [free = ""] = await slugsTried(slug, ...taken);
      expect(taken).not.toContain(free);
      expect(free.startsWith(slug)).toBe(true);
    }),
  );
});
