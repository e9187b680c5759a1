import { getEventListeners } from "node:events";
import { use } from "react";
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
