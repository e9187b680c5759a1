// A walk through the site as people do it: by clicks from the home page. It finds the pages by itself, presses every kind of
// link on every kind of page, and goes back. Pages with the same route and the same query parameters are one kind: one post
// stands for all.
import type { Locator, Page } from "@playwright/test";
import { matchRoutes } from "react-router";
import routes from "../../app/routes.ts";
import { expect, onProblem, waitForHydration } from "./test.ts";
import { buttonsOf, isChanging, isReading } from "./walk-buttons.ts";

/** What a person presses. */
interface Step {
  /** As people name it, such as `link "Blog"`. */
  name: string;
  find: (page: Page) => Locator;
}

interface PageLink extends Step {
  href: string;
  url: URL;
  /** Whether it belongs to what all pages share: header, footer and the navigation of the owner's pages. */
  isShared: boolean;
}

interface Options {
  /** Whether to press the links between visitors' pages, too. */
  amongVisitorsPages: boolean;
  /**
   * Whether to open each kind of page by its address, too, after the clicks that lead there: "once", or before each link. Then the
   * code behind its links is not loaded yet.
   */
  byAddress: "never" | "once" | "before each link";
  /** Whether to press the buttons that change nothing outside the page, too. */
  buttons?: boolean;
  /** Puts links and buttons into the order in which they are pressed. */
  order?: <Item>(items: Item[]) => Item[];
}

export class Walk {
  /** The kinds of pages, each with the clicks that lead there. */
  readonly pages = new Map<string, readonly Step[]>();
  presses = 0;
  /** Links that lead to no page of the site: to other sites, mails and files. */
  readonly linksNotPressed = new Set<string>();
  readonly buttonsPressed = new Set<string>();
  readonly buttonsNotPressed = new Set<string>();

  private readonly page: Page;
  private readonly options: Options;
  private readonly pressed = new Set<string>();
  private problems: string[] = [];
  private readonly settle: () => Promise<string>;
  private readonly origin: string;

  /** The home page is open. */
  constructor(page: Page, options: Options) {
    this.page = page;
    this.options = options;
    this.origin = new URL(page.url()).origin;
    this.settle = watchRequests(page);
    onProblem(page, this.origin, (problem) => this.problems.push(problem));
    page.on("request", (request) => {
      if (isReading(request)) return;
      this.problems.push(`It changes something: ${request.method()} ${request.url()}`);
    });
    // Leaves an editor.
    page.on("dialog", (dialog) => dialog.accept());
  }

  async run(): Promise<void> {
    const { page, pages, options } = this;
    pages.set(this.kind(), []);
    // The map also iterates over what is added meanwhile.
    for (const [kind, way] of pages) {
      // A list with a filter is the list again. Its buttons may differ.
      if (!options.buttons && kind !== pathOf(kind) && pages.has(pathOf(kind))) continue;
      if (!(await this.reach(way))) continue;
      const href = page.url();
      if (options.byAddress !== "never") {
        await this.open(href);
        if (!(await this.check(way, ", by its address"))) continue;
      }
      await this.pressLinks(kind, way, href);
      if (options.buttons) await this.pressButtons(kind, way, href);
    }
  }

  private kind(): string {
    return kindOf(new URL(this.page.url())) ?? "";
  }

  private async pressLinks(kind: string, way: readonly Step[], href: string): Promise<void> {
    const links = await linksOf(this.page);
    const { order = (items) => items, byAddress } = this.options;
    for (const link of order(links)) {
      if (!this.isNext(kind, way, link)) continue;
      if (byAddress === "before each link") {
        await this.open(href);
        if (!(await this.check(way, ", by its address"))) return;
      }
      await this.pressAndGoBack([...way, link], href);
    }
  }

  /** Whether to press a link: the first of its kind. */
  private isNext(kind: string, way: readonly Step[], link: PageLink): boolean {
    const target = link.url.origin === this.origin ? kindOf(link.url) : undefined;
    if (!target) {
      this.linksNotPressed.add(link.url.href);
      return false;
    }
    if (!this.options.amongVisitorsPages && !isOwnersPage(kind) && !isOwnersPage(target)) {
      if (!this.pages.has(target)) this.pages.set(target, [...way, link]);
      return false;
    }
    const key = `${link.isShared ? "all pages" : kind} > ${target}`;
    if (this.pressed.has(key)) return false;
    this.pressed.add(key);
    return true;
  }

  private async pressAndGoBack(way: readonly Step[], href: string): Promise<void> {
    const isRight = await this.press(way);
    if (isRight && !this.pages.has(this.kind())) this.pages.set(this.kind(), way);
    if ((await this.goBack(way, href)) && isRight) return;
    // The next way begins with a page that works.
    await this.open(href);
    await this.settle();
    this.problems = [];
  }

  private async goBack(way: readonly Step[], href: string): Promise<boolean> {
    if (this.page.url() === href) return true;
    await this.page.goBack({ waitUntil: "commit" });
    return this.check(way, ", then Back");
  }

  /** Presses each kind of button, also those that another one shows, such as those of a dialog, and the links of menus. */
  private async pressButtons(kind: string, way: readonly Step[], href: string): Promise<void> {
    const { order = (items) => items } = this.options;
    const done = new Set<string>();
    let path: Step[] = [];
    for (;;) {
      const { dialog, buttons } = await buttonsOf(this.page);
      const button = order(buttons).find(
        ({ key, isShared }) => !done.has(key) && !(isShared && this.pressed.has(key)),
      );
      console.log("B", kind, this.page.url(), dialog, button?.label, buttons.length);
      if (!button && !dialog) return;
      if (!button) {
        path.push(pressEscape);
        await this.page.keyboard.press("Escape");
        const isClosed = (await buttonsOf(this.page)).dialog !== dialog;
        if (!isClosed) this.problems.push("the dialog stays open");
        if ((await this.check([...way, ...path])) && isClosed) continue;
        return;
      }
      done.add(button.key);
      if (button.isShared) this.pressed.add(button.key);
      const { name } = button;
      if (isChanging(button, dialog !== "")) {
        this.buttonsNotPressed.add(`${kind}: ${button.label}`);
        continue;
      }
      this.buttonsPressed.add(`${kind}: ${button.label}`);
      if (!dialog) path = [];
      const before = new Set((await linksOf(this.page)).map(({ href }) => href));
      path.push(button);
      const wayThere = [...way, ...path];
      let isRight = await this.press(wayThere);
      for (const link of order(isRight ? await linksOf(this.page) : [])) {
        if (before.has(link.href) || !this.isNext(`${kind} ${name}`, wayThere, link)) continue;
        // A menu that the link before has closed.
        const isShown = (await linksOf(this.page)).some(({ href }) => href === link.href);
        if (!isShown) await this.press(wayThere);
        await this.pressAndGoBack([...wayThere, link], href);
      }
      if (!dialog && (await buttonsOf(this.page)).dialog === "")
        await this.page.keyboard.press("Escape");
      isRight &&= await this.goBack(wayThere, href);
      if (isRight) continue;
      await this.open(href);
      await this.settle();
      this.problems = [];
    }
  }

  /** @returns whether the page shows its content and nothing was wrong on the way to it */
  private async check(way: readonly Step[], last = ""): Promise<boolean> {
    const missing = await this.settle();
    const found = missing ? [...this.problems, missing] : this.problems;
    this.problems = [];
    const clicks = way.map(({ name }) => ` → ${name}`).join("");
    // The walk continues: it reports every fault.
    expect.soft(found, `/${clicks}${last}`).toEqual([]);
    return found.length === 0;
  }

  /** Presses the last of the way. */
  private async press(way: readonly Step[]): Promise<boolean> {
    const { name, find } = way.at(-1) ?? home;
    this.presses++;
    const found = find(this.page).filter({ visible: true }).first();
    try {
      // It is seen only with a keyboard.
      if (name.includes("Skip to content")) await found.press("Enter");
      else await found.click({ timeout: 10_000 });
    } catch (error) {
      this.problems.push(firstLine(error));
    }
    return this.check(way);
  }

  /** Opens a page by its address. */
  private async open(href: string): Promise<void> {
    await this.page.goto(href);
    await waitForHydration(this.page);
  }

  /** Goes to a page by the clicks that lead to it from the home page. */
  private async reach(way: readonly Step[]): Promise<boolean> {
    if (!(await this.press([home]))) return false;
    for (const count of way.keys()) {
      if (!(await this.press(way.slice(0, count + 1)))) return false;
    }
    return true;
  }

  /** The pages to which no link led. */
  notFound({ owners }: { owners: boolean }): string[] {
    const found = new Set([...this.pages.keys()].map(pathOf));
    return pageRoutes
      .filter(({ id }) => !/-route\.ts$/.test(id))
      .map(({ path = "" }) => `/${path}`)
      .filter((path) => isOwnersPage(path) === owners && !found.has(path));
  }
}

/** Closes a dialog or a menu. */
const pressEscape: Step = { name: "Escape", find: (page) => page.locator("body") };

/** In the header of every page. */
const home: Step = {
  name: "the name of the firm",
  find: (page) => page.locator('header a[href="/"]'),
};

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
  return links.map(({ address, ...link }) => ({
    ...link,
    url: new URL(address),
    find: (page) => page.locator(`a[href="${link.href}"]`),
  }));
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
