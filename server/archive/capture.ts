// Captures every public page for the archive: after the start, after changes, and once a day. One page at a time, with pauses, so
// that visitors do not wait.
import { hostname } from "node:os";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { PageRenderer } from "../pages/page-renderer.ts";
import { copyFile, copyPage, type PageCopy, type ShownFile } from "./page-copy.ts";

/** A step of private.capture_site, with its value. */
export type CaptureStep = (
  step: "begin" | "file" | "page" | "end",
  value: object,
) => Promise<unknown>;

export interface CaptureOptions {
  siteUrl: string;
  port: number;
  /** Milliseconds from the end of a pass to the start of the next one. */
  interval: number;
  release: string;
  /** The paths of the menu, which the sitemap may lack. */
  menu(): string[];
  /** Renders a page that is not taken from the cache. */
  renderPage: PageRenderer;
  /** Responds to requests for images and other files. */
  fetchFile(request: Request): Promise<Response>;
  step: CaptureStep;
  log?: (line: string) => void;
}

/** Milliseconds from the start or a change to a pass: one change is often followed by others. */
const delay = 2_000;
const oneDay = 24 * 60 * 60_000;
/** How often a pass renews its lease, which ends after two minutes. */
const leaseRenewal = 30_000;
/** The maximum number of files whose hashes are in memory. */
const maxFiles = 10_000;

const digestsSchema = z.record(z.string(), z.string()).nullable();
const missingSchema = z.array(z.string());

/** After so many failed pages in succession, a pass ends: the backend is down. */
const maxFailures = 3;

/** A request for which the site has no answer right now. */
class Unavailable extends Error {}

export type Capture = ReturnType<typeof createCapture>;

export function createCapture(options: CaptureOptions) {
  const { siteUrl, interval, release, menu, renderPage, fetchFile, step } = options;
  const log = options.log ?? console.warn;
  /** The same after a restart, so that it takes over its own lease at once. */
  const holder = `${hostname()}:${options.port}`;
  /** The files by address, without their bytes. An address has a version, so its content stays the same. */
  const shown = new LRUCache<string, ShownFile>({ max: maxFiles });
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isDue = true;
  let isStopped = false;
  let hasFailed = false;
  let endedAt = 0;
  schedule(delay);

  /** Plans a pass after a change. */
  function changed(): void {
    if (isDue) return;
    isDue = true;
    if (!running) schedule(Math.max(delay, endedAt + interval - Date.now()));
  }

  function schedule(milliseconds: number): void {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(() => {
      running = run().finally(() => {
        running = null;
        endedAt = Date.now();
        schedule(isDue ? Math.max(interval, delay) : oneDay);
      });
    }, milliseconds).unref();
  }

  async function run(): Promise<void> {
    isDue = false;
    try {
      await pass();
      if (hasFailed) log("The archive captures pages again.");
      hasFailed = false;
    } catch (error) {
      isDue = true;
      // Logs the failure once per outage.
      if (!hasFailed && !isStopped) log(`Pages could not be captured for the archive: ${error}`);
      hasFailed = true;
    }
  }

  async function pass(): Promise<void> {
    const former = await begin();
    if (!former) {
      // Another process captures. If it dies, this one takes over.
      isDue = true;
      return;
    }
    let renewedAt = Date.now();
    const paths = await listPaths();
    let failure: unknown;
    let failures = 0;
    for (const path of new Set([...paths, ...Object.keys(former)])) {
      if (isStopped) return;
      if (Date.now() - renewedAt > leaseRenewal) {
        if (!(await begin())) throw new Error("another process took over");
        renewedAt = Date.now();
      }
      const startedAt = performance.now();
      try {
        await capture(path, former[path] ?? null);
        failures = 0;
      } catch (error) {
        // One page that cannot be rendered must not keep the others out of the archive.
        failure = error;
        if (!(error instanceof Unavailable) || ++failures === maxFailures) throw error;
      }
      // Leaves half of the time to visitors.
      await new Promise((resume) => setTimeout(resume, performance.now() - startedAt));
    }
    if (failure) throw failure;
    await step("end", { holder });
  }

  async function begin() {
    return digestsSchema.parse(await step("begin", { holder }));
  }

  async function listPaths(): Promise<string[]> {
    const { response } = await render("/sitemap.xml");
    const xml = await response.text();
    const listed = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = ""]) =>
      address.replaceAll("&amp;", "&").slice(siteUrl.length),
    );
    const paths = [...new Set([...menu(), ...listed])];
    const calculators = paths.includes("/savings-calculator") ? ["coverage", "retirement"] : [];
    return [...paths, ...calculators.map((name) => `/savings-calculator?calculator=${name}`)];
  }

  /** @param former the digest of its last copy */
  async function capture(path: string, former: string | null): Promise<void> {
    const { response } = await render(path);
    // The page has left the site, or its address leads to another one.
    const isPage =
      response.status === 200 && response.headers.get("content-type")?.startsWith("text/html");
    const copy = isPage ? await copyPage(await response.text(), readFile) : null;
    if ((copy?.page.hash ?? null) === former) return;
    await keep(path, copy);
  }

  async function keep(path: string, copy: PageCopy | null): Promise<void> {
    const { title = "", page, files = [] } = copy ?? {};
    const row = { path, title, digest: page?.hash ?? null, files, release };
    const missing = missingSchema.parse(await step("page", row));
    if (missing.length === 0) return;
    if (page) await storeFile(page);
    // A copy of the list, because reading a style sheet reorders it.
    for (const [address, { file }] of [...shown.entries()]) {
      if (!missing.includes(file.hash)) continue;
      const read = await fetchShown(address);
      if (read) await storeFile(read.file);
    }
    const stillMissing = missingSchema.parse(await step("page", row));
    if (stillMissing.length > 0) throw new Unavailable(`a file of ${path} changed meanwhile`);
  }

  async function storeFile({ bytes, ...file }: ShownFile["file"]): Promise<void> {
    await step("file", { ...file, bytes: bytes.toString("base64") });
  }

  /** @throws Unavailable */
  async function render(path: string) {
    const url = new URL(path, siteUrl);
    const calculator = url.searchParams.get("calculator");
    // Without scripts, a calculator's form is posted. Fields that it lacks have their preset values.
    const init = calculator ? { method: "POST", body: new URLSearchParams({ calculator }) } : {};
    if (calculator) url.search = "";
    const rendering = await renderPage(new Request(url, init));
    if (rendering.use.failed || rendering.response.status >= 500) {
      throw new Unavailable(`${path} responded with ${rendering.response.status}`);
    }
    return rendering;
  }

  async function readFile(path: string): Promise<ShownFile | null> {
    const known = shown.get(path);
    if (known) return known;
    const read = await fetchShown(path);
    if (read) shown.set(path, { ...read, file: { ...read.file, bytes: Buffer.alloc(0) } });
    return read;
  }

  /** @throws Unavailable */
  async function fetchShown(path: string): Promise<ShownFile | null> {
    const headers = { accept: "image/webp,*/*" };
    const response = await fetchFile(new Request(new URL(path, siteUrl), { headers }));
    if (response.status === 429 || response.status >= 500) {
      throw new Unavailable(`${path} responded with ${response.status}`);
    }
    if (!response.ok) return null;
    const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
    return copyFile(type, Buffer.from(await response.arrayBuffer()), readFile);
  }

  return {
    changed,
    /** Ends a pass after its current page. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
