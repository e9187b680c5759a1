import { Hono } from "hono";
import { expect, test } from "vitest";
import { guardBackendWrites, guardPagePosts } from "./request-checks.ts";

const app = new Hono();
app.use("/functions/v1/*", guardBackendWrites);
app.use("/contact", guardPagePosts);
app.all("*", async ({ req, text }) =>
  text(`${await req.raw.text()} ${req.raw.headers.get("origin")}`),
);

test.each([
  ["another site's form", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
  ["a form of a neighbouring host", { "sec-fetch-site": "same-site" }],
  ["an old browser on another site", { origin: "https://evil.example" }],
  ["a page that hides where it is from", { origin: "null" }],
])("what %s sends is refused", async (_, headers) => {
  const answer = await app.request("http://example.com/contact", { method: "POST", headers });
  expect(answer.status).toBe(403);
  for (const method of ["POST", "PATCH", "PUT", "DELETE", "OPTIONS"]) {
    const refused = await app.request("http://example.com/functions/v1/send-email", {
      method,
      headers: { ...headers, "content-type": "text/plain" },
    });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "cross_site" }]);
  }
});

test.each([
  ["the site's own form", { "sec-fetch-site": "same-origin", origin: "https://example.com" }],
  ["an old browser, with TLS in front of us", { origin: "https://example.com" }],
  ["a program", {}],
])("what %s sends arrives, without the Origin", async (_, headers) => {
  const answer = await app.request("http://example.com/contact", {
    method: "POST",
    body: "name=Ada",
    headers,
  });
  expect(await answer.text()).toBe("name=Ada null");
  const call = await app.request("http://example.com/functions/v1/send-email", {
    method: "POST",
    body: "{}",
    headers,
  });
  expect(call.status).toBe(200);
});

test("a link on another site may be followed", async () => {
  const headers = { "sec-fetch-site": "cross-site" };
  for (const path of ["/contact", "/functions/v1/send-email"]) {
    expect((await app.request(`http://example.com${path}`, { headers })).status).toBe(200);
  }
});
