// `npm run bench`: measures the built site and a static copy of its home page in the same run.
// Options:
// --runs=3: Lighthouse runs per page and form factor
// --seconds=10: duration of each request measurement
// --pages=/,/blog: only these pages
// --against=FOLDER: measures the pages also in the build of another checkout, in alternating runs
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { createClient } from "@supabase/supabase-js";
import sharp from "sharp";
import type { Database } from "../app/supabase/database.ts";
import { ensureBrowser } from "../scripts/browser.mjs";
import { startNewSite } from "../tests/start-site.ts";
import { median, megabytes, table } from "./figures.ts";
import { measureNavigation, navigationColumns } from "./measure-navigation.ts";
import { type FormFactor, measurePages, pageColumns } from "./measure-page.ts";
import { measureRequests, requestColumns } from "./measure-requests.ts";
import {
  type Backend,
  expectCached,
  startBackend,
  startMeasuredSite,
  uncached,
} from "./measured-site.ts";
import type { ProcessUsage } from "./process-usage.ts";
import { startStaticCopy } from "./static-copy.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    seconds: { type: "string", default: "10" },
    pages: { type: "string" },
    against: { type: "string" },
  },
});
const runs = Number(values.runs);
const seconds = Number(values.seconds);
const chromePath = await ensureBrowser();

const backend = await startBackend();
const imageUrl = await uploadPhoto(backend);
const startTimes: number[] = [];
for (let start = 0; start < 2; start++) {
  const site = await startMeasuredSite(backend);
  startTimes.push(site.startTime);
  await site.stop();
}
const site = await startMeasuredSite(backend);
startTimes.push(site.startTime);
await fetch(site.url);
const other = values.against ? await startNewSite({}, { folder: values.against }) : null;
const copy = await startStaticCopy(site.url);
const memoryAtRest = site.memory();

try {
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, median of ${runs}\n`,
  );
  // Measured before the browser starts, which would compete for the processors.
  console.log(`${await requestTable()}\n`);
  console.log(
    `Start to first response, hosted project: ${Math.round(median(startTimes))} ms. Memory at rest: ${megabytes(memoryAtRest)} MB.\n`,
  );
  for (const formFactor of ["mobile", "cheap phone", "desktop"] as const) {
    console.log(`${await pageTable(formFactor)}\n`);
  }
  const navigations = await measureNavigation(backend.url, runs, chromePath);
  console.log(table(["phone: press on a link", ...navigationColumns], navigations));
} finally {
  await copy.stop();
  await other?.stop();
  await site.stop();
  await backend.stop();
}

async function requestTable(): Promise<string> {
  const measure = (url: string, usage: ProcessUsage, accept = "text/html") =>
    measureRequests(url, { accept, seconds, usage });
  const image = await measure(site.url + imageUrl, site, "image/avif");
  const { headers } = await fetch(site.url + imageUrl, { headers: { accept: "image/avif" } });
  if (headers.get("content-type") !== "image/avif") throw new Error("The image is not an AVIF");
  return table(
    ["address", ...requestColumns],
    [
      ["static copy of the home page", ...(await measure(copy.url, copy))],
      ["home page, cached", ...(await measureHomePage(site.url, true))],
      ["home page, uncached", ...(await measureHomePage(uncached(site.url), false))],
      ["image, 1200 px AVIF", ...image],
    ],
  );
}

async function measureHomePage(address: string, isCached: boolean): Promise<number[]> {
  const figures = await measureRequests(address, { accept: "text/html", seconds, usage: site });
  await expectCached(address, isCached);
  return figures;
}

/** Measures the site of the embedded backend, which a browser may ask from that site's pages only. */
async function pageTable(formFactor: FormFactor): Promise<string> {
  const rows: (string | number)[][] = [];
  const measure = async (pages: Record<string, string>) => {
    const figures = await measurePages(Object.values(pages), formFactor, runs, chromePath);
    rows.push(...Object.keys(pages).map((name, index) => [name, ...(figures[index] ?? [])]));
  };
  await measure({ "static copy of /": copy.url });
  for (const path of formFactor === "cheap phone" ? ["/"] : await paths()) {
    await measure({
      [path]: backend.url + path,
      ...(other && { [`${path} of ${values.against}`]: other.url + path }),
    });
  }
  return table([formFactor, ...pageColumns], rows);
}

/** Every public page, with one service and one post. */
async function paths(): Promise<string[]> {
  if (values.pages) return values.pages.split(",");
  const { data } = await createClient<Database>(backend.url, backend.publishableKey)
    .from("posts")
    .select("slug")
    .order("created_at")
    .limit(1)
    .single();
  return [
    "/",
    "/services",
    "/services/life-insurance",
    "/blog",
    `/blog/${data?.slug}`,
    "/testimonials",
    "/savings-calculator",
    "/contact",
    "/login",
  ];
}

/** @returns the URL of an image variant. */
async function uploadPhoto({ url, secretKey }: Backend): Promise<string> {
  const size = { width: 2400, height: 1350, channels: 3 as const };
  const photo = await sharp({
    create: { ...size, background: "#8a8171", noise: { type: "gaussian", mean: 128, sigma: 20 } },
  })
    .jpeg()
    .toBuffer();
  const { error } = await createClient(url, secretKey)
    .storage.from("images")
    .upload("public/bench.jpg", photo, { contentType: "image/jpeg" });
  if (error) throw error;
  return "/images/1200x675/uploads/bench.jpg?t=1";
}
