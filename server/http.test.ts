import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { createHttp, type HttpOptions } from "./http.ts";
import { createSecurityHeaders } from "./security-headers.ts";

const security = createSecurityHeaders({ siteUrl: "https://www.example.com", supabaseUrl: null });

function createSite(options: Partial<HttpOptions> = {}) {
  return createHttp({
    clientDir: tmpdir(),
    backend: null,
    security,
    health: new Hono().get("/", (context) => context.text("ok")),
    checks: new Hono(),
    sendImage: async () => new Response("image"),
    renderPage: async () => new Response("page"),
    ...options,
  });
}

test("every response has the common headers, also those of the backend and errors", async () => {
  const site = createSite({
    backend: { paths: ["/rest/v1"], fetch: async () => Response.json([]) },
    renderPage: async () => {
      throw new Error("broken");
    },
  });
  for (const path of ["/healthz", "/rest/v1/posts", "/assets/gone.js", "/"]) {
    const { headers } = await site.request(path);
    for (const [name, value] of security.common)
      expect([path, headers.get(name)]).toEqual([path, value]);
  }
});

test("a file runs nothing by itself; responses of the backend are unchanged", async () => {
  const clientDir = await mkdtemp(join(tmpdir(), "client-"));
  await writeFile(join(clientDir, "a.svg"), "<svg/>");
  const site = createSite({
    clientDir,
    backend: { paths: ["/rest/v1"], fetch: async () => Response.json([]) },
  });
  const file = await site.request("/a.svg");
  expect(file.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(file.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  const rows = await site.request("/rest/v1/posts");
  expect(rows.headers.get("content-security-policy")).toBeNull();
  expect(rows.headers.get("content-encoding")).toBeNull();
});
