// Captures every public page for the archive: after the start, after changes, and when a day begins. One page at a time, with
// pauses, so that visitors do not wait.
import { hostname } from "node:os";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { PageRenderer } from "../pages/page-renderer.ts";
import { type ArchiveFile, copyFile, copyPage, createFile } from "./page-copy.ts";

/** A step of private.capture_site, with its value. */
export type CaptureStep = (
  step: "begin" | "file" | "page" | "end",
  value: object,
) => Promise<unknown>;

interface CaptureOptions {
  /** The public address. */
  siteUrl(): string;
  port: number;
  /** Milliseconds between the times when a pass may start. */
  interval: number;
  release: string;
  /** The day of the site's time zone: notices and licenses begin and end with one, without a change. */
  day(): string | undefined;
  /** The paths of the menu, which the sitemap may lack. */
  menu(): string[];
  /** The addresses of pages after a message was sent. */
  thanksPaths: readonly string[];
  /** The answers to forms: a page's path, and what is posted as the query. Fields that are missing have their preset values. */
  postedForms: readonly string[];
  /** Renders a page that is not taken from the cache. */
  renderPage: PageRenderer;
  /** Responds to requests for images and other files. */
  fetchFile(request: Request): Promise<Response>;
  step: CaptureStep;
  log?: (line: string) => void;
}

/** Milliseconds from the start of the site to the first pass. */
const startDelay = 2_000;
/** How often a pass renews its lease, which ends after two minutes. */
const leaseRenewal = 30_000;

const feeds = ["/rss.xml", "/atom.xml"];

const digestsSchema = z.record(z.string(), z.string()).nullable();
const missingSchema = z.array(z.string());

/** After so many failed pages in succession, a pass ends: the backend is down. */
const maxFailures = 3;

/** A request for which the site has no answer right now. */
class Unavailable extends Error {}

export type Capture = ReturnType<typeof createCapture>;

export function createCapture(options: CaptureOptions) {
  const { interval, release, menu, postedForms, renderPage, fetchFile, step } = options;
  const { day, thanksPaths } = options;
  const log = options.log ?? console.warn;
  /** The same after a restart, so that it takes over its own lease at once. */
  const holder = `${hostname()}:${options.port}`;
  let running: Promise<void> | null = null;
  let isDue = true;
  let isStopped = false;
  let hasFailed = false;
  /** The day of the last pass. */
  let captured: string | undefined;
  /** Share images by their addresses, which change with them, without bytes: drawing one takes 50 ms. */
  const drawn = new LRUCache<string, ArchiveFile>({ max: 2_000 });
  const timers = [setTimeout(tick, startDelay), setInterval(tick, interval)];
  for (const timer of timers) timer.unref();

  function tick(): void {
    if (running || (!isDue && day() === captured)) return;
    running = run().finally(() => {
      running = null;
    });
  }

  async function run(): Promise<void> {
    isDue = false;
    captured = day();
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
    const siteUrl = options.siteUrl();
    const { response } = await render("/sitemap.xml");
    const xml = await response.text();
    const listed = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = ""]) =>
      address.replaceAll("&amp;", "&").slice(siteUrl.length),
    );
    const paths = [...menu(), ...listed, ...feeds];
    const further = [...thanksPaths, ...postedForms];
    return [...paths, ...further.filter((form) => paths.includes(form.split("?")[0] ?? ""))];
  }

  /** @param former the digest of its last copy */
  async function capture(path: string, former: string | null): Promise<void> {
    const { response } = await render(path);
    const copy = response.status === 200 ? await copyResponse(path, response) : null;
    const digest = copy?.page.hash ?? null;
    if (digest === former) return;
    // The page has left the site, or its address leads to another one.
    const target = response.headers.get("location");
    const { title, files } = copy ?? { title: target ? `Leads to ${target}` : "", files: [] };
    const row = { path, title, digest, files: files.map(({ hash }) => hash), release };
    const missing = missingSchema.parse(await step("page", row));
    for (const file of files.filter(({ hash }) => missing.includes(hash))) {
      if (file.bytes.length === 0) {
        drawn.clear();
        throw new Unavailable(`The archive lacks an image of ${path}`);
      }
      await step("file", { ...file, bytes: file.bytes.toString("base64") });
    }
    if (missing.length > 0) await step("page", row);
  }

  /** @throws Unavailable */
  async function copyResponse(path: string, response: Response) {
    const type = typeOf(response);
    if (type === "text/html") return copyPage(await response.text(), readFile);
    if (!feeds.includes(path)) return null;
    const page = createFile(type, Buffer.from(await response.arrayBuffer()));
    return { title: "", page, files: [page] };
  }

  /** @throws Unavailable */
  async function render(path: string) {
    const url = new URL(path, options.siteUrl());
    const body = postedForms.includes(path) ? new URLSearchParams(url.search) : null;
    if (body) url.search = "";
    const rendering = await renderPage(new Request(url, body ? { method: "POST", body } : {}));
    if (rendering.use.failed || rendering.response.status >= 500) {
      throw new Unavailable(`${path} responded with ${rendering.response.status}`);
    }
    return rendering;
  }

  /** @throws Unavailable */
  async function readFile(path: string): Promise<ArchiveFile[] | null> {
    const siteUrl = options.siteUrl();
    const url = new URL(path, siteUrl);
    if (url.origin !== new URL(siteUrl).origin) return null;
    const isDrawn = url.pathname.startsWith("/share/");
    const known = drawn.get(path);
    if (known) return [known];
    const headers = { accept: "image/webp,*/*" };
    const response = isDrawn
      ? (await render(path)).response
      : await fetchFile(new Request(url, { headers }));
    if (response.status === 429 || response.status >= 500) {
      throw new Unavailable(`${path} responded with ${response.status}`);
    }
    if (!response.ok) return null;
    const bytes = Buffer.from(await response.arrayBuffer());
    const files = await copyFile(typeOf(response), bytes, readFile);
    const [file] = files;
    if (isDrawn && file) drawn.set(path, { ...file, bytes: Buffer.alloc(0) });
    return files;
  }

  return {
    /** Plans a pass after a change. */
    changed(): void {
      isDue = true;
    },
    /** Whether the last pass failed, so that changes may be missing. */
    isFailing: () => hasFailed,
    /** Ends a pass after its current page. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      await running;
    },
  };
}

function typeOf(response: Response): string {
  return response.headers.get("content-type")?.split(";")[0] ?? "";
}
