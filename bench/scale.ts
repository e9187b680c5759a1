// `npm run bench:scale`: compares a site with 10,000 posts and 10,000 reviews with one that has 10
// of each. Bytes are compressed HTML. Times are from request to last byte, uncached, one request at
// a time.
import { request } from "node:http";
import { connect } from "embedded-supabase/database.ts";
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

interface PageResponse {
  bytes: number;
  /** Milliseconds. */
  time: number;
}

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
  const [fromFew, fromMany]: [PageResponse[], PageResponse[]] = [[], []];
  for (let sample = 0; sample < samples; sample++) {
    fromFew.push(await requestPage(few.site.url + page));
    fromMany.push(await requestPage(many.site.url + page));
  }
  const [before, after] = [medians(fromFew), medians(fromMany)];
  return [
    page,
    before.bytes,
    after.bytes,
    before.time.toFixed(1),
    after.time.toFixed(1),
    (after.time / before.time).toFixed(2),
  ];
}

function medians(responses: PageResponse[]): PageResponse {
  return {
    bytes: median(responses.map(({ bytes }) => bytes)),
    // The first measurements warm the site up and are not counted.
    time: median(responses.slice(samples / 4).map(({ time }) => time)),
  };
}

/** Creates this many posts and reviews of equal size, and no others. */
async function fill({ databaseUrl }: Backend, count: number): Promise<void> {
  const sql = connect(databaseUrl, 1);
  await sql`delete from public.posts`;
  await sql`delete from public.testimonials`;
  const text = "A paragraph as long as those that advisers write, give or take a clause. ".repeat(
    4,
  );
  const content = Array.from({ length: 6 }, () => ({ type: "paragraph", text }));
  await sql`
    insert into public.posts (slug, title, category, author, content, published_date, created_at)
    select 'scale-' || number, 'A post among ' || lpad(number::text, 5, '0') || ' others',
           'Retirement', 'Ada Author', ${sql.json(content)}, time, time
      from generate_series(0, ${count - 1}::int) as number,
           lateral (select '2020-01-01'::timestamptz + make_interval(mins => number)) as times (time)`;
  await sql`
    insert into public.testimonials (name, role, content, rating, created_at)
    select 'Client ' || lpad(number::text, 5, '0'), 'Reader', ${text}, 5,
           '2020-01-01'::timestamptz + make_interval(mins => number)
      from generate_series(0, ${count - 1}::int) as number`;
  await sql.end();
}

/** Unlike `fetch`, does not decompress the response. */
function requestPage(url: string): Promise<PageResponse> {
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
