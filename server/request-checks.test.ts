import { Hono } from "hono";
import { expect, test } from "vitest";
import { rejectCrossSitePosts, rejectCrossSiteWrites } from "./request-checks.ts";

const app = new Hono();
app.use("/functions/v1/*", rejectCrossSiteWrites);
app.use("/contact", rejectCrossSitePosts);
app.all("*", async ({ req, text }) =>
  text(`${await req.raw.text()} ${req.raw.headers.get("origin")}`),
);

test.each([
  ["another site's form", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
  ["a form of another subdomain", { "sec-fetch-site": "same-site" }],
  ["an old browser on another site", { origin: "https://evil.example" }],
  ["a page without an origin", { origin: "null" }],
])("rejects %s", async (_, headers) => {
  const response = await app.request("http://example.com/contact", { method: "POST", headers });
  expect(response.status).toBe(403);
  for (const method of ["POST", "PATCH", "PUT", "DELETE", "OPTIONS"]) {
    const rejected = await app.request("http://example.com/functions/v1/send-email", {
      method,
      headers: { ...headers, "content-type": "text/plain" },
    });
    expect([rejected.status, await rejected.json()]).toMatchObject([403, { code: "cross_site" }]);
  }
});

test.each([
  ["the site's own form", { "sec-fetch-site": "same-origin", origin: "https://example.com" }],
  ["an old browser, behind a proxy that terminates TLS", { origin: "https://example.com" }],
  ["a program", {}],
])("accepts %s, and removes the Origin", async (_, headers) => {
  const response = await app.request("http://example.com/contact", {
    method: "POST",
    body: "name=Ada",
    headers,
  });
  expect(await response.text()).toBe("name=Ada null");
  const call = await app.request("http://example.com/functions/v1/send-email", {
    method: "POST",
    body: "{}",
    headers,
  });
  expect(call.status).toBe(200);
});

test("links on other sites work", async () => {
  const headers = { "sec-fetch-site": "cross-site" };
  for (const path of ["/contact", "/functions/v1/send-email"]) {
    expect((await app.request(`http://example.com${path}`, { headers })).status).toBe(200);
  }
});
