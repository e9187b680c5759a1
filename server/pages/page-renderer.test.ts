import { expect, test } from "vitest";
import { createBackendCalls } from "../backend-fetch.ts";
import { createSecurityHeaders } from "../security-headers.ts";
import { createPageRenderer, type Site } from "./page-renderer.ts";

const html = { "content-type": "text/html; charset=utf-8" };
const request = new Request("https://www.example.com/");

function rendererOf(site: Site, backend: () => Response = () => Response.json([])) {
  const calls = createBackendCalls(async () => backend());
  const security = createSecurityHeaders({
    siteUrl: "https://www.example.com",
    supabaseUrl: null,
  });
  return {
    calls,
    renderPage: createPageRenderer({ site: (page, nonce) => site(page, nonce), calls, security }),
  };
}

test("a page's own scripts are in its policy, and no nonce leaves the server", async () => {
  const { renderPage } = rendererOf(
    async (_, nonce) => new Response(`<script nonce="${nonce}">1</script>`, { headers: html }),
  );
  const { response } = await renderPage(request);
  expect(await response.text()).toBe("<script>1</script>");
  expect(response.headers.get("content-security-policy")).toContain(
    "script-src 'self' 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=';",
  );
});

test("two renderings of the same page are the same to the byte", async () => {
  const { renderPage } = rendererOf(
    async (_, nonce) => new Response(`<script nonce="${nonce}">1</script>`, { headers: html }),
  );
  const [one, other] = await Promise.all([renderPage(request), renderPage(request)]);
  expect(await one.response.text()).toBe(await other.response.text());
});

test("what is no page gets the policy of a file, and keeps its own headers", async () => {
  const { renderPage } = rendererOf(async () =>
    Response.json({}, { headers: { "x-content-type-options": "own" } }),
  );
  const { headers } = (await renderPage(request)).response;
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("x-content-type-options")).toBe("own");
});

test("an error is the backend's, and for now, when the backend failed", async () => {
  const error: Site = async () => new Response("", { status: 500, headers: html });
  const own = await rendererOf(error).renderPage(request);
  expect(own.response.status).toBe(500);
  const { calls, renderPage } = rendererOf(
    async (...page) => {
      await calls.fetch("https://backend.example/rest/v1/posts");
      return error(...page);
    },
    () => new Response(null, { status: 502 }),
  );
  const { response, use } = await renderPage(request);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("30");
  expect(use.failed).toBe(true);
});
