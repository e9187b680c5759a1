// The site as `npm start` runs it: a request that exceeds a limit is rejected with a 4xx that names the limit, and a page
// of another site cannot make a visitor's browser write here.
import { connect } from "node:net";
import { createClient } from "@supabase/supabase-js";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { type RawRequest, sendRaw } from "../fuzz/raw-request.ts";
import { startNewSite, stopSite } from "../start-site.ts";

const site = await startNewSite({}, { hideErrors: true });
afterAll(() => site.stop());
const { port, url, anonKey } = site;

const json: RawRequest["headers"] = [["Content-Type", "application/json"]];
const kilobytes = (count: number) => "x".repeat(count * 1024);

function post(path: string, body: string, headers = json): RawRequest {
  return { method: "POST", path, headers, body };
}

function get(path: string, headers: RawRequest["headers"] = []): RawRequest {
  return { method: "GET", path, headers, body: "" };
}

/** A body without a declared length. The server has to count it while it arrives. */
function chunked(path: string, content: string): RawRequest {
  const body = `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`;
  return { method: "POST", path, headers: [...json, ["Transfer-Encoding", "chunked"]], body };
}

const brackets = "[".repeat(65) + "]".repeat(65);
type TooMuch = [what: string, request: RawRequest, status: number, says: RegExp];

function declaredAndChunked(what: string, path: string, size: number, says: RegExp): TooMuch[] {
  return [
    [what, post(path, kilobytes(size)), 413, says],
    [`${what}, chunked,`, chunked(path, kilobytes(size)), 413, says],
  ];
}

const tooMuch: TooMuch[] = [
  ...declaredAndChunked("a REST body over 1 MB", "/rest/v1/posts", 1025, /at most 1 MB/),
  ...declaredAndChunked("a message over 64 kB", "/functions/v1/send-email", 65, /at most 64 kB/),
  ...declaredAndChunked("a page body over 64 kB", "/contact", 65, /more than a page can take/),
  ["an Auth body over 64 kB", post("/auth/v1/token", kilobytes(65)), 413, /at most 64 kB/],
  ["a list of files over 1 MB", post("/storage/v1/object/move", kilobytes(1025)), 413, /at most 1/],
  ["deep JSON for REST", post("/rest/v1/posts", brackets), 400, /more than 64 levels/],
  ["deep JSON for Auth", post("/auth/v1/signup", `{"a":${brackets}}`), 400, /more than 64 levels/],
  ["deep JSON in a message", post("/functions/v1/send-email", brackets), 400, /more than 64/],
  ["a body that is not UTF-8", post("/rest/v1/posts", '{"title":"\xff\xfe"}'), 400, /UTF-8/],
  ["an address of 9 kB", get(`/blog/${kilobytes(9)}`), 414, /address is too long/],
  ["a REST address of 9 kB", get(`/rest/v1/posts?a=${kilobytes(9)}`), 414, /address/],
  ["an address of 17 kB", get(`/${kilobytes(17)}`), 431, /address or the headers are too long/],
  ["headers of 17 kB", get("/", [["X-Long", kilobytes(17)]]), 431, /headers are too long/],
  ["an unsupported method", { ...get("/"), method: "TRACE" }, 405, /method is not offered/],
  ["a CONNECT tunnel", { ...get("example.com:443"), method: "CONNECT" }, 405, /no proxy/],
  [
    "bytes that are not HTTP",
    { ...get("/"), method: "\x16\x03\x01" },
    400,
    /could not be understood/,
  ],
  ["a null character in a path", get("/blog/%00"), 404, /no such address/],
  ["an incomplete percent escape", get("/blog/%E0%A4%A"), 404, /no such address/],
  ["a null character in a filter", get("/rest/v1/posts?slug=eq.%00"), 400, /null character/],
];

test.each(tooMuch)("%s is rejected with a message", async (_what, request, status, says) => {
  const response = await sendRaw(port, request);
  expect(response.status).toBe(status);
  expect(response.text).toMatch(says);
});

test("errors of the API have the form that each client reads", async () => {
  const shapes: [path: string, fields: string[]][] = [
    ["/rest/v1/posts", ["code", "details", "hint", "message"]],
    ["/auth/v1/token", ["code", "error_code", "msg"]],
    ["/functions/v1/send-email", ["error"]],
  ];
  for (const [path, fields] of shapes) {
    const response = await fetch(url + path, {
      method: "POST",
      body: kilobytes(1025),
    });
    expect(Object.keys(await response.json()).toSorted()).toEqual(fields);
  }
});

test("a declared length over the limit is rejected before anything is sent", async () => {
  const headers: RawRequest["headers"] = [...json, ["Content-Length", "99999999"]];
  const response = await sendRaw(port, { ...post("/auth/v1/token", ""), headers });
  expect(response.status).toBe(413);
});

test("two lengths at once, as in request smuggling, are rejected", async () => {
  const both: RawRequest["headers"] = [
    ["Content-Length", "4"],
    ["Transfer-Encoding", "chunked"],
  ];
  const response = await sendRaw(
    port,
    post("/rest/v1/posts", "0\r\n\r\nGET / HTTP/1.1\r\n\r\n", both),
  );
  expect(response.status).toBe(400);
  expect(response.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});

test("idle connections do not block others", async () => {
  const silent = Array.from({ length: 200 }, () => connect(port, "127.0.0.1"));
  for (const socket of silent) socket.on("error", () => {});
  await Promise.all(
    silent.map((socket) => new Promise((resolve) => socket.once("connect", resolve))),
  );
  expect((await sendRaw(port, get("/"))).status).toBe(200);
  for (const socket of silent) socket.destroy();
});

test("client errors are not logged", { tags: "long" }, async () => {
  const noisy = await startNewSite({}, { readOutput: true });
  onTestFinished(noisy.stop);
  const headers: RawRequest["headers"] = [...json, ["apikey", noisy.anonKey]];
  const wrong = [
    get("/rest/v1/posts?or=(visitors-words", headers),
    get("/rest/v1/posts?title=visitors-words", headers),
    get("/rest/v1/visitors-words", headers),
    post("/rest/v1/testimonials", '{"visitors-words":1}', headers),
    post("/auth/v1/token?grant_type=password", '"visitors-words"', headers),
    post("/functions/v1/send-email", '{"name":"visitors-words"}', headers),
    post("/services/life-insurance", "visitors-words"),
    get("/visitors-words.data?_routes=visitors-words"),
    { ...get("/contact"), method: "PUT" },
  ];
  for (const request of wrong) await sendRaw(noisy.port, request);
  await stopSite(noisy.process);
  expect(noisy.output).not.toContain("visitors-words");
  expect(noisy.output.split("\n").filter((line) => /"level":"(error|warning)"/.test(line))).toEqual(
    [],
  );
});

const message = { name: "Mallory", email: "m@example.com", message: "Sent by another page." };
const review = { name: "Mallory", content: "Sent by another page.", rating: 1 };

const writes: [path: string, body: unknown][] = [
  ["/functions/v1/send-email", message],
  ["/rest/v1/testimonials", review],
  ["/auth/v1/token?grant_type=password", { email: "owner@example.com", password: "guess" }],
  ["/auth/v1/recover", { email: "owner@example.com" }],
  ["/storage/v1/object/images/public/a.png", "x"],
];

async function countOf(table: string): Promise<number | null> {
  const client = createClient(url, site.secretKey);
  const { count } = await client
    .from(table)
    .select("*", { count: "exact", head: true })
    .eq("name", "Mallory");
  return count;
}

// server/request-checks.test.ts has the headers by which a page of another site is told from one of the site.
test("nothing is written by a page of another site", async () => {
  for (const [path, body] of writes) {
    const response = await fetch(url + path, {
      method: "POST",
      headers: {
        ...{ "content-type": "text/plain", apikey: anonKey },
        ...{ "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      },
      body: JSON.stringify(body),
    });
    expect([path, response.status]).toEqual([path, 403]);
    expect(await response.json()).toMatchObject({ code: "cross_site" });
  }
  expect(await countOf("contact_messages")).toBe(0);
  expect(await countOf("testimonials")).toBe(0);
});

test("no response of the backend has CORS headers that let another site read it", async () => {
  const paths = ["/rest/v1/posts?select=id", "/rest/v1/nothing", "/auth/v1/user"];
  paths.push(
    "/storage/v1/object/public/images/a.png",
    "/functions/v1/send-email",
    "/auth/v1/nothing",
  );
  for (const path of paths) {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const response = await fetch(url + path, {
        method,
        headers: {
          apikey: anonKey,
          origin: method === "GET" ? "https://evil.example" : url,
          "access-control-request-method": "POST",
          "access-control-request-headers": "apikey",
        },
      });
      const names = [...response.headers.keys()].filter((name) =>
        name.startsWith("access-control"),
      );
      expect([method, path, names]).toEqual([method, path, []]);
    }
  }
});
