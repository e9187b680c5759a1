// Measures one page with Lighthouse as a phone and as a desktop. Each figure is the median of the
// runs.
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import { median } from "./figures.ts";

export type FormFactor = "mobile" | "desktop";

export interface PageFigures {
  /** 0 to 100. */
  performance: number;
  accessibility: number;
  bestPractices: number;
  seo: number;
  /** Milliseconds. */
  largestContentfulPaint: number;
  totalBlockingTime: number;
  cumulativeLayoutShift: number;
  /** Transferred bytes by resource type, and `total`. */
  bytes: Record<ResourceType | "total", number>;
}

const resourceTypes = ["Document", "Script", "Stylesheet", "Font", "Image", "Fetch"] as const;
type ResourceType = (typeof resourceTypes)[number];

/** Number of retries for a page. */
const spareAttempts = 3;

/** @throws Error when Lighthouse fails on the page after all retries. */
export async function measurePage(
  url: string,
  formFactor: FormFactor,
  runs: number,
  chromePath: string,
): Promise<PageFigures> {
  const figures: PageFigures[] = [];
  for (let attempt = 0; figures.length < runs; attempt++) {
    // A fresh browser for each run, with an empty cache.
    const chrome = await launch({
      chromePath,
      chromeFlags: ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"],
    });
    try {
      figures.push(await measureOnce(url, formFactor, chrome.port));
    } catch (error) {
      // Chromium's trace sometimes lacks its start (NO_NAVSTART): "Please run Lighthouse again."
      if (attempt >= runs + spareAttempts - 1) throw error;
      console.error(`${error instanceof Error ? error.message : error}`);
    } finally {
      chrome.kill();
    }
  }
  return medians(figures);
}

async function measureOnce(
  url: string,
  formFactor: FormFactor,
  port: number,
): Promise<PageFigures> {
  const result = await lighthouse(
    url,
    { port, output: "json", logLevel: "error" },
    formFactor === "desktop" ? desktopConfig : undefined,
  );
  if (!result) throw new Error(`Lighthouse had no result for ${url}`);
  const { audits, categories, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100);
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
  return {
    performance: score("performance"),
    accessibility: score("accessibility"),
    bestPractices: score("best-practices"),
    seo: score("seo"),
    largestContentfulPaint: value("largest-contentful-paint"),
    totalBlockingTime: value("total-blocking-time"),
    cumulativeLayoutShift: value("cumulative-layout-shift"),
    bytes: bytesByType(audits["network-requests"]?.details),
  };
}

function bytesByType(details: unknown): PageFigures["bytes"] {
  const items =
    details && typeof details === "object" && "items" in details && Array.isArray(details.items)
      ? details.items
      : [];
  const bytes = Object.fromEntries(
    resourceTypes.map((type) => [
      type,
      sum(items.filter(({ resourceType }) => resourceType === type)),
    ]),
  ) as Record<ResourceType, number>;
  return { ...bytes, total: sum(items) };
}

function sum(items: { transferSize?: number }[]): number {
  return items.reduce((total, { transferSize = 0 }) => total + transferSize, 0);
}

function medians(figures: PageFigures[]): PageFigures {
  const of = (read: (figure: PageFigures) => number) => median(figures.map(read));
  return {
    performance: of((figure) => figure.performance),
    accessibility: of((figure) => figure.accessibility),
    bestPractices: of((figure) => figure.bestPractices),
    seo: of((figure) => figure.seo),
    largestContentfulPaint: of((figure) => figure.largestContentfulPaint),
    totalBlockingTime: of((figure) => figure.totalBlockingTime),
    cumulativeLayoutShift: of((figure) => figure.cumulativeLayoutShift),
    bytes: Object.fromEntries(
      [...resourceTypes, "total" as const].map((type) => [type, of(({ bytes }) => bytes[type])]),
    ) as PageFigures["bytes"],
  };
}
