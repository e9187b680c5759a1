import {
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
  type Response,
} from "@playwright/test";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../app/supabase/database.ts";
import { defaultSite } from "../default-site.ts";
import { ownerAccount } from "../prepared-data-dir.ts";
import { type NewSite, startNewSite } from "../start-site.ts";
import { translatePage } from "./translate.ts";

type Client = SupabaseClient<Database>;
type Tables = Database["public"]["Tables"];

export interface Options {
  /** Console messages that the page may print because the test causes a failure. */
  expectedErrors: RegExp | null;
  /** Whether the browser translates the pages. */
  isTranslated: boolean;
}

interface Fixtures {
  /** Rows that other people add while the page is open, which are deleted after the test. */
  rows: Rows;
}

interface WorkerFixtures {
  /** Environment variables for the site. */
  siteEnvironment: Record<string, string>;
  /** Each worker has a new site and runs one test at a time. */
  site: NewSite;
  siteUrl: string;
  /** Another visitor's client. */
  visitor: Client;
  /** The owner's client. */
  owner: Client;
}

export interface Rows {
  /** Without a rating it has 5 stars. */
  addTestimonial(
    values: Omit<Tables["testimonials"]["Insert"], "rating"> & { rating?: number },
  ): Promise<void>;
  addPost(values: Omit<Tables["posts"]["Insert"], "author"> & { author?: string }): Promise<void>;
  /** Marks reviews that the page itself adds, so that they are deleted after the test. */
  removeTestimonialsBy(name: string): void;
}

/** Lists may show a post whose image a test has deleted. */
function isImageOfOthers(message: ConsoleMessage): boolean {
  const { pathname } = new URL(message.location().url || "about:blank");
  return /^\/images\/[^/]+\/uploads\//.test(pathname) && /404/.test(message.text());
}

/** Reports a console error or warning, an uncaught exception, or a request to any host but the site's own. */
export function onProblem(
  page: Page,
  siteUrl: string | undefined,
  report: (problem: string) => void,
): void {
  let signedOut = false;
  page.on("console", (message) => {
    if (isImageOfOthers(message)) return;
    // Logout has overtaken a read of the page, which is then repeated as a visitor.
    if (signedOut && /status of 40[13]/.test(message.text())) return;
    // The test has left a page that was still connecting.
    if (message.text().includes("WebSocket is closed before the connection is established")) return;
    // On a busy machine a page is painted late. That fonts are used is checked with the bytes of the home page.
    if (message.text().includes("was preloaded using link preload but not used")) return;
    // The text of a failed request does not name it.
    const request = /^Failed to load/.test(message.text()) ? ` ${message.location().url}` : "";
    if (["error", "warning"].includes(message.type())) report(message.text() + request);
  });
  page.on("pageerror", (error) => report(String(error)));
  page.on("request", (request) => {
    const url = new URL(request.url());
    signedOut ||= url.pathname === "/auth/v1/logout";
    if (url.protocol.startsWith("http") && url.origin !== siteUrl) {
      report(`Request to ${url.origin}`);
    }
  });
}

/** React found a page that was translated before it started, and rendered its own. */
export const translatedEarly = /React error #418/;

/**
 * Playwright's test, with a page that fails the test on a console error, a hydration mismatch, an
 * uncaught exception, an unhandled rejection or a request to any host but the site's own.
 */
export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  expectedErrors: [null, { option: true }],

  isTranslated: [false, { option: true }],

  page: async ({ page, baseURL, expectedErrors, isTranslated }, use) => {
    const problems: string[] = [];
    onProblem(page, baseURL, (problem) => {
      if (isTranslated && translatedEarly.test(problem)) return;
      problems.push(problem);
    });
    if (isTranslated) await page.context().addInitScript(translatePage);
    // Applies to every page of the test.
    await page.context().addInitScript(() => {
      window.addEventListener("hydrated", () => Object.assign(window, { isHydrated: true }));
    });
    await use(page);
    expect(problems.filter((problem) => !expectedErrors?.test(problem))).toEqual([]);
  },

  siteEnvironment: [{}, { option: true, scope: "worker" }],

  site: [
    async ({ siteEnvironment }, use) => {
      const site = await startNewSite(siteEnvironment);
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],

  siteUrl: [async ({ site }, use) => use(site.url), { scope: "worker" }],

  baseURL: ({ siteUrl }, use) => use(siteUrl),

  visitor: [async ({ siteUrl }, use) => use(await connect(siteUrl)), { scope: "worker" }],

  owner: [
    async ({ siteUrl }, use) => {
      const client = await connect(siteUrl);
      const { error } = await client.auth.signInWithPassword(ownerAccount);
      if (error) throw error;
      await use(client);
    },
    { scope: "worker" },
  ],

  rows: async ({ visitor, owner, site }, use) => {
    const names: string[] = [];
    const slugs: string[] = [];
    await use({
      async addTestimonial(values) {
        names.push(values.name);
        const { error } = await visitor.from("testimonials").insert({ rating: 5, ...values });
        if (error) throw error;
      },
      async addPost(values) {
        slugs.push(values.slug);
        // The database sets the times of posts that accounts write.
        const isDated = values.created_at || values.published_date;
        const client = isDated ? await connect(site.url, site.secretKey) : owner;
        const { error } = await client
          .from("posts")
          .insert({ author: defaultSite.adviser.name, ...values });
        if (error) throw error;
      },
      removeTestimonialsBy: (name) => names.push(name),
    });
    for (const name of names) {
      // Deletes one by one: in a list, quotes in a hostile name would be parsed as syntax.
      const { error } = await owner.from("testimonials").delete().eq("name", name);
      if (error) throw error;
    }
    if (slugs.length > 0) await owner.from("posts").delete().in("slug", slugs);
  },
});

export { expect };

/** Waits for hydration. The page replays earlier clicks, but a test must not depend on that. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => "isHydrated" in window);
}

/** Opens a page and waits for hydration. */
export async function openPage(page: Page, path: string): Promise<Response | null> {
  const response = await page.goto(path);
  await waitForHydration(page);
  return response;
}

/** Lets requests that fail succeed after the next click, and not before: the page may repeat them by itself. */
export async function succeedAfterClick(page: Page, pattern: string | RegExp): Promise<void> {
  await page.evaluate(() => {
    Object.assign(window, { isClicked: false });
    const onClick = () => Object.assign(window, { isClicked: true });
    document.addEventListener("click", onClick, { capture: true, once: true });
  });
  await page.route(pattern, async (route) => {
    const isClicked = await page
      .evaluate(() => Reflect.get(window, "isClicked"))
      .catch(() => false);
    return isClicked ? route.continue() : route.fallback();
  });
}

/** Lays out all sections at once, as for a page that is opened by a link. */
export async function layOutSections(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dataset.layout = "complete";
  });
}

/** The toast with this title. */
export function toast(page: Page, title: string): Locator {
  return page
    .getByRole("region", { name: "Notifications" })
    .getByRole("dialog")
    .filter({ has: page.getByText(title, { exact: true }) });
}

/** Navigates on the client, as a link within the site does. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const { __reactRouterDataRouter: router } = window as unknown as {
      __reactRouterDataRouter: { navigate(path: string): Promise<void> };
    };
    router.navigate(to);
  }, path);
}

/**
 * Delays the browser's reads of a table. @returns a function that releases the waiting and all
 * later reads.
 */
export async function delayReads(page: Page, table: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/rest/v1/${table}?*`, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Delays the site's scripts. @returns a function that releases them. */
export async function delayScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** @param secretKey bypasses every policy; without it, the client has the public key that every page contains */
export async function connect(siteUrl: string, secretKey?: string): Promise<Client> {
  const html = secretKey ? "" : await (await fetch(siteUrl)).text();
  const [, key = ""] = /name="supabase-anon-key" content="([^"]+)"/.exec(html) ?? [];
  return createClient<Database>(siteUrl, secretKey ?? key, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
}
