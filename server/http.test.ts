import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { createFiles, createHttp, type HttpOptions } from "./http.ts";
import { createSecurityHeaders } from "./security-headers.ts";

const security = createSecurityHeaders({
  siteUrl: () => "https://www.example.com",
  supabaseUrl: null,
});

type SiteOptions = HttpOptions & { clientDir: string };

function createSite({ clientDir = tmpdir(), ...options }: Partial<SiteOptions> = {}) {
  return createHttp({
    backend: null,
    security,
    health: new Hono().get("/", (context) => context.text("ok")),
    checks: new Hono(),
    backups: new Hono(),
    ...{ address: new Hono(), challenge: new Hono() },
    files: createFiles({
      ...{ clientDir, security },
      sendImage: async () => new Response("image"),
      sendFile: async () => null,
    }),
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
    for (const [name, value] of security.common())
      expect([path, headers.get(name)]).toEqual([path, value]);
  }
});

test("a file runs nothing by itself; the backend's responses keep their headers", async () => {
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

test("the backend's responses are compressed, except images and responses without a body", async () => {
  const rows = JSON.stringify([{ title: "A post".repeat(500) }]);
  const etag = { etag: '"1"' };
  const responses: Record<string, () => Response> = {
    posts: () =>
      new Response(rows, { status: 206, headers: { "content-type": "application/json" } }),
    image: () => new Response(rows, { headers: { "content-type": "image/webp", ...etag } }),
    same: () => new Response(null, { status: 304, headers: etag }),
  };
  const site = createSite({
    backend: {
      paths: ["/rest/v1"],
      fetch: async ({ url }) => responses[url.split("/").at(-1) ?? ""]?.() ?? Response.error(),
    },
  });
  const headers = { "accept-encoding": "gzip, br" };
  const sent = await site.request("/rest/v1/posts", { headers });
  expect([sent.status, sent.headers.get("content-encoding")]).toEqual([206, "br"]);
  expect(sent.headers.get("vary")).toBe("accept-encoding");
  expect(brotliDecompressSync(await sent.arrayBuffer()).toString()).toBe(rows);
  expect(await (await site.request("/rest/v1/posts")).text()).toBe(rows);
  for (const name of ["image", "same"]) {
    const response = await site.request(`/rest/v1/${name}`, { headers });
    expect([name, response.headers.get("content-encoding")]).toEqual([name, null]);
    expect(response.headers.get("etag")).toBe(etag.etag);
  }
});
