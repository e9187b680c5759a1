// Work that several visitors share is made by packages/embedded-supabase/src/rate-limits/shared-work.ts, which asks whose it
// is, and docs/security.md lists it.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const files = globSync("{server,packages/*/src}/**/*.ts", { cwd: root })
  .filter((file) => !file.endsWith(".test.ts") && !file.endsWith("/shared-work.ts"))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

/** What looks like shared work, and why it is none. */
const others: Record<string, string> = {
  "packages/embedded-supabase/src/auth/auth-service.ts": "mails that a stop waits for",
  "packages/embedded-supabase/src/backup/move.ts": "a command",
  "packages/embedded-supabase/src/functions/worker.ts":
    "the process of a function, as long as it runs",
  "packages/embedded-supabase/src/postgres/supervisor.ts": "the database's process",
  "packages/embedded-supabase/src/rate-limits/concurrency-limit.ts": "what turns are made of",
  "packages/embedded-supabase/src/realtime/connection.ts": "a queue for each socket",
  "packages/embedded-supabase/src/rest-auth.ts": "the cancellation of one request",
  "packages/embedded-supabase/src/scheduled-jobs.ts": "jobs, for which nobody waits",
  "server/archive/capture.ts": "a timer's task, for which nobody waits",
  "server/backend-fetch.ts": "records what one page reads",
  "server/graceful-shutdown.ts": "responses that a stop waits for",
  "server/images/load-sharp.ts": "the library",
};

const sharedPromise =
  /pLimit\(|createConcurrencyLimit\(|AsyncLocalStorage\b|(Map<[^>]*|Set<)Promise<|let \w+(: Promise<| = Promise\b)/;

test("shared promises and queues say whose work they are", () => {
  const found = files.filter(({ text }) => sharedPromise.test(text)).map(({ file }) => file);
  expect(found.toSorted()).toEqual(Object.keys(others));
});

test("the security document lists all shared work, and whose it is", () => {
  const made = files.flatMap(({ file, text }) =>
    [
      ...text.matchAll(/(?:createQueue|createSharedWork|createTurn)(?:<[^(]*>)?\(([^;]*?);/g),
    ].flatMap(([, args = ""]) =>
      [...args.matchAll(/"(for the site|in fair turns)"/g)].map(
        ([, whose = ""]) => `${file.split("/").at(-1)}: ${whose}`,
      ),
    ),
  );
  const security = readFileSync(join(root, "docs/security.md"), "utf8");
  const [, table = ""] =
    /\| shared work \| file \| whose \|.*\n\|---.*\n((?:\|.*\n)+)/.exec(security) ?? [];
  const listed = table
    .trim()
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()))
    .map(([, , file = "", whose = ""]) => `${file.replaceAll("`", "")}: ${whose}`);
  expect(new Set(listed)).toEqual(new Set(made));
});
