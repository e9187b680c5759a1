// A walk through the site as people do it: by clicks from the home page. It finds the pages by itself, presses every kind of
// link on every kind of page, and goes back. Pages with the same route and the same query parameters are one kind: one post
// stands for all. A page that a press opens for the first time is explored before the walk goes back from it.
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
  /** The part of the page that it is in, if all pages share it. */
  shared: string | undefined;
}

interface Options {
  /** Whether to press the links between visitors' pages, too. Else only those that lead to a new kind of page. */
  amongVisitorsPages: boolean;
  /**
   * Whether to load each kind of page by its address, too, after the click that leads there, so that its links load the code
   * behind them. Else only the visitors' pages from which links lead to the owner's.
   */
  byAddress: boolean;
  /** Whether to press the buttons that change nothing outside the page, too. */
  buttons?: boolean;
  /** Puts links and buttons into the order in which they are pressed. */
  order?: <Item>(items: Item[]) => Item[];
}

export class Walk {
  readonly kinds = new Set<string>();
  presses = 0;
  /** Links that lead to no page of the site: to other sites, mails and files. */
  readonly notPressed = new Set<string>();
  readonly buttonsPressed = new Set<string>();
  readonly buttonsNotPressed = new Set<string>();

  private readonly page: Page;
  private readonly options: Options;
  /** The links that are pressed, or will be on an earlier page of the way. */
  private readonly claimed = new Set<string>();
  private problems: string[] = [];
  private readonly settle: (isWhole?: boolean) => Promise<string>;
  private readonly origin: string;
  /** Whether the page before on the way is one entry back. It is not after a fault, when a page is opened by its address. */
  private hasEntryBefore = true;

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
    await this.settle();
    await this.explore([]);
  }

  private kind(): string {
    return kindOf(new URL(this.page.url())) ?? "";
  }

  /** Presses the links of a page that was opened by the way. */
  private async explore(way: readonly Step[]): Promise<void> {
    const kind = this.kind();
    this.kinds.add(kind);
    // A list with a filter is the list again. Its buttons may differ.
    const isAgain = kind !== pathOf(kind) && this.kinds.has(pathOf(kind));
    if (isAgain && !this.options.buttons) return;
    const href = this.page.url();
    // All at once, so that a page that is found on the way does not press them again.
    const links = isAgain ? [] : await linksOf(this.page);
    const next = this.inOrder(links.filter((link) => this.claim(kind, link)));
    const leadsToOwners = next.some(({ url }) => isOwnersPage(kindOf(url) ?? ""));
    if (this.options.byAddress || (leadsToOwners && !isOwnersPage(kind))) {
      await this.page.reload();
      await waitForHydration(this.page);
      if (!(await this.check(way, ", by its address"))) return;
    }
    for (const link of next) await this.pressAndGoBack([...way, link], href);
    if (this.options.buttons) await this.pressButtons(kind, way, href);
  }

  private inOrder<Item>(items: Item[]): Item[] {
    return this.options.order?.(items) ?? items;
  }

  /** Whether to press a link: the first of its kind. */
  private claim(kind: string, { url, shared }: PageLink): boolean {
    const target = url.origin === this.origin ? kindOf(url) : undefined;
    if (!target) {
      this.notPressed.add(url.href);
      return false;
    }
    const key = this.kindOfLink(kind, target, shared);
    if (this.claimed.has(key)) return false;
    this.claimed.add(key);
    return true;
  }

  private kindOfLink(kind: string, target: string, shared: string | undefined): string {
    if (shared === skipLink) return skipLink;
    const from = shared ?? kind;
    if (this.options.amongVisitorsPages || isOwnersPage(target)) return `${from} > ${target}`;
    // One leads to each of the visitors' pages, and one from each of the owner's pages to a page of visitors.
    return isOwnersPage(kind) ? `${from} > visitors` : target;
  }

  private async pressAndGoBack(way: readonly Step[], href: string): Promise<void> {
    const { hasEntryBefore } = this;
    this.hasEntryBefore = true;
    let isRight = await this.press(way);
    if (isRight && !this.kinds.has(this.kind())) await this.explore(way);
    if (isRight && this.hasEntryBefore && this.page.url() !== href) {
      isRight = await this.goBack(way, href);
    }
    this.hasEntryBefore = hasEntryBefore;
    if (isRight && this.page.url() === href) return;
    await this.recover(href);
  }

  /** The next way begins with a page that works. */
  private async recover(href: string): Promise<void> {
    this.hasEntryBefore = false;
    await this.page.goto(href);
    await waitForHydration(this.page);
    await this.settle();
    this.problems = [];
  }

  /** Presses each kind of button, also those that another one shows, such as those of a dialog, and the links of menus. */
  private async pressButtons(kind: string, way: readonly Step[], href: string): Promise<void> {
    const done = new Set<string>();
    let path: Step[] = [];
    for (;;) {
      // After Back, a list may show the rows of the one before until its own are read.
      await this.settle();
      const { dialog, buttons, unnamed } = await buttonsOf(this.page);
      this.problems.push(...unnamed.map((html) => `A button without a name: ${html}`));
      const button = this.inOrder(buttons).find(
        ({ key, isShared }) => !done.has(key) && !(isShared && this.claimed.has(key)),
      );
      if (!button && !dialog) break;
      if (!button) {
        path.push(pressEscape);
        await this.page.keyboard.press("Escape");
        if ((await buttonsOf(this.page)).dialog === dialog)
          this.problems.push("The dialog stays open");
        if (!(await this.check([...way, ...path]))) await this.recover(href);
        continue;
      }
      done.add(button.key);
      if (button.isShared) this.claimed.add(button.key);
      if (isChanging(button, dialog !== "")) {
        this.buttonsNotPressed.add(`${kind}: ${button.label}`);
        continue;
      }
      this.buttonsPressed.add(`${kind}: ${button.label}`);
      if (!dialog) path = [];
      path.push(button);
      await this.pressButton(kind, [...way, ...path], href);
    }
    await this.check(way);
  }

  /** Presses the last of the way, and the links that it shows. */
  private async pressButton(kind: string, way: readonly Step[], href: string): Promise<void> {
    const before = new Set((await linksOf(this.page)).map(({ href }) => href));
    let isRight = await this.press(way);
    const shown = isRight && this.page.url() === href ? await linksOf(this.page) : [];
    const next = shown.filter(
      (link) => !before.has(link.href) && this.claim(`${kind}, ${way.at(-1)?.name}`, link),
    );
    for (const link of this.inOrder(next)) {
      // A menu that the link before has closed.
      const isShown = (await linksOf(this.page)).some(({ href }) => href === link.href);
      if (!isShown) await this.press(way);
      await this.pressAndGoBack([...way, link], href);
    }
    // Closes a menu.
    if ((await buttonsOf(this.page)).dialog === "") await this.page.keyboard.press("Escape");
    if (isRight && this.page.url() !== href) isRight = await this.goBack(way, href);
    if (!isRight) await this.recover(href);
  }

  /** Presses the last of the way. */
  private async press(way: readonly Step[]): Promise<boolean> {
    this.presses++;
    const last = way.at(-1);
    const found = last?.find(this.page).filter({ visible: true }).first();
    try {
      // It is seen only with a keyboard.
      if (last && "shared" in last && last.shared === skipLink) await found?.press("Enter");
      else await found?.click({ timeout: 10_000 });
    } catch (error) {
      this.problems.push(firstLine(error));
    }
    return this.check(way);
  }

  private async goBack(way: readonly Step[], href: string): Promise<boolean> {
    await this.page.goBack({ waitUntil: "commit" });
    if (this.page.url() !== href) this.problems.push(`It leads to ${this.page.url()}`);
    return this.check(way, ", then Back", false);
  }

  /** @returns whether the page is shown, or all of its content, and nothing was wrong on the way to it */
  private async check(way: readonly Step[], last = "", isWhole = true): Promise<boolean> {
    const missing = await this.settle(isWhole);
    const found = missing ? [...this.problems, missing] : this.problems;
    this.problems = [];
    const clicks = way.map(({ name }) => ` → ${name}`).join("");
    // The walk continues: it reports every fault.
    expect.soft(found, `/${clicks}${last}`).toEqual([]);
    return found.length === 0;
  }

  /** The pages to which no link led. */
  notFound({ owners }: { owners: boolean }): string[] {
    const found = new Set([...this.kinds].map(pathOf));
    return pageRoutes
      .filter(({ id }) => !/-route\.ts$/.test(id))
      .map(({ path = "" }) => `/${path}`)
      .filter((path) => isOwnersPage(path) === owners && !found.has(path));
  }
}

/** Closes a dialog or a menu. */
const pressEscape: Step = { name: "Escape", find: (page) => page.locator("body") };

const pageRoutes = routes.map(({ path, file, index }) =>
  index ? ({ index, id: file } as const) : { path, id: file },
);

/** @returns the route of an address with the names of its parameters; undefined for what is no page */
function kindOf(url: URL): string | undefined {
  const route = matchRoutes(pageRoutes, url.pathname)?.at(-1)?.route;
  if (!route || /-route\.ts$/.test(route.id) || url.pathname.startsWith("/files/")) return;
  const names = [...new Set(url.searchParams.keys())].sort();
  // Each form of the settings is a kind of its own.
  const section = /^\/manage\/settings\/(\w+)$/.exec(url.pathname)?.[1];
  if (section) names.unshift(section);
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

/** The parts that pages share. */
const sharedParts = ["header[data-site]", ":has(+ main)", "main ~ *", "main nav:has(+ div h1)"];
/** Skips to the content. */
const skipLink = "#content";
const inSharedPart = sharedParts.map((part) => `${part} a`).join();

/** The links that a person sees, and the one that skips to the content. */
async function linksOf(page: Page): Promise<PageLink[]> {
  const links = await page.locator("a[href]").evaluateAll((all, parts) => {
    return all.flatMap((link) => {
      if (!(link instanceof HTMLAnchorElement) || !link.checkVisibility()) return [];
      if (link.closest("[inert], [aria-hidden=true]")) return [];
      const name = link.ariaLabel ?? link.textContent.replace(/\s+/g, " ").trim();
      const href = link.getAttribute("href") ?? "";
      const shared = parts.find((part) => link.closest(part));
      return { name: `link "${name}"`, href, shared, address: link.href };
    });
  }, sharedParts);
  return links.map(({ name, href, shared, address }) => ({
    name,
    href,
    shared: href === skipLink ? skipLink : shared,
    url: new URL(address),
    find: (page) => {
      // A message that was opened leaves the new ones.
      const isMessage = href.includes("?message=");
      const link = isMessage ? 'a[href*="?message="]' : `a[href="${href}"]`;
      return page.locator(shared ? `${shared} ${link}` : `${link}:not(${inSharedPart})`);
    },
  }));
}

/**
 * @returns a function that waits until the page has a heading and no navigation is under way; with `isWhole`, also until no request
 * is open and no text says that something is loading. It returns what is missing when the time is over, else an empty text.
 */
function watchRequests(page: Page): (isWhole?: boolean) => Promise<string> {
  const open = new Set<unknown>();
  page.on("request", (request) => {
    if (["fetch", "script", "stylesheet"].includes(request.resourceType())) open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  // With a new document, the requests of the one before it are gone.
  page.on("domcontentloaded", () => open.clear());
  return async (isWhole = true) => {
    const deadline = Date.now() + 15_000;
    for (;;) {
      const missing = await page.evaluate(waitForPage, { isWhole, deadline }).catch(firstLine);
      if (missing === applicationError || Date.now() > deadline) return missing || "open requests";
      if (!missing && (!isWhole || open.size === 0)) return "";
    }
  };
}

const applicationError = "Unexpected Application Error!";

/** React's tree. */
interface Fiber {
  child: Fiber | null;
  memoizedProps: { location?: { key: string }; navigator?: unknown } | null;
  stateNode: { current: Fiber };
}

interface Router {
  state: { location: { key: string }; navigation: { state: string }; revalidation: string };
}

/** Runs in the page. @returns what is missing at the deadline */
async function waitForPage(options: { isWhole: boolean; deadline: number }): Promise<string> {
  const { isWhole, deadline } = options;
  for (;;) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const missing = missingIn();
    if (!missing || missing.startsWith("Unexpected") || Date.now() > deadline) return missing;
  }

  function missingIn(): string {
    const applicationError = "Unexpected Application Error!";
    if (document.body.textContent.includes(applicationError)) return applicationError;
    const router: Router | undefined = Reflect.get(window, "__reactRouterDataRouter");
    if (router?.state.navigation.state !== "idle") return "the end of the navigation";
    if (router.state.revalidation !== "idle") return "the end of the revalidation";
    // The router is at the next page before React has rendered it.
    if (renderedLocation() !== router.state.location.key) return "the next page";
    const isShown = (element: Element) => element.checkVisibility();
    if (![...document.querySelectorAll("h1")].some(isShown)) return "a heading";
    const statuses = [...document.querySelectorAll("[role=status]")].filter(isShown);
    const loading = statuses.find(({ textContent }) => /^(Loading|Reading)/.test(textContent));
    return isWhole && loading ? `the end of "${loading.textContent}"` : "";
  }

  function renderedLocation(): string | undefined {
    const root = Object.keys(document).find((key) => key.startsWith("__reactContainer$"));
    let fiber: Fiber | null = root ? Reflect.get(document, root).stateNode.current : null;
    // The component Router, which provides the location.
    while (fiber && !fiber.memoizedProps?.navigator) fiber = fiber.child;
    return fiber?.memoizedProps?.location?.key;
  }
}
