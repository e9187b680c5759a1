import { expect, test } from "vitest";
import { HttpError } from "../errors.ts";
import type { RestApi } from "./rest-api.ts";
import { parseRestRequest } from "./rest-request.ts";

const json = { "content-type": "application/json" };

const api: RestApi = {
  tables: {
    posts: {
      columns: { id: 40, slug: 600, title: 3000, category: 600, updated_at: 40, content: 500_000 },
      filters: { id: ["eq", "neq"], slug: ["eq", "in"], category: ["eq"], title: ["eq"] },
      order: ["created_at", "id"],
    },
    slugs: { columns: { slug: 600 }, filters: {}, order: [] },
    comments: {
      columns: { id: 40, name: 600, role: 600, rating: 40, content: 30_000, created_at: 40 },
      filters: { name: ["eq"] },
      order: ["created_at", "id"],
    },
    messages: {
      columns: { id: 40, read_at: 40 },
      filters: { id: ["is"], read_at: ["is"] },
      order: [],
    },
  },
  functions: { is_owner: { arguments: [] }, make_owner: { arguments: ["id"] } },
};

async function parse(method: string, target: string, headers = {}, body?: string) {
  const url = `http://site.example/rest/v1/${target}`;
  return parseRestRequest(api, new Request(url, { method, headers, body }));
}

/** The decoded query that is built for the library. */
async function queryOf(method: string, target: string, headers = {}, body?: string) {
  const { request } = await parse(method, target, headers, body);
  const { pathname, search } = new URL(request.url);
  return pathname.replace("/rest/v1/", "") + decodeURIComponent(search.replaceAll("+", " "));
}

async function errorOf(method: string, target: string, headers = {}, body?: string) {
  const error: unknown = await parse(method, target, headers, body).catch((thrown) => thrown);
  return error instanceof HttpError ? `${error.status} ${error.code}` : "accepted";
}

test.each([
  [
    "comments?select=*&order=created_at.desc,id.asc&offset=0&limit=5",
    "comments?select=*&order=created_at.desc,id.asc&offset=0&limit=5",
  ],
  [
    "posts?select=slug&slug=eq.a-plan&id=neq.7",
    'posts?select=slug&slug=eq."a-plan"&id=neq."7"&limit=1000',
  ],
  ["posts?slug=eq.true", 'posts?slug=eq."true"&limit=33'],
  [
    'posts?select=slug&slug=in.(a,"b,\\"c\\"",)',
    'posts?select=slug&slug=in.("a","b,\\"c\\"","")&limit=1000',
  ],
  // As PostgREST reads what supabase-js sends for `a"b`, `back\slash, comma`, ` lead` and `a", b`.
  [
    'posts?select=slug&slug=in.(a"b,"back\\slash, comma", lead)',
    'posts?select=slug&slug=in.("a\\"b","backslash, comma"," lead")&limit=1000',
  ],
  [
    'posts?select=slug&slug=in.( lead,"a"b, c")',
    'posts?select=slug&slug=in.("lead","\\"a\\"b"," c\\"")&limit=1000',
  ],
  ["posts?select=slug&slug=in.()", "posts?select=slug&slug=in.()&limit=1000"],
  ["messages?select=id&read_at=is.null", "messages?select=id&read_at=is.null&limit=1000"],
  ["messages?select=id&id=not.is.null&limit=5000", "messages?select=id&id=not.is.null&limit=1000"],
])("GET %s is parsed", async (target, expected) => {
  expect(await queryOf("GET", target)).toBe(expected);
});

test.each([
  ["a regular expression", "comments?content=match.^(.%2B)\\1$"],
  ["a pattern", "comments?name=ilike.*a*b*c*"],
  ["text search", "posts?title=fts.plan"],
  ["a filter of a long column", "posts?content=eq.[]"],
  ["a cast", 'posts?select=title::"char(10485760)"'],
  ["an alias", "posts?select=a:title"],
  ["a JSON path", "posts?select=content->0"],
  ["an aggregate", "posts?select=id.count()"],
  ["an embedded table", "slugs?select=*,posts(*)"],
  ["a spread", "slugs?select=...posts(*)"],
  ["a repeated column", "posts?select=id,id"],
  ["a repeated parameter", "posts?slug=eq.a&slug=eq.b"],
  ["the same parameter in another spelling", "posts?slug=eq.a&sl%75g=eq.b"],
  ["logic", "posts?or=(id.eq.1,id.eq.2)"],
  ["a filter on an embedded table", "posts?slugs.slug=eq.a"],
  ["a quantifier", "posts?slug=eq(any).{a,b}"],
  ["negation", "posts?slug=not.eq.a"],
  ["an order that needs a sort", "posts?order=content.asc"],
  ["an order of null values", "posts?order=id.asc.nullsfirst"],
  ["an order twice", "posts?order=id.asc,id.desc"],
  ["a negative limit", "posts?limit=-1"],
  ["an endless offset", "posts?offset=99999999999"],
  ["a list without its end", "posts?slug=in.(a"],
  ["a list in a list", "posts?slug=in.((a),b)"],
  ["a very long value", `posts?slug=eq.${"a".repeat(1001)}`],
  ["two hundred and one values", `posts?slug=in.(${"a,".repeat(200)}a)`],
  ["the conflict target", "posts?on_conflict=id"],
  ["the key as a parameter", "posts?apikey=x"],
])("%s is rejected", async (_what, target) => {
  expect(await errorOf("GET", target)).toMatch(/^400 (PGRST100|42703)$/);
});

test.each([
  ["GET", "nothing", {}, "404 PGRST205"],
  ["GET", "constructor", {}, "404 PGRST205"],
  ["GET", "", {}, "404 PGRST125"],
  ["GET", "posts/", {}, "404 PGRST125"],
  ["GET", "%70osts", {}, "404 PGRST125"],
  ["GET", "posts?select=nothing", {}, "400 42703"],
  ["GET", "posts?select=__proto__", {}, "400 42703"],
  ["GET", "posts?toString=eq.a", {}, "400 42703"],
  ["GET", "posts", { "accept-profile": "auth" }, "406 PGRST106"],
  ["GET", "posts", { accept: "text/csv" }, "406 PGRST107"],
  ["GET", "posts", { accept: "application/vnd.pgrst.plan+json" }, "406 PGRST107"],
  ["PUT", "posts", json, "405 PGRST117"],
  ["DELETE", "posts", {}, "400 21000"],
  ["DELETE", "posts?id=eq.1&limit=1", {}, "400 PGRST100"],
  ["DELETE", "posts?category=eq.a", { prefer: "return=representation" }, "400 PGRST100"],
  ["POST", "rpc/nothing", {}, "404 PGRST202"],
  ["GET", "rpc/is_owner", {}, "405 PGRST117"],
  ["POST", "rpc/is_owner?select=a", {}, "400 PGRST100"],
])("%s %s with %j fails with %s", async (method, target, headers, expected) => {
  expect(await errorOf(method, target, headers)).toBe(expected);
});

test.each([
  ["an unknown column", '{"no":1}', "400 PGRST204"],
  ["an inherited name", '{"__proto__":{}}', "400 PGRST204"],
  ["invalid JSON", "{", "400 PGRST102"],
  ["nothing", "", "400 PGRST102"],
  ["half a surrogate pair", '{"name":"a\\ud800"}', "400 PGRST102"],
  ["half a surrogate pair in a list", '[{"name":["\\udc00\\ud83c"]}]', "400 PGRST102"],
  ["a whole surrogate pair", '{"name":"\\ud83c\\udfe0"}', "accepted"],
  ["a list in a list", "[[]]", "400 PGRST102"],
  ["a text", '"a"', "400 PGRST102"],
])("inserting %s, as %s, has the outcome %s", async (_what, body, expected) => {
  expect(await errorOf("POST", "comments", json, body)).toBe(expected);
});

test("rows that are inserted together get null, not the default, for a column that only others have", async () => {
  const body = '[{"name":"Ada","rating":5},{"name":"Ben","role":"Engineer"}]';
  const { request } = await parse("POST", "comments", json, body);
  expect(await request.json()).toEqual([
    { name: "Ada", rating: 5, role: null },
    { name: "Ben", rating: null, role: "Engineer" },
  ]);
  const same = '[{"name":"Ada"},{"name":"Ben"}]';
  expect(await (await parse("POST", "comments", json, same)).request.text()).toBe(same);
});

test("a form on another site cannot insert, because its content type is not JSON", async () => {
  expect(await errorOf("POST", "comments", { "content-type": "text/plain" }, "{}")).toBe(
    "415 PGRST102",
  );
});

test("a function is called with exactly its arguments", async () => {
  expect(await queryOf("POST", "rpc/make_owner", json, '{"id":"1"}')).toBe("rpc/make_owner");
  expect(await errorOf("POST", "rpc/make_owner", json, '{"id":"1","x":1}')).toBe("404 PGRST202");
  expect(await errorOf("POST", "rpc/make_owner", json, "[]")).toBe("404 PGRST202");
});

test("the library receives only headers that the grammar has parsed", async () => {
  const { request } = await parse("GET", "posts?select=id", {
    apikey: "key",
    authorization: "Bearer token",
    prefer: "count=exact, tx=rollback, timezone=Mars/Phobos, max-affected=1",
    range: "0-0",
    "x-http-method-override": "DELETE",
  });
  expect(Object.fromEntries(request.headers)).toEqual({
    accept: "application/json",
    apikey: "key",
    authorization: "Bearer token",
    prefer: "count=exact",
  });
});

test("a write without returned rows requests their count", async () => {
  const { request } = await parse("PATCH", "posts?id=eq.1", json, "{}");
  expect(request.headers.get("prefer")).toBe("return=minimal, count=exact");
});
