import { renderToReadableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { nonceContext } from "./config/request-context.ts";
import { deferScripts } from "./layout/defer-scripts.ts";

/** Renders the complete page: loaders have awaited their data, so there is nothing to stream. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext);
  let failed = false;
  const stream = await renderToReadableStream(
    <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
    {
      signal: request.signal,
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
  const html = await new Response(stream).text();
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(import.meta.env.DEV ? html : deferScripts(html, nonce), {
    status: failed ? 500 : status,
    headers,
  });
}

/** Logs errors, except of aborted requests and client errors (status below 500). */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  console.error(error);
};
