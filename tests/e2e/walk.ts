// A walk through the site as people do it: by clicks from the home page. It finds the pages by itself, presses every kind of
// link on every kind of page, and goes back. Pages with the same route and the same query parameters are one kind: one post
// stands for all.
import type { Page } from "@playwright/test";
import { matchRoutes } from "react-router";
import routes from "../../app/routes.ts";
import { onProblem, waitForHydration } from "./test.ts";

/** A link that a person presses, by which it is found again. */
interface Step {
  /** As people name it, such as `link "Blog"`. */
  name: string;
  href: string;
}

interface PageLink extends Step {
  url: URL;
  /** Whether it belongs to what all pages share: header, footer and the navigation of the owner's pages. */
  isShared: boolean;
}

export interface Walk {
  /** The kinds of pages, each with the clicks that lead there. */
  pages: Map<string, readonly Step[]>;
  presses: number;
  /** Each way that failed: the clicks, and what was wrong after the last one. */
  failures: string[];
  /** Links that lead to no page of the site: to other sites, mails and files. */
  notPressed: Set<string>;
}

interface Options {
  /** Whether to press the links between visitors' pages, too. */
  amongVisitorsPages: boolean;
  /**
   * Whether to open each kind of page by its address, too, after the clicks that lead there. Then the code of the pages behind its
   * links is not loaded yet.
   */
  byAddress: boolean;
}

/** Walks from the home page, which is open. */
export async function walk(page: Page, options: Options): Promise<Walk> {
  const { amongVisitorsPages, byAddress } = options;
  const walk: Walk = { pages: new Map(), presses: 0, failures: [], notPressed: new Set() };
  const { origin } = new URL(page.url());
  const settle = watchRequests(page);
  const pressed = new Set<string>();
  let problems: string[] = [];
  onProblem(page, origin, (problem) => problems.push(problem));

  /** @returns whether the page shows its content and nothing was wrong on the way to it */
  async function check(way: readonly Step[], last = ""): Promise<boolean> {
    const missing = await settle();
    const found = missing ? [...problems, missing] : problems;
    problems = [];
    if (found.length === 0) return true;
    const clicks = way.map(({ name }) => ` → ${name}`).join("");
    walk.failures.push(`/${clicks}${last}: ${found.join("\n")}`);
    return false;
  }

  async function press(way: readonly Step[]): Promise<boolean> {
    const { href } = way.at(-1) ?? home;
    walk.presses++;
    const link = page.locator(`a[href="${href}"]`).filter({ visible: true }).first();
    try {
      // The one that is seen only with a keyboard.
      if (href === "#content") await link.press("Enter");
      else await link.click({ timeout: 10_000 });
    } catch (error) {
      problems.push(firstLine(error));
    }
    return check(way);
  }

  /** Opens a page by its address. */
  async function open(href: string): Promise<void> {
    await page.goto(href);
    await waitForHydration(page);
  }

  /** Goes to a page by the clicks that lead to it from the home page. */
  async function reach(way: readonly Step[]): Promise<boolean> {
    if (!(await press([home]))) return false;
    for (const count of way.keys()) {
      if (!(await press(way.slice(0, count + 1)))) return false;
    }
    return true;
  }

  walk.pages.set(kindOf(new URL(page.url())) ?? "", []);
  // The map also iterates over what is added meanwhile.
  for (const [kind, way] of walk.pages) {
    // A list with a filter is the list again.
    if (kind !== pathOf(kind) && walk.pages.has(pathOf(kind))) continue;
    if (!(await reach(way))) continue;
    const { href } = new URL(page.url());
    if (byAddress) {
      await open(href);
      if (!(await check(way, ", by its address"))) continue;
    }
    for (const link of await linksOf(page)) {
      const target = link.url.origin === origin ? kindOf(link.url) : undefined;
      if (!target) {
        walk.notPressed.add(link.url.href);
        continue;
      }
      if (!amongVisitorsPages && !isOwnersPage(kind) && !isOwnersPage(target)) {
        if (!walk.pages.has(target)) walk.pages.set(target, [...way, link]);
        continue;
      }
      const key = `${link.isShared ? "all pages" : kind} > ${target}`;
      if (pressed.has(key)) continue;
      pressed.add(key);
      const wayThere = [...way, link];
      const isRight = await press(wayThere);
      const opened = kindOf(new URL(page.url())) ?? "";
      if (isRight && !walk.pages.has(opened)) walk.pages.set(opened, wayThere);
      if (page.url() !== href) await page.goBack({ waitUntil: "commit" });
      if ((await check(wayThere, ", then Back")) && isRight) continue;
      // The next way begins with a page that works.
      await open(href);
      await settle();
      problems = [];
    }
  }
  return walk;
}

/** In the header of every page. */
const home: Step = { name: "the name of the firm", href: "/" };

const pageRoutes = routes.map(({ path, file, index }) =>
  index ? ({ index, id: file } as const) : { path, id: file },
);

/** @returns the route of an address with the names of its parameters; undefined for what is no page */
function kindOf(url: URL): string | undefined {
  const route = matchRoutes(pageRoutes, url.pathname)?.at(-1)?.route;
  if (!route || /-route\.ts$/.test(route.id) || url.pathname.startsWith("/files/")) return;
  const names = [...new Set(url.searchParams.keys())].sort();
  return `/${route.path ?? ""}${names.length > 0 ? `?${names}` : ""}`;
}

function isOwnersPage(kind: string): boolean {
  const { id } = pageRoutes.find(({ path }) => `/${path}` === pathOf(kind)) ?? {};
  return id === "layout/owner-page.tsx";
}

function pathOf(kind: string): string {
  return kind.replace(/\?[\w,]+$/, "");
}

/** The pages to which no link led. */
export function notFound({ pages }: Walk, { owners }: { owners: boolean }): string[] {
  const found = new Set([...pages.keys()].map(pathOf));
  return pageRoutes
    .filter(({ id }) => !/-route\.ts$/.test(id))
    .map(({ path = "" }) => `/${path}`)
    .filter((path) => isOwnersPage(path) === owners && !found.has(path));
}

function firstLine(error: unknown): string {
  return String(error).split("\n", 1)[0] ?? "";
}

/** The links that a person sees, and the one that skips to the content. */
async function linksOf(page: Page): Promise<PageLink[]> {
  const links = await page.locator("a[href]").evaluateAll((all) =>
    all.flatMap((link) => {
      if (!(link instanceof HTMLAnchorElement) || !link.checkVisibility()) return [];
      if (link.closest("[inert], [aria-hidden=true]")) return [];
      const name = link.ariaLabel ?? link.textContent.replace(/\s+/g, " ").trim();
      const shared = "header[data-site], main ~ *, nav[aria-label=Manage], [href='#content']";
      return {
        name: `link "${name}"`,
        href: link.getAttribute("href") ?? "",
        address: link.href,
        isShared: link.closest(shared) !== null,
      };
    }),
  );
  return links.map(({ address, ...link }) => ({ ...link, url: new URL(address) }));
}

/**
 * @returns waits until the page shows its content: it has a heading, no navigation and no request is open, and nothing says that
 * it is loading. Returns what is missing.
 */
function watchRequests(page: Page): () => Promise<string> {
  const open = new Set<unknown>();
  page.on("request", (request) => {
    if (["fetch", "script", "stylesheet"].includes(request.resourceType())) open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  // With a new document, the requests of the one before it are gone.
  page.on("domcontentloaded", () => open.clear());
  return async () => {
    const deadline = Date.now() + 15_000;
    for (;;) {
      const missing = await page.evaluate(missingIn).catch(firstLine);
      if (missing === applicationError || Date.now() > deadline) return missing || "open requests";
      if (!missing && open.size === 0) return "";
    }
  };
}

const applicationError = "Unexpected Application Error!";

/** Runs in the page, after the next frame. */
async function missingIn(): Promise<string> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const isShown = (element: Element) => element.checkVisibility();
  if (document.body.textContent.includes("Unexpected Application Error!")) {
    return "Unexpected Application Error!";
  }
  const { __reactRouterDataRouter: router } = window as unknown as {
    __reactRouterDataRouter?: { state: { navigation: { state: string }; revalidation: string } };
  };
  if (router?.state.navigation.state !== "idle") return "the end of the navigation";
  if (router.state.revalidation !== "idle") return "the end of the revalidation";
  const statuses = [...document.querySelectorAll("[role=status]")].filter(isShown);
  const loading = statuses.find(({ textContent }) => /^(Loading|Reading)/.test(textContent));
  if (loading) return `the end of "${loading.textContent}"`;
  return [...document.querySelectorAll("h1")].some(isShown) ? "" : "a heading";
}
