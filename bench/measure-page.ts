// Measures pages with Lighthouse as a phone, a phone with a slow processor and a desktop. Each figure is the median of the
// runs.
import { launch } from "chrome-launcher";
import lighthouse, { defaultConfig, desktopConfig } from "lighthouse";
import { median } from "./figures.ts";

type Result = NonNullable<Awaited<ReturnType<typeof lighthouse>>>["lhr"];

export type FormFactor = "mobile" | "cheap phone" | "desktop";

const { throttling = {} } = defaultConfig.settings ?? {};
/** Lighthouse's phone, with a processor that is 12 times slower instead of 4. */
const cheapPhone = { throttling: { ...throttling, cpuSlowdownMultiplier: 12 } };

/** One value for each of `pageColumns`. */
type PageFigures = number[];

/** The values that are read from Lighthouse's result, by the column of the table. */
const figures: Record<string, (result: Result) => number> = {
  "perf.": score("performance"),
  "access.": score("accessibility"),
  practices: score("best-practices"),
  SEO: score("seo"),
  "LCP ms": ({ audits }) => Math.round(numberOf(audits["largest-contentful-paint"])),
  "TBT ms": ({ audits }) => Math.round(numberOf(audits["total-blocking-time"])),
  CLS: ({ audits }) => Math.round(numberOf(audits["cumulative-layout-shift"]) * 1000) / 1000,
  "HTML KB": transferred("Document"),
  "JS KB": transferred("Script"),
  "CSS KB": transferred("Stylesheet"),
  "fonts KB": transferred("Font"),
  "images KB": transferred("Image"),
  "all KB": transferred(),
  "JS files": requested("Script"),
  requests: requested(),
};
export const pageColumns = Object.keys(figures);

/** How often a run is tried. */
const maxAttempts = 4;

/**
 * Measures the pages in turn, so that other work on this machine slows all alike.
 * @throws Error when Lighthouse fails on a page in all attempts
 */
export async function measurePages(
  urls: readonly string[],
  formFactor: FormFactor,
  runs: number,
  chromePath: string,
): Promise<PageFigures[]> {
  const measured = urls.map((): PageFigures[] => []);
  for (let run = 0; run < runs; run++) {
    for (const [index, url] of urls.entries()) {
      measured[index]?.push(await measureOnce(url, formFactor, chromePath));
    }
  }
  return measured.map((figures) =>
    pageColumns.map((_, column) => median(figures.map((values) => values[column] ?? 0))),
  );
}

async function measureOnce(
  url: string,
  formFactor: FormFactor,
  chromePath: string,
  attempt = 1,
): Promise<PageFigures> {
  // A fresh browser, with an empty cache.
  const chrome = await launch({
    chromePath,
    chromeFlags: ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    return await runLighthouse(url, formFactor, chrome.port);
  } catch (error) {
    // Chromium's trace sometimes lacks its start (NO_NAVSTART): "Please run Lighthouse again."
    if (attempt >= maxAttempts) throw error;
    console.error(`${error instanceof Error ? error.message : error}`);
  } finally {
    chrome.kill();
  }
  return measureOnce(url, formFactor, chromePath, attempt + 1);
}

async function runLighthouse(
  url: string,
  formFactor: FormFactor,
  port: number,
): Promise<PageFigures> {
  const result = await lighthouse(
    url,
    { port, output: "json", logLevel: "error", ...(formFactor === "cheap phone" && cheapPhone) },
    formFactor === "desktop" ? desktopConfig : undefined,
  );
  if (!result) throw new Error(`Lighthouse had no result for ${url}`);
  const { runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  return Object.values(figures).map((read) => read(result.lhr));
}

/** A score from 0 to 100. */
function score(category: string) {
  return ({ categories }: Result) => Math.round((categories[category]?.score ?? 0) * 100);
}

function numberOf(audit: Result["audits"][string] | undefined): number {
  return audit?.numericValue ?? Number.NaN;
}

/** The size of one type of resource, or of all, in kilobytes. */
function transferred(type?: string) {
  return (result: Result) => {
    const bytes = requests(result, type).reduce(
      (total, { transferSize = 0 }) => total + transferSize,
      0,
    );
    return Math.round((bytes / 1024) * 10) / 10;
  };
}

/** The number of requests of one type, or of all. */
function requested(type?: string) {
  return (result: Result) => requests(result, type).length;
}

function requests({ audits }: Result, type?: string) {
  const details = audits["network-requests"]?.details;
  const items = details && "items" in details && Array.isArray(details.items) ? details.items : [];
  return items.filter(({ resourceType }) => type === undefined || resourceType === type);
}
