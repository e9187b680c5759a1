// Sends generated requests, and those that failed in earlier runs: none may get a 5xx. `npm run fuzz` sends
// FUZZ_REQUESTS of them; FUZZ_SEED repeats a run. A failure is printed with its seed and its smallest request. When the
// cause is fixed, add that request to found.ts.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { found } from "../fuzz/found.ts";
import { type RawRequest, type RawResponse, sendRaw } from "../fuzz/raw-request.ts";
import { fuzzRequests, type Keys } from "../fuzz/requests.ts";
import { signIn } from "../start-project.ts";
import { startNewSite, stopSite } from "../start-site.ts";

const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
const requests = Number(FUZZ_REQUESTS ?? 300);
const firstSeed = Number(FUZZ_SEED ?? (FUZZ_REQUESTS ? Date.now() % 1_000_000 : 11));
const lanes = FUZZ_REQUESTS ? 6 : 3;

const site = await startNewSite({}, { hideErrors: true });
afterAll(() => site.stop());
const { data } = await (await signIn(site)).auth.getSession();
const { anonKey, secretKey } = site;
const keys: Keys = { anonKey, secretKey, ownerToken: data.session?.access_token ?? "" };

/** Describes what is wrong with a response; null when nothing is. */
function problemOf({ status, text, isCutShort }: RawResponse): string | null {
  if (status === null) {
    return isCutShort ? null : "The connection was closed without a response";
  }
  if (status >= 500) return `Responded with ${status}: ${text.slice(-300)}`;
  if (/PostgresError|at (async )?\w+ \(.*:\d+:\d+\)|node_modules/.test(text)) {
    return "The response reveals internals of the server";
  }
  return null;
}

test.for(found)("%i: %s %s", async ([status, method, path, body = "", given]) => {
  const usual: RawRequest["headers"] = [
    ["apikey", keys.anonKey],
    ["Content-Type", "application/json"],
  ];
  const headers = given ?? (body ? usual : usual.slice(0, 1));
  const address = path.replace("{anonKey}", keys.anonKey);
  const response = await sendRaw(site.port, { method, path: address, headers, body });
  expect(problemOf(response)).toBeNull();
  expect(response.status).toBe(status);
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200);
});

test(`${requests} malformed requests get no 5xx (seed ${firstSeed})`, {
  timeout: 120_000 + requests * 200,
}, async () => {
  const sendMany = (_: unknown, lane: number) =>
    fc.assert(
      fc.asyncProperty(fuzzRequests(keys), async (request) => {
        expect(problemOf(await sendRaw(site.port, request))).toBeNull();
      }),
      { seed: firstSeed + lane, numRuns: Math.ceil(requests / lanes) },
    );
  await Promise.all(Array.from({ length: lanes }, sendMany));
  expect((await fetch(site.url)).status).toBe(200);
  expect(await stopSite(site.process)).toBe(0);
});
