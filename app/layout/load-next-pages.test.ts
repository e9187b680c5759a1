import { afterEach, expect, test, vi } from "vitest";
import { loadNextPages } from "./load-next-pages.ts";

afterEach(() => vi.unstubAllGlobals());

const loaded: string[] = [];

function openPage(connection?: { saveData: boolean }) {
  const fileOf = (name: string) =>
    `data:text/javascript,globalThis.onLoaded(${JSON.stringify(name)})`;
  const pages = ["posts/blog-page", "services/service-page", "manage/home-page", "auth/login-page"];
  const routes = Object.fromEntries(
    [...pages, "root"].map((id) => [id, { module: fileOf(id), clientLoaderModule: fileOf(id) }]),
  );
  vi.stubGlobal("onLoaded", (name: string) => loaded.push(name));
  vi.stubGlobal("navigator", { connection });
  vi.stubGlobal("window", { __reactRouterManifest: { routes } });
  loadNextPages();
}

test("a visitor's pages are loaded, each file once, but nothing for visitors who save data", async () => {
  openPage({ saveData: true });
  openPage({ saveData: false });
  await expect.poll(() => loaded).toHaveLength(2);
  expect(loaded.toSorted()).toEqual(["posts/blog-page", "services/service-page"]);
});
