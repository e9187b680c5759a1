import { expect, test } from "vitest";
import { createBackendFetch } from "../backend-fetch.ts";
import { createSecurityHeaders } from "../security-headers.ts";
import { createPageRenderer, type RenderSite } from "./page-renderer.ts";

const html = { "content-type": "text/html; charset=utf-8" };
const request = new Request("https://www.example.com/");

function rendererOf(site: RenderSite, respond: () => Response = () => Response.json([])) {
  const backend = createBackendFetch(async () => respond());
  const security = createSecurityHeaders({
    siteUrl: () => "https://www.example.com",
    supabaseUrl: null,
  });
  return {
    backend,
    renderPage: createPageRenderer({ site: (page, nonce) => site(page, nonce), backend, security }),
  };
}

test("the policy lists a page's scripts by hash, and the page has no nonce", async () => {
  const { renderPage } = rendererOf(
    async (_, nonce) => new Response(`<script nonce="${nonce}">1</script>`, { headers: html }),
  );
  const { response } = await renderPage(request);
  expect(await response.text()).toBe("<script>1</script>");
  expect(response.headers.get("content-security-policy")).toContain(
    "script-src 'self' 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=';",
  );
});

test("two renderings of one page are identical", async () => {
  const { renderPage } = rendererOf(
    async (_, nonce) => new Response(`<script nonce="${nonce}">1</script>`, { headers: html }),
  );
  const [one, other] = await Promise.all([renderPage(request), renderPage(request)]);
  expect(await one.response.text()).toBe(await other.response.text());
});

test("other responses get the policy of a file and keep their own headers", async () => {
  const { renderPage } = rendererOf(async () =>
    Response.json({}, { headers: { "x-content-type-options": "own" } }),
  );
  const { headers } = (await renderPage(request)).response;
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("x-content-type-options")).toBe("own");
});

test("an error is a 503 with Retry-After when the backend failed", async () => {
  const error: RenderSite = async () => new Response("", { status: 500, headers: html });
  const own = await rendererOf(error).renderPage(request);
  expect(own.response.status).toBe(500);
  const { backend, renderPage } = rendererOf(
    async (...page) => {
      await backend.fetch("https://backend.example/rest/v1/posts");
      return error(...page);
    },
    () => new Response(null, { status: 502 }),
  );
  const { response, use } = await renderPage(request);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("30");
  expect(use.failed).toBe(true);
});
