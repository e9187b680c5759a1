// The routes of the site: health checks, the embedded backend, image variants, PDFs, static files, pages.
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { getMimeType } from "hono/utils/mime";
import { compressResponse } from "./pages/compression.ts";
import {
  limitPageBodies,
  rejectCrossSitePosts,
  rejectCrossSiteWrites,
  rejectInvalidRequests,
} from "./request-checks.ts";
import { type SecurityHeaders, setMissingHeaders } from "./security-headers.ts";

export interface HttpOptions {
  /** The embedded backend, when it runs in this process. */
  backend: { paths: readonly string[]; fetch(request: Request): Promise<Response> } | null;
  security: SecurityHeaders;
  /** Mounted at /healthz. */
  health: Hono;
  /** Mounted at /manage/checks.json. */
  checks: Hono;
  /** Mounted at /manage/backups. */
  backups: Hono;
  /** Mounted at /manage/address.json. */
  address: Hono;
  /** Mounted at /healthz/address. */
  challenge: Hono;
  files: Hono;
  /** Responds with all headers of a page, uncompressed if the page is not cached. */
  renderPage(request: Request): Promise<Response>;
}

interface FileOptions {
  /** Folder of the built browser files. */
  clientDir: string;
  security: SecurityHeaders;
  /** Responds to paths under /images/ that begin with a size. */
  sendImage(request: Request): Promise<Response>;
  /** Responds to paths under /files/; null when there is no such file. */
  sendFile(request: Request): Promise<Response | null>;
}

const oneYear = "public, max-age=31536000, immutable";
const oneHour = "public, max-age=3600";

export function createHttp(options: HttpOptions): Hono {
  const { backend, security, health, checks, backups, address, challenge, files, renderPage } =
    options;
  const app = new Hono();

  app.use(async (context, next) => {
    await next();
    setMissingHeaders(context.res.headers, security.common());
  });
  app.use(rejectInvalidRequests);
  app.route("/healthz/address", challenge);
  app.route("/healthz", health);
  app.route("/manage/checks.json", checks);
  app.route("/manage/backups", backups);
  app.route("/manage/address.json", address);

  for (const path of backend?.paths ?? []) {
    app.all(`${path}/*`, rejectCrossSiteWrites, async (context) => {
      const response = await (backend?.fetch(context.req.raw) ?? context.notFound());
      return compressResponse(response, context.req.header("accept-encoding"));
    });
  }

  app.route("/", files);
  app.use(rejectCrossSitePosts, limitPageBodies);
  app.all("*", async (context) => {
    const page = await renderPage(context.req.raw);
    return compressResponse(page, context.req.header("accept-encoding"));
  });

  app.onError((error, context) => {
    // A client that disconnects early reads no response and has caused no error worth logging.
    if (context.req.raw.signal.aborted) return context.text("The request was cut off.", 400);
    console.error(error);
    return context.text("Something went wrong on our side. Please try again.", 500);
  });

  return app;
}

/** What a page shows besides its text: image variants, PDFs and static files. */
export function createFiles({ clientDir, security, sendImage, sendFile }: FileOptions): Hono {
  const app = new Hono();
  app.get("/images/:size{[0-9x]+}/*", (context) => sendImage(context.req.raw));
  app.get("/files/*", async (context, next) => (await sendFile(context.req.raw)) ?? next());
  app.use(
    serveStatic({
      root: clientDir,
      precompressed: true,
      onFound: (path, context) => {
        const immutable = path.includes("/assets/");
        context.header("cache-control", immutable ? oneYear : oneHour);
        setMissingHeaders(context.res.headers, security.file(getMimeType(path) ?? null));
      },
    }),
  );
  // The address is a file of an older build. An HTML page in response would break a module import.
  app.get("/assets/*", (context) => context.text("Not found", 404));
  return app;
}
