import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { rateLimits } from "../../backend/rate-limits/limits.ts";
import { startDatabase } from "../../backend/start-database.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

test("the migrations and the embedded backend have the same rate limits", async () => {
  const folder = await createTemporaryFolder("limits");
  onTestFinished(() => rm(folder, { recursive: true }));
  const { sql, stop } = await startDatabase({
    dataDir: join(folder, "data"),
    siteUrl: "http://localhost",
    onStep: () => {},
  });
  onTestFinished(stop);

  const stored = await sql<{ action: string; per: string; count: number; seconds: number }[]>`
    select action, scope as per, max_count as count, extract(epoch from period)::int as seconds
    from private.request_limits`;
  const expected = (["review", "contact", "invite"] as const).flatMap((action) =>
    rateLimits[action].map((limit) => ({ action, ...limit })),
  );
  const lines = (
    rows: readonly { action: string; per: string; count: number; seconds: number }[],
  ) =>
    rows
      .map(({ action, per, count, seconds }) => `${action} ${per} ${count} ${seconds}`)
      .toSorted();
  expect(lines(stored)).toEqual(lines(expected));
});
