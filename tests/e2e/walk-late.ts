// Lets one kind of answer arrive later than all of the other kind, as on a slow network.
import type { Page, Request } from "@playwright/test";

const kinds = {
  data: /\/(rest|auth|functions|storage)\/v1\//,
  scripts: /\/assets\/[^/]+\.js/,
};

export type Late = keyof typeof kinds;

export async function arriveLate(page: Page, late: Late): Promise<void> {
  const first = kinds[late === "data" ? "scripts" : "data"];
  const awaited = new Set<Request>();
  page.on("request", (request) => {
    if (first.test(request.url())) awaited.add(request);
  });
  page.on("requestfinished", (request) => awaited.delete(request));
  page.on("requestfailed", (request) => awaited.delete(request));
  page.on("domcontentloaded", () => awaited.clear());
  await page.route(kinds[late], async (route) => {
    do {
      // Frames in which the page shows what it has. Without a document there are none.
      await page.evaluate(showFrames).catch(() => {});
    } while (awaited.size > 0 && !page.isClosed());
    await route.continue();
  });
}

async function showFrames(): Promise<void> {
  for (let count = 0; count < 3; count++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
