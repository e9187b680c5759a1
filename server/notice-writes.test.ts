import { expect, test } from "vitest";
import { noticeWrites } from "./notice-writes.ts";

async function noticed(method: string, path: string, status = 201): Promise<string[]> {
  const tables: string[] = [];
  const fetch = noticeWrites(
    async () => new Response(null, { status }),
    ["posts", "testimonials"],
    (table) => tables.push(table),
  );
  await fetch(new Request(`http://127.0.0.1${path}`, { method }));
  return tables;
}

test("a write to a shown table is noticed", async () => {
  expect(await noticed("POST", "/rest/v1/testimonials?select=*")).toEqual(["testimonials"]);
  expect(await noticed("PATCH", "/rest/v1/posts?id=eq.1")).toEqual(["posts"]);
  expect(await noticed("DELETE", "/rest/v1/posts?id=eq.1")).toEqual(["posts"]);
});

test("a read, a refused write and a write elsewhere are not", async () => {
  expect(await noticed("GET", "/rest/v1/posts", 200)).toEqual([]);
  expect(await noticed("POST", "/rest/v1/posts", 401)).toEqual([]);
  expect(await noticed("POST", "/rest/v1/contact_messages")).toEqual([]);
  expect(await noticed("POST", "/auth/v1/token", 200)).toEqual([]);
});
