// An export of 10,000 versions: its memory must not grow with the archive.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { exportArchive } from "../../app/manage/archive/export-archive.ts";
import type { Client } from "../../app/supabase/client-context.ts";
import { loadRouteFile, versionOf } from "../archive-versions.ts";

const versions = 10_000;
const first = "2027-01-01T00:00:00Z";
const paragraph = "A sentence of a post about insurance, as long as most are. ".repeat(20);

/** One of 500 posts, each with many versions of 12 KB. */
function entry(number: number) {
  const id = `post-${number % 500}`;
  const at = new Date(Date.parse(first) + number * 60_000).toISOString();
  const document = {
    ...{
      id,
      slug: id,
      title: `Post ${id}`,
      category: "Taxes",
      author: "Ada",
      tagline: "",
      alt: "",
    },
    ...{ image_url: null, related_services: [], published_date: first, created_at: first },
    content: Array.from({ length: 10 }, (_, index) => ({
      type: "paragraph",
      text: `${number}.${index} ${paragraph}`,
    })),
    updated_at: at,
  };
  return {
    ...versionOf("post", id, document),
    ...{ number, since: at, until: null, by: "Ada", digest: "d".repeat(64), hash: "h".repeat(64) },
  };
}

test("10,000 versions are exported in the memory of a few hundred", {
  timeout: 900_000,
}, async () => {
  vi.stubGlobal(
    "fetch",
    async () => new Response("", { headers: { "content-type": "image/webp" } }),
  );
  const functions: Record<string, (args: { after: number }) => unknown> = {
    archive_at: () => ({ total: 0, rows: [] }),
    archive_period: ({ after }) => ({
      rows: Array.from({ length: Math.min(100, versions - after) }, (_, index) =>
        entry(after + index + 1),
      ),
    }),
  };
  const rpc = (name: string, args: { after: number }) => ({
    throwOnError: async () => ({ data: functions[name]?.(args) }),
  });
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const heaps: number[] = [];
  const { file } = await exportArchive({
    client: { rpc } as unknown as Client,
    summary: { entries: versions, first_at: first, last_number: versions, last_hash: "" },
    ...{ starts: first, ends: "2028-01-01T00:00:00Z", timeZone: "UTC" },
    stylesheet: "/assets/app.css",
    signal: new AbortController().signal,
    onProgress(number) {
      if (number % (versions / 10) !== 0) return;
      collect();
      heaps.push(Math.round(process.memoryUsage().heapUsed / 1e6));
    },
    loadFile: loadRouteFile,
  });
  const growth = ((heaps.at(-1) ?? 0) - (heaps[1] ?? 0)) / (heaps.length - 2);
  console.log(
    `${versions} versions, ${Math.round(file.size / 1e6)} MB, heap in MB: ${heaps.join(" ")}`,
  );
  expect(heaps).toHaveLength(10);
  // Per 1,000 entries, which have 12 MB: their rows of the index and the manifest, and their places in the zip file.
  expect(growth).toBeLessThan(12);
});
