import { getEventListeners } from "node:events";
import { Suspense, use } from "react";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { expect, test, vi } from "vitest";
import { nonceContext } from "./config/request-context.ts";
import * as entry from "./entry.server.tsx";

/** A site with one page. */
function siteOf(Page: () => React.ReactNode) {
  const root = { id: "root", path: "", hasLoader: false, module: "/root.js" };
  // React Router reads nothing else of a build to render a page.
  const build = {
    entry: { module: entry },
    routes: { root: { ...root, module: { default: Page } } },
    assets: { entry: { module: "/entry.js", imports: [] }, routes: { root }, url: "", version: "" },
    ...{ basename: "/", publicPath: "/", assetsBuildDirectory: "", future: {}, prerender: [] },
    ...{ ssr: true, isSpaMode: false, routeDiscovery: { mode: "initial" } },
  } as unknown as ServerBuild;
  const handle = createRequestHandler(build, "production");
  const context = new RouterContextProvider(new Map([[nonceContext, "nonce"]]));
  return (request: Request) => handle(request, context);
}

test("an aborted request ends its rendering", async () => {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  const client = new AbortController();
  const request = new Request("http://localhost/", { signal: client.signal });
  const { promise: isRendering, resolve: started } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  const response = siteOf(() => {
    started();
    return use(never);
  })(request);
  await isRendering;
  client.abort();
  expect((await response).status).toBe(500);
  expect(getEventListeners(request.signal, "abort")).toEqual([]);
  expect(logged).not.toHaveBeenCalled();
});

test("a page whose part has to wait is complete", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const Part = () => use(promise);
  const response = siteOf(() => {
    setTimeout(() => resolve("The part"));
    return (
      <body>
        <Suspense fallback="Loading...">
          <Part />
        </Suspense>
      </body>
    );
  })(new Request("http://localhost/"));
  expect((await response).status).toBe(200);
  const html = await (await response).text();
  expect(html).toContain("The part");
  expect(html).not.toContain("Loading...");
  expect(html.match(/streamController\.enqueue/g)).toHaveLength(1);
});

test("a page with a part that fails is an error with a log line", async () => {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  const failure = new Error("The part failed");
  const Part = () => {
    throw failure;
  };
  const response = await siteOf(() => (
    <body>
      <Suspense fallback="Loading...">
        <Part />
      </Suspense>
    </body>
  ))(new Request("http://localhost/"));
  expect(response.status).toBe(500);
  expect(logged).toHaveBeenCalledWith(failure);
});
