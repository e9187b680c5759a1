// `npm run bench:scale`: compares a site with 10,000 posts and 10,000 reviews with one that has 10
// of each. Bytes are compressed HTML. Times are from request to last byte, uncached, one request at
// a time.
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { createClient } from "@supabase/supabase-js";
import type { Database } from "../app/supabase/database.ts";
import { median, table } from "./figures.ts";
import { type Backend, startBackend, startMeasuredSite, uncached } from "./measured-site.ts";

const small = 10;
const large = 10_000;
const samples = 60;
const pages = [
  ...["/", "/blog", "/testimonials", "/blog/scale-5"].map(uncached),
  // All posts have these words. A search is never cached.
  "/blog?q=paragraph+clause",
];

// Both sites run at the same time and are requested in turn, so that other load slows both alike.
const few = await startFilled(small);
const many = await startFilled(large);
const rows: (string | number)[][] = [];
for (const page of pages) rows.push(await compare(page));
for (const { site, backend } of [few, many]) {
  await site.stop();
  await backend.stop();
}
console.log(
  table(
    ["page", `bytes, ${small}`, `bytes, ${large}`, `ms, ${small}`, `ms, ${large}`, "times as long"],
    rows,
  ),
);

async function startFilled(count: number) {
  const backend = await startBackend();
  await fill(backend, count);
  return { backend, site: await startMeasuredSite(backend) };
}

async function compare(page: string): Promise<(string | number)[]> {
  const responses: Record<"few" | "many", { bytes: number; time: number }[]> = {
    few: [],
    many: [],
  };
  for (let sample = 0; sample < samples; sample++) {
    responses.few.push(await requestPage(few.site.url + page));
    responses.many.push(await requestPage(many.site.url + page));
  }
  const [before, after] = [responses.few, responses.many].map((list) => ({
    bytes: median(list.map(({ bytes }) => bytes)),
    // The first measurements warm the site up and are not counted.
    time: median(list.slice(samples / 4).map(({ time }) => time)),
  })) as [{ bytes: number; time: number }, { bytes: number; time: number }];
  return [
    page,
    before.bytes,
    after.bytes,
    before.time.toFixed(1),
    after.time.toFixed(1),
    (after.time / before.time).toFixed(2),
  ];
}

/** Creates this many posts and reviews of equal size, and no others. */
async function fill({ url, secretKey }: Backend, count: number): Promise<void> {
  const client = createClient<Database>(url, secretKey);
  for (const table of ["posts", "testimonials"] as const) {
    const { error } = await client.from(table).delete().not("id", "is", null);
    if (error) throw error;
  }
  const time = (index: number) => new Date(Date.UTC(2020, 0, 1) + index * 60_000).toISOString();
  const text = "A paragraph as long as those that advisers write, give or take a clause. ".repeat(
    4,
  );
  // A request may have 1 MB.
  for (let first = 0; first < count; first += 250) {
    const indexes = Array.from({ length: Math.min(250, count - first) }, (_, i) => first + i);
    const posts = await client.from("posts").insert(
      indexes.map((index) => ({
        id: randomUUID(),
        slug: `scale-${index}`,
        title: `A post among ${String(index).padStart(5, "0")} others`,
        category: "Retirement",
        author: "Ada Author",
        content: Array.from({ length: 6 }, () => ({ type: "paragraph", text })),
        published_date: time(index),
        created_at: time(index),
      })),
    );
    const reviews = await client.from("testimonials").insert(
      indexes.map((index) => ({
        id: randomUUID(),
        name: `Client ${String(index).padStart(5, "0")}`,
        role: "Reader",
        content: text,
        rating: 5,
        created_at: time(index),
      })),
    );
    if (posts.error ?? reviews.error) throw posts.error ?? reviews.error;
  }
}

/** Unlike `fetch`, does not decompress the response. */
function requestPage(url: string): Promise<{ bytes: number; time: number }> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    request(
      url,
      { headers: { accept: "text/html", "accept-encoding": "br, gzip" } },
      (response) => {
        let bytes = 0;
        response.on("data", (piece: Buffer) => {
          bytes += piece.length;
        });
        response.on("end", () => {
          const { statusCode, headers } = response;
          const isRendered = statusCode === 200 && !headers["cache-status"];
          if (isRendered) resolve({ bytes, time: performance.now() - startedAt });
          else reject(new Error(`${url}: ${statusCode}, cache-status ${headers["cache-status"]}`));
        });
        response.on("error", reject);
      },
    )
      .on("error", reject)
      .end();
  });
}
