// The HTTP side of the site: health, the backend's paths, static files, pages.
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { compress } from "hono/compress";

export interface HttpOptions {
  /** Folder of the built browser files. */
  clientDir: string;
  /** The embedded backend, when it runs in this process. */
  backend: { paths: readonly string[]; fetch(request: Request): Promise<Response> } | null;
  renderPage(request: Request): Promise<Response>;
}

const oneYear = "public, max-age=31536000, immutable";
const oneHour = "public, max-age=3600";

export function createHttp({ clientDir, backend, renderPage }: HttpOptions): Hono {
  const app = new Hono();

  app.use(async (context, next) => {
    await next();
    context.header("x-content-type-options", "nosniff");
    context.header("referrer-policy", "strict-origin-when-cross-origin");
    context.header("x-frame-options", "DENY");
  });

  app.get("/healthz", (context) => context.json({ status: "ok" }));

  for (const path of backend?.paths ?? []) {
    app.all(`${path}/*`, (context) => backend?.fetch(context.req.raw) ?? context.notFound());
  }

  app.use(
    serveStatic({
      root: clientDir,
      precompressed: true,
      onFound: (path, context) => {
        const immutable = path.includes("/assets/");
        context.header("cache-control", immutable ? oneYear : oneHour);
      },
    }),
  );
  // A file of an older build is gone, not a page: answering HTML would break a module import.
  app.get("/assets/*", (context) => context.text("Not found", 404));

  app.use(compress());
  app.all("*", (context) => renderPage(context.req.raw));

  app.onError((error, context) => {
    console.error(error);
    return context.text("Something went wrong on our side. Please try again.", 500);
  });

  return app;
}
