// `npm run fuzz`: sends thousands of generated requests to a site on loopback and looks for a 5xx,
// a hang or a crash. Environment: FUZZ_REQUESTS (20000), FUZZ_SEED (random) and FUZZ_LANES (6).
// Failures are printed shrunk; after the fix they are added to found.json, which `npm test`
// replays.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { readKeys } from "./keys.ts";
import { sendRaw } from "./raw-request.ts";
import { type FuzzRequest, fuzzRequests } from "./requests.ts";
import { problemOf } from "./verdict.ts";

const requests = Number(process.env.FUZZ_REQUESTS ?? 20_000);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
const lanes = Number(process.env.FUZZ_LANES ?? 6);
const port = Number(process.env.FUZZ_PORT ?? 4319);

const folder = await createTemporaryFolder("fuzz");
const dataDir = join(folder, "data");
const site = await startSite(
  port,
  {
    DATA_DIR: dataDir,
    OWNER_EMAIL: "owner@example.com",
    OWNER_PASSWORD: "a-password-for-tests",
  },
  { hideErrors: true },
);

const counts = new Map<string, Map<string, number>>();
const slowest: { milliseconds: number; request: FuzzRequest }[] = [];
const failures: { why: string; seed: number; request: FuzzRequest }[] = [];
let sent = 0;
const began = performance.now();
try {
  const keys = await readKeys(port, dataDir);
  const arbitrary = fuzzRequests(keys);
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(arbitrary, lane)));
  const health = await fetch(`http://127.0.0.1:${port}/`);
  if (!health.ok)
    failures.push({ why: `The home page responds with ${health.status}`, seed, request: none() });
} finally {
  const code = await stopSite(site);
  if (code !== 0) failures.push({ why: `The site ended with code ${code}`, seed, request: none() });
  await rm(folder, { recursive: true });
}
report();
process.exit(failures.length > 0 ? 1 : 0);

/** After a failure, continues with another seed until its share is sent. */
async function runLane(arbitrary: fc.Arbitrary<FuzzRequest>, lane: number): Promise<void> {
  let left = Math.ceil(requests / lanes);
  for (let round = 0; left > 0; round++) {
    const laneSeed = seed + lane + round * lanes;
    let why = "";
    const result = await fc.check(
      fc.asyncProperty(arbitrary, async (request) => {
        const problem = await send(request);
        if (problem) why = problem;
        return problem === null;
      }),
      { seed: laneSeed, numRuns: left },
    );
    left -= result.numRuns;
    if (result.failed && result.counterexample) {
      const [request] = result.counterexample;
      failures.push({ why, seed: laneSeed, request });
      console.log(`\n${why} (seed ${laneSeed})\n${JSON.stringify(request)}`);
    }
  }
}

async function send(request: FuzzRequest): Promise<string | null> {
  const response = await sendRaw(port, request).catch((error: Error) => error);
  const failed = response instanceof Error;
  const status = failed ? response.message : String(response.status);
  const row = counts.get(request.endpoint) ?? new Map<string, number>();
  counts.set(request.endpoint, row.set(status, (row.get(status) ?? 0) + 1));
  if (++sent % 1000 === 0) console.log(`  ${sent} sent, ${failures.length} found`);
  if (failed) return status;
  slowest.push({ milliseconds: Math.round(response.milliseconds), request });
  slowest.sort((a, b) => b.milliseconds - a.milliseconds).splice(3);
  const problem = problemOf(response);
  return problem && `${problem}: ${response.text.slice(-300)}`;
}

function none(): FuzzRequest {
  return { endpoint: "", method: "", path: "", headers: [], body: "" };
}

function report(): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`\n${sent} requests in ${seconds} s, seed ${seed}, ${lanes} lanes`);
  const statuses = [...new Set([...counts.values()].flatMap((row) => [...row.keys()]))].toSorted();
  const table = [...counts].map(([endpoint, row]) => [
    endpoint,
    Object.fromEntries(statuses.map((status) => [status, row.get(status) ?? 0])),
  ]);
  console.table(Object.fromEntries(table));
  for (const { milliseconds, request } of slowest) {
    console.log(`slow: ${milliseconds} ms ${request.method} ${request.path.slice(0, 120)}`);
  }
  console.log(`${failures.length} failures`);
}
