// The numbers of limits in documents and settings are those of the code.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Limit, ownLimits } from "embedded-supabase/rate-limits/limits.ts";
import { expect, test } from "vitest";
import { maxImageMegabytes } from "../app/config/image-address.ts";
import { requestLimits } from "../server/limits/request-limits.ts";

const root = join(import.meta.dirname, "..");
const embedded = "packages/embedded-supabase/src/";
const read = (file: string) =>
  readFileSync(join(root, file.replace(/^embedded\//, embedded)), "utf8");
const security = "docs/security.md";

/** A text of the document, a file of the code, and a text there: `#` stands for the number, times the factor in the code. */
type Quote = [phrase: string, file: string, code: string, factor?: number];

const bounds: Quote[] = [
  [
    "list of files to remove | # MB",
    "embedded/request-bounds.ts",
    "rest\\/v1\\//, bytes: # *",
    1024,
  ],
  [
    "list of files to remove | # MB",
    "embedded/request-bounds.ts",
    "object\\/[^/]+$/, bytes: # *",
    1024,
  ],
  ["function body | # kB", "embedded/request-bounds.ts", "functions)\\/v1\\//, bytes: # *"],
  ["sent to a page | # kB", "server/request-checks.ts", "maxPageBody = # * 1024;"],
  ["| image | # MB", "app/config/image-address.ts", "maxImageMegabytes = #;"],
  ["| PDF | # MB", "app/manage/images/image-storage.ts", "maxFileMegabytes = #;"],
  ["| PDF | # MB", "supabase/migrations/20261122120250_files.sql", "# * 1024 * 1024, array["],
  ...["embedded/storage/check-image.ts", "server/images/make-variant.ts"].map(
    (file): Quote => ["MB; # megapixels", file, "maxPixels = #;", 1_000_000],
  ),
  ["MB; # megapixels", "app/manage/images/image-file.ts", "maxPixels = #;", 1_000_000],
  ["| JSON | # levels", "embedded/request-bounds.ts", "MAX_JSON_DEPTH = #;"],
  ["text of a post | # kB", "app/manage/posts/post-schema.ts", "maxContentBytes = #;", 1000],
  ["# links and images", "app/manage/posts/post-schema.ts", "maxContentLinks = #;"],
  ["# values, such as", "app/manage/posts/post-schema.ts", "maxContentValues = #;"],
  ["| address | # kB", "embedded/request-bounds.ts", "MAX_URL_LENGTH = # * KILOBYTE;"],
  ["| address | # kB", "server/request-checks.ts", "maxUrlLength = # * 1024;"],
  ["headers | # kB", "server/limits/connection-limits.ts", "maxHeaderSize: # * 1024,"],
  ["kB, within # s", "server/limits/connection-limits.ts", "headersTimeout: #,", 1000],
  ["| body | # s plus", "server/limits/connection-limits.ts", "bodyGrace: #,", 1000],
  ["its length at # kB/s", "server/limits/connection-limits.ts", "minBytesPerSecond: # * 1024,"],
  ["reading a response | # s", "server/limits/connection-limits.ts", "readGrace: #,", 1000],
  ["unread bytes at # kB/s", "server/limits/connection-limits.ts", "minBytesPerSecond: # * 1024,"],
  [
    "# MB unread per address",
    "server/limits/connection-limits.ts",
    "unreadPerAddress: # * 1024 * 1024",
  ],
  [
    "| connections | # per address",
    "server/limits/connection-limits.ts",
    "connectionsPerAddress: #,",
  ],
  ["100 per address, # in all", "server/limits/connection-limits.ts", "\n  connections: #,"],
  ["requests | # per connection", "server/limits/connection-limits.ts", "pipelined: #,"],
  ["open requests | # per address", "server/start-site.ts", "total: 1000, perVisitor: #,"],
  ["size of a response | # rows", "embedded/rest/rest-api.ts", "MAX_ROWS = #;"],
  ["size of a response | # rows", "supabase/config.toml", "max_rows = #"],
  [
    "rows; # MB, from the widths",
    "embedded/rest/rest-api.ts",
    "MAX_RESPONSE_BYTES = # * 1024 * 1024",
  ],
  ["one statement | # s", "embedded/rest-auth.ts", "STATEMENT_TIMEOUT_MS = #;", 1000],
  ["one statement | # s", "embedded/database.ts", 'STATEMENT_TIMEOUT = "#s";'],
  ["concurrent requests | # per address", "embedded/rest/rest.ts", "perVisitor: #,"],
  ["4 per address, # in all", "embedded/rest/rest.ts", "total: #,"],
  ["in all; # and", "embedded/rest/rest.ts", "waitingPerVisitor: #,"],
  ["and # more wait", "embedded/rest/rest.ts", "waiting: #,"],
  ["400 more wait for up to # s", "embedded/rest/rest.ts", "timeout: #,", 1000],
  ["renderings | # per address", "server/start-site.ts", "rendering: { total: 6, perVisitor: #,"],
  ["3 per address, # in all", "server/start-site.ts", "rendering: { total: #,"],
  ["in all; more wait for up to # s", "server/start-site.ts", "waiting: 300, timeout: # }", 1000],
  ["then # a second | the last", "server/pages/page-cache.ts", "renderIntervalMs = #;", 1000],
  [
    "Realtime sockets | # per address",
    "embedded/realtime/realtime.ts",
    "MAX_SOCKETS_PER_VISITOR = #;",
  ],
  ["20 per address, # in all", "embedded/realtime/realtime.ts", "MAX_SOCKETS = #;"],
  ["own, # connects", "embedded/realtime/realtime.ts", "CONNECTS_PER_VISITOR = { count: #,"],
  ["connects in # minutes", "embedded/realtime/realtime.ts", "count: 120, seconds: # }", 60],
  ["per socket | # channels", "embedded/realtime/connection.ts", "MAX_CHANNELS = #;"],
  ["channels of # sub", "embedded/realtime/connection.ts", "MAX_SUBSCRIPTIONS_PER_CHANNEL = #;"],
  ["messages of # kB", "embedded/realtime/realtime.ts", "MAX_MESSAGE_BYTES = # * 1024;"],
  ["kB, # a minute", "embedded/realtime/connection.ts", "MESSAGES = { count: #, seconds: 60 }"],
  ["minute, # s to join", "embedded/realtime/connection.ts", "\nconst JOIN_TIMEOUT_MS = #;", 1000],
  ["channel, # kB unread", "embedded/realtime/connection.ts", "MAX_UNSENT_BYTES = # * 1024;"],
  ["waiting for delivery | #", "embedded/realtime/realtime.ts", "MAX_WAITING_CHANGES = #;"],
  ["log lines | # at once", "server/log.ts", "burst = #;"],
  ["then # a second, errors", "server/log.ts", "perSecond = #;"],
  ["separately; # characters", "server/log.ts", "maxLength = #;"],
];

const renderings = "after changes | # at once";

test.each(bounds)("the bound '%s' is the one in %s", (phrase, file, code, factor = 1) => {
  expect(numberOf(file, code)).toBe(numberOf(security, phrase) * factor);
});

test("each number in the table of bounds is compared with the code", () => {
  const [, table = ""] = /\n## Bounds\n([\s\S]*?)\n\n(?!\|)/.exec(read(security)) ?? [];
  expect(table.split("\n").length).toBeGreaterThan(20);
  const compared = new Set(
    [renderings, ...bounds.map(([phrase]) => phrase)].flatMap((phrase) => placesOf(table, phrase)),
  );
  // The request that may render at any time, and those ahead of the interval.
  const ahead = numberOf("server/pages/page-cache.ts", "maxAheadMs = # * renderIntervalMs;");
  expect(numberOf(security, renderings)).toBe(1 + ahead);
  for (const row of table.matchAll(/^\|.*(?=\|[^|]*\|$)/gm)) {
    for (const { index } of row[0].matchAll(/\d[\d,]*/g)) {
      expect([row[0], compared.has(row.index + index)]).toEqual([row[0], true]);
    }
  }
});

test("the table of rate limits is the one of the code", () => {
  const rows: [label: string, limits: readonly Limit[]][] = [
    ["contact message", requestLimits.contact],
    ["testimonial", requestLimits.testimonial],
    ["invitation", requestLimits.invite],
    ["sign-in and new passwords, together", ownLimits.signIn.limits],
    ["session refresh", ownLimits.refresh.limits],
    ["password reset mail, new address", ownLimits.reset.limits],
    ["confirming a mailed link", ownLimits.verify.limits],
    ["any other call of a function", ownLimits.call.limits],
    ["search in the blog", requestLimits.search],
  ];
  expect(rows).toHaveLength(Object.keys({ ...requestLimits, ...ownLimits }).length - 1);
  const table = rows.map(([label, limits]) => {
    const cell = (scope: string) =>
      limits.flatMap(({ per, ...limit }) => (per === scope ? describe(limit) : [])).join(", ");
    return `| ${label} | ${cell("visitor")} | ${cell("everyone")} |`.replaceAll("|  |", "| |");
  });
  const text = read(security);
  const [, found = ""] =
    /\| per address \| all visitors \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(text) ?? [];
  expect(found.trim().split("\n")).toEqual(table);
  const [{ count, seconds }] = ownLimits.password.limits;
  expect(text).toContain(
    `One account may try its current password ${count} times in ${seconds / 60} minutes`,
  );
});

test.each<Quote>([
  ["`images` is public with # MB", "supabase/config.toml", 'file_size_limit = "#MiB"'],
  [
    "`images` is public with # MB",
    "supabase/migrations/20261122120200_images.sql",
    "# * 1024 * 1024, array[",
  ],
  ["A query has at most # characters and", "app/loading/search-query.ts", "maxQueryLength = #;"],
  [
    "the newest # matches are ranked",
    "supabase/migrations/20261122120400_post_search.sql",
    "place <= # then",
  ],
  [
    "only text, at most # characters",
    "supabase/migrations/20261122120900_messages.sql",
    "A query has at most # characters",
  ],
  [
    "a response has at most # rows;",
    "supabase/migrations/20261122120900_messages.sql",
    "search_messages.count, 0), #)",
  ],
  ["One address counts at most # times", "server/visits/visit-counter.ts", "maxPerVisitor = #;"],
  ["max rows #.", "supabase/config.toml", "max_rows = #"],
])("docs/security.md quotes the code in '%s' (%s)", (phrase, file, code) => {
  expect(numberOf(file, code)).toBe(numberOf(security, phrase));
});

test.each<Quote>([
  ["uploads of # MB.", "app/config/image-address.ts", "maxImageMegabytes = #;"],
  ["A line has at most # characters", "server/log.ts", "maxLength = #;"],
  ["At most # lines at once", "server/log.ts", "burst = #;"],
  ["at once, then # per second", "server/log.ts", "perSecond = #;"],
])("docs/operations.md quotes the code in '%s' (%s)", (phrase, file, code) => {
  expect(numberOf(file, code)).toBe(numberOf("docs/operations.md", phrase));
});

test("the proxy of the documents lets the largest upload pass", () => {
  expect(numberOf("deploy/nginx.conf", "client_max_body_size #m;")).toBeGreaterThan(
    maxImageMegabytes,
  );
});

/** As the table says it: "5 in 10 minutes", "20 a day". */
function describe({ count, seconds }: { count: number; seconds: number }): string {
  const periods: Record<number, string> = { 60: "a minute", 3600: "an hour", 86400: "a day" };
  const period =
    periods[seconds] ?? (seconds < 60 ? `in ${seconds} seconds` : `in ${seconds / 60} minutes`);
  return `${count.toLocaleString("en-US")} ${period}`;
}

const numberPattern = /\d[\d,_]*/;

/** The number in the only place of a file that has the phrase. */
function numberOf(file: string, phrase: string): number {
  const text = read(file);
  const places = placesOf(text, phrase);
  expect([file, phrase, places.length]).toEqual([file, phrase, 1]);
  const [found = ""] = numberPattern.exec(text.slice(places[0])) ?? [];
  return Number(found.replaceAll(/[,_]/g, ""));
}

/** Where the number is in each place of a text that has the phrase. */
function placesOf(text: string, phrase: string): number[] {
  const [before = "", after = ""] = phrase.split("#").map(escaped);
  const pattern = new RegExp(`(?<=${before})${numberPattern.source}(?=${after})`, "g");
  return [...text.matchAll(pattern)].map(({ index }) => index);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
