// The HTTP side of the site: health, the backend's paths, static files, pages.
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { getMimeType } from "hono/utils/mime";
import { compressAnswer } from "./pages/compression.ts";
import {
  guardBackendWrites,
  guardPageBodies,
  guardPagePosts,
  guardRequests,
} from "./request-checks.ts";
import type { HeaderPair, SecurityHeaders } from "./security-headers.ts";

export interface HttpOptions {
  /** Folder of the built browser files. */
  clientDir: string;
  /** The embedded backend, when it runs in this process. */
  backend: { paths: readonly string[]; fetch(request: Request): Promise<Response> } | null;
  security: SecurityHeaders;
  /** Whether the backend can be read. */
  isReady(): Promise<boolean>;
  /** Whether changes made elsewhere are heard of at once. */
  hearsChanges(): boolean;
  /** Answers addresses under /images/ that name a size. */
  sendImage(request: Request): Promise<Response>;
  /** Answers with the headers that a page needs. */
  renderPage(request: Request): Promise<Response>;
}

const oneYear = "public, max-age=31536000, immutable";
const oneHour = "public, max-age=3600";

export function createHttp(options: HttpOptions): Hono {
  const { clientDir, backend, security, isReady, hearsChanges, sendImage, renderPage } = options;
  const app = new Hono();

  app.use(async (context, next) => {
    await next();
    setAbsent(context.res.headers, security.common);
  });

  app.use(guardRequests);
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  app.get("/healthz/live", (context) => context.json({ status: "ok" }));
  app.get("/healthz/ready", async (context) => {
    const realtime = hearsChanges() ? "connected" : "disconnected";
    return (await isReady())
      ? context.json({ status: "ok", realtime })
      : context.json({ status: "unavailable", realtime }, 503);
  });

  for (const path of backend?.paths ?? []) {
    app.all(
      `${path}/*`,
      guardBackendWrites,
      (context) => backend?.fetch(context.req.raw) ?? context.notFound(),
    );
  }

  app.get("/images/:size{[0-9x]+}/*", (context) => sendImage(context.req.raw));
  app.use(
    serveStatic({
      root: clientDir,
      precompressed: true,
      onFound: (path, context) => {
        const immutable = path.includes("/assets/");
        context.header("cache-control", immutable ? oneYear : oneHour);
        setAbsent(context.res.headers, security.file(getMimeType(path) ?? null));
      },
    }),
  );
  // A file of an older build is gone, not a page: answering HTML would break a module import.
  app.get("/assets/*", (context) => context.text("Not found", 404));

  app.use(guardPagePosts, guardPageBodies);
  app.all("*", async (context) => {
    const page = await renderPage(context.req.raw);
    return compressAnswer(page, context.req.header("accept-encoding"));
  });

  app.onError((error, context) => {
    // Who hung up half-way reads no answer, and did nothing that belongs into a log.
    if (context.req.raw.signal.aborted) return context.text("The request was cut off.", 400);
    console.error(error);
    return context.text("Something went wrong on our side. Please try again.", 500);
  });

  return app;
}

function setAbsent(headers: Headers, pairs: readonly HeaderPair[]): void {
  for (const [name, value] of pairs) if (!headers.has(name)) headers.set(name, value);
}
