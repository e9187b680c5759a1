import type { ReactNode } from "react";
import { renderToReadableStream, renderToString } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { markSession } from "./browser/mark-session.ts";
import { nonceContext, pageSettingsContext, siteContext } from "./config/request-context.ts";
import { deferScripts } from "./layout/defer-scripts.ts";
import { escapeScript, jsonLdScript, type StructuredData } from "./seo/json-ld.ts";
import { sessionStorageKey } from "./supabase/browser-client.ts";

/** Renders the complete page. There is nothing to stream, because the loaders have awaited their data. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...routerContext }: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  request.signal.throwIfAborted();
  const nonce = context.get(nonceContext);
  const data = await new Response(serverHandoffStream).text();
  const router = <ServerRouter context={routerContext} url={request.url} nonce={nonce} />;
  const { rendered, failed } =
    renderNow(router) ?? (await renderStream(router, request.signal, nonce));
  const html = rendered
    .replace("</head>", () => `${structuredData(routerContext, context)}</head>`)
    .replace("</body>", () => `${dataScript(data, nonce)}</body>`);
  headers.set("content-type", "text/html; charset=utf-8");
  // While developing, React would report the mark as a difference to what it renders.
  const page = import.meta.env.DEV
    ? html
    : markSession(deferScripts(html, nonce), nonce, sessionStorageKey);
  return new Response(page, {
    status: failed ? 500 : status,
    headers,
  });
}

/** Takes half as long as a stream. @returns null when a part of the page has to wait, or failed */
function renderNow(page: ReactNode) {
  try {
    const rendered = `<!DOCTYPE html>${renderToString(page)}`;
    return rendered.includes("<!--$!-->") ? null : { rendered, failed: false };
  } catch {
    return null;
  }
}

/** Waits for all parts of the page, and reports those that fail. */
async function renderStream(page: ReactNode, signal: AbortSignal, nonce: string) {
  // React listens to the `signal` option. Node keeps such a listener, although it is removed, as long as its signal exists: on
  // the request's own signal, it would keep the request in memory forever.
  const rendering = new AbortController();
  const abort = () => rendering.abort(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  let failed = false;
  try {
    const stream = await renderToReadableStream(page, {
      signal: rendering.signal,
      nonce,
      // React would move large parts to the end of the HTML, which only works with JavaScript.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        failed = true;
        // An aborted request is not an error.
        if (!signal.aborted) console.error(error);
      },
    });
    await stream.allReady;
    return { rendered: await new Response(stream).text(), failed };
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** The data of the loaders, as React Router's own scripts would stream it after the page. */
function dataScript(data: string, nonce: string): string {
  const text = escapeScript(JSON.stringify(data));
  return `<script nonce="${nonce}">window.__reactRouterContext.streamController.enqueue(${text});window.__reactRouterContext.streamController.close();</script>`;
}

/** The structured data of the page as an element; empty for pages without it. */
function structuredData(
  {
    routeModules,
    staticHandlerContext,
  }: Pick<EntryContext, "routeModules" | "staticHandlerContext">,
  context: RouterContextProvider,
): string {
  const { matches, loaderData, errors } = staticHandlerContext;
  const id = matches.at(-1)?.route.id;
  if (!id || errors) return "";
  // React Router's type lists its own exports of routes only.
  const { structuredData } = routeModules[id] as { structuredData?: StructuredData };
  if (!structuredData) return "";
  const { siteUrl } = context.get(pageSettingsContext);
  const { site } = context.get(siteContext);
  return jsonLdScript(structuredData({ siteUrl, site }, loaderData[id]));
}

/** Logs errors, except of aborted requests and client errors (status below 500). */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  console.error(error);
};
