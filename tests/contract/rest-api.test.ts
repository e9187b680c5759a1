// The REST endpoint of the embedded backend: the size of its rows, and what it reports as changed.
import { randomUUID } from "node:crypto";
import { maxRows, readRestApi } from "embedded-supabase/rest/rest-api.ts";
import { expect, test } from "vitest";
import { embeddedConfig } from "../../embedded.config.ts";
import { openClient, setUpProject } from "../start-project.ts";

const { project, sql, owner } = await setUpProject();
const changed: string[] = [];
project.backend?.onRowsChanged((table) => changed.push(table));

test("the longest row that the constraints allow fits the grammar's row size", async () => {
  const id = randomUUID();
  const long = (count: number) => "\u0001".repeat(count);
  const line = "😀".repeat(100);
  const longest = { id, name: line, role: line, content: long(5000), rating: 5 };
  expect((await openClient(project).from("testimonials").insert(longest)).error).toBeNull();
  const address = `${project.url}/rest/v1/testimonials?id=eq.${id}`;
  const response = await fetch(address, { headers: { apikey: project.anonKey } });
  const { testimonials } = (await readRestApi(sql, embeddedConfig.rest)).tables;
  const most = testimonials ? maxRows(testimonials, Object.keys(testimonials.columns)) : 0;
  expect((await response.arrayBuffer()).byteLength * most).toBeLessThan(16 * 1024 * 1024);
  await sql`delete from public.testimonials where id = ${id}`;
});

test("only a write that changed rows is reported", async () => {
  const visitor = openClient(project);
  const headers = { apikey: project.anonKey, "content-type": "application/json" };
  const send = (method: string, target: string, body?: string) =>
    fetch(`${project.url}/rest/v1/${target}`, { method, headers, body });
  changed.length = 0;

  expect((await send("POST", "testimonials", "[]")).status).toBe(201);
  expect((await send("POST", "posts", "[]")).ok).toBe(true);
  await send("PATCH", "posts?id=not.is.null", '{"title":"Mine"}');
  await send("PATCH", "posts?id=not.is.null", "{}");
  await send("DELETE", "posts?id=not.is.null");
  await send("DELETE", "testimonials?id=not.is.null");
  await send("POST", "testimonials", '{"name":"Ada","content":"Kind.","rating":9}');
  expect(changed).toEqual([]);

  const [first, second] = [randomUUID(), randomUUID()];
  const review = { name: "Ada", content: "Kind.", rating: 5 };
  await visitor.from("testimonials").insert({ ...review, id: first });
  await visitor
    .from("testimonials")
    .insert({ ...review, id: second })
    .select();
  expect(changed).toEqual(["testimonials", "testimonials"]);

  await owner.from("testimonials").delete().eq("id", first).select("id");
  await owner.from("testimonials").delete().eq("id", second);
  await owner.from("testimonials").delete().eq("id", second);
  expect(changed).toHaveLength(4);
});

test("a filter on a boolean column finds the rows that have the value", async () => {
  const posts = () => openClient(project).from("posts").select("is_sample");
  expect((await posts().is("is_sample", true)).data).toContainEqual({ is_sample: true });
  expect((await posts().is("is_sample", false)).data).not.toContainEqual({ is_sample: true });
});
