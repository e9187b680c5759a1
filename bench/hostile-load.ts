// `npm run load:hostile`: runs every known attack from one address for 60 seconds and prints how
// other visitors were served. Fails when a visitor was rejected, more than 1 % waited over a
// second, or memory exceeded its limit.

import { MAX_MEMORY_BYTES } from "../tests/hostile-load/limits.ts";
import { runHostileLoad } from "../tests/hostile-load/run.ts";

const seconds = Number(process.env.LOAD_SECONDS ?? 60);
const { responses, peakMemory, exitCode } = await runHostileLoad(seconds);

const kinds = Map.groupBy(responses, ({ what }) => (what.startsWith("/") ? "page" : what));
for (const [kind, list] of kinds) {
  const times = list.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const statuses = Map.groupBy(list, ({ status }) => status);
  const counts = [...statuses].map(([status, same]) => `${same.length} × ${status}`).join(", ");
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  console.log(`${kind}: ${counts}; ms: p50 ${at(0.5)}, p95 ${at(0.95)}, max ${times.at(-1)}`);
}
const megabytes = Math.round(peakMemory / 1024 / 1024);
console.log(`memory of the site's process: at most ${megabytes} MB; exit code ${exitCode}`);

const rejected = responses.filter(({ status }) => status !== 200).length;
const late = responses.filter(({ milliseconds }) => milliseconds > 1000).length;
const failed = rejected > 0 || late > responses.length / 100;
if (failed || peakMemory > MAX_MEMORY_BYTES || exitCode !== 0) {
  console.error(
    `FAILED: ${rejected} requests of visitors were rejected, ${late} waited for over a second`,
  );
  process.exitCode = 1;
}
