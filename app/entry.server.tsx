import { renderToReadableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { nonceContext, settingsContext, siteContext } from "./config/request-context.ts";
import { deferScripts } from "./layout/defer-scripts.ts";
import { jsonLdScript, type StructuredData } from "./seo/json-ld.ts";

/** Renders the complete page. There is nothing to stream, because the loaders have awaited their data. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext);
  // React listens to the `signal` option. Node keeps such a listener, although it is removed, as long as its signal exists: on
  // the request's own signal, it would keep the request in memory forever.
  const rendering = new AbortController();
  const abort = () => rendering.abort(request.signal.reason);
  request.signal.addEventListener("abort", abort);
  if (request.signal.aborted) abort();
  let failed = false;
  let rendered: string;
  try {
    const stream = await renderToReadableStream(
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
      {
        signal: rendering.signal,
        nonce,
        // React would move large parts to the end of the HTML, which only works with JavaScript.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onError(error) {
          failed = true;
          // An aborted request is not an error.
          if (!request.signal.aborted) console.error(error);
        },
      },
    );
    await stream.allReady;
    rendered = await new Response(stream).text();
  } finally {
    request.signal.removeEventListener("abort", abort);
  }
  const html = rendered.replace(
    "</head>",
    () => `${structuredData(routerContext, context)}</head>`,
  );
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(import.meta.env.DEV ? html : deferScripts(html, nonce), {
    status: failed ? 500 : status,
    headers,
  });
}

/** The structured data of the page as an element; empty for pages without it. */
function structuredData(
  { routeModules, staticHandlerContext }: EntryContext,
  context: RouterContextProvider,
): string {
  const { matches, loaderData, errors } = staticHandlerContext;
  const id = matches.at(-1)?.route.id;
  if (!id || errors) return "";
  // React Router's type lists its own exports of routes only.
  const { structuredData } = routeModules[id] as { structuredData?: StructuredData };
  if (!structuredData) return "";
  const { siteUrl } = context.get(settingsContext);
  const { site } = context.get(siteContext);
  return jsonLdScript(structuredData({ siteUrl, site }, loaderData[id]));
}

/** Logs errors, except of aborted requests and client errors (status below 500). */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  console.error(error);
};
