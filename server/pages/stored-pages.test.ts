import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTemporaryFolder } from "../../tests/temporary-folder.ts";
import { createPageCache } from "./page-cache.ts";
import { createStoredPages } from "./stored-pages.ts";

/** A process of the site, whose pages show `text`, or fail while it is null. */
function startProcess(file: string, site = "site 1") {
  const state: { text: string | null } = { text: "first" };
  const pages = createPageCache({
    siteUrl: "https://site.example",
    watchedTables: ["posts"],
    log: () => {},
    async renderPage() {
      const failed = state.text === null;
      return {
        response: new Response(state.text, {
          status: failed ? 503 : 200,
          headers: { "content-type": "text/html", "content-security-policy": "script-src 'self'" },
        }),
        use: { tables: new Set(["posts"]), failed },
      };
    },
  });
  const stored = createStoredPages(pages, file, () => site);
  onTestFinished(stored.stop);
  const get = (path: string) => pages.fetch(new Request(`https://site.example${path}`));
  return { state, pages, stored, get };
}

async function temporaryFile(): Promise<string> {
  const folder = await createTemporaryFolder("stored-pages");
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "cache/pages.json");
}

/** A file with one page. */
async function storePage(file: string) {
  const first = startProcess(file);
  first.pages.setRealtimeConnected(true);
  await first.get("/blog");
  await first.stored.save();
  return first;
}

async function startWhileBackendFails(...options: Parameters<typeof startProcess>) {
  const cold = startProcess(...options);
  cold.state.text = null;
  await cold.stored.load();
  return cold;
}

test("a new process serves the stored pages while the backend fails, and only then", async () => {
  const file = await temporaryFile();
  await storePage(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const cold = await startWhileBackendFails(file);
  const stale = await cold.get("/blog");
  expect([stale.status, await stale.text()]).toEqual([200, "first"]);
  expect(stale.headers.get("cache-status")).toMatch(/ttl=-\d+; detail=backend-unavailable$/);
  expect(stale.headers.get("content-security-policy")).toBe("script-src 'self'");
  expect((await cold.get("/other")).status).toBe(503);

  const warm = startProcess(file);
  warm.state.text = "second";
  await warm.stored.load();
  expect(await (await warm.get("/blog")).text()).toBe("second");
});

test("a page leaves the file once a change has invalidated it", async () => {
  const file = await temporaryFile();
  const { pages, stored, state } = await storePage(file);
  state.text = null;
  pages.invalidate("posts");
  await stored.save();
  const cold = await startWhileBackendFails(file);
  expect((await cold.get("/blog")).status).toBe(503);
});

test("nothing is stored while it is unknown which pages are current", async () => {
  const file = await temporaryFile();
  const { pages, stored } = await storePage(file);
  pages.setRealtimeConnected(false);
  pages.invalidate("posts");
  await stored.save();
  const cold = await startWhileBackendFails(file);
  expect((await cold.get("/blog")).status).toBe(200);
});

test("pages of another build, address or project, and those of yesterday, are ignored", async () => {
  const file = await temporaryFile();
  await storePage(file);
  const other = await startWhileBackendFails(file, "site 2");
  expect((await other.get("/blog")).status).toBe(503);

  const late = startProcess(file);
  late.state.text = null;
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 24 * 60 * 60_000);
  await late.stored.load();
  expect((await late.get("/blog")).status).toBe(503);
});

test("a damaged file is ignored", async () => {
  const file = await temporaryFile();
  await storePage(file);
  await writeFile(file, "{");
  const cold = startProcess(file);
  await cold.stored.load();
  expect(await (await cold.get("/blog")).text()).toBe("first");
});
