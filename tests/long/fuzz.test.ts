// A short fuzz run with fixed seeds, and every failure that long runs (`npm run fuzz`) have found.
import type { ChildProcess } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import freePort from "get-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readKeys } from "../fuzz/keys.ts";
import { type RawRequest, sendRaw } from "../fuzz/raw-request.ts";
import { fuzzRequests, type Keys } from "../fuzz/requests.ts";
import { problemOf } from "../fuzz/verdict.ts";
import { copyPreparedDataDir, owner } from "../prepared-data-dir.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

interface Found extends RawRequest {
  /** The wrong response at the time. */
  why: string;
  /** The expected status. */
  status: number;
}

const found: Found[] = JSON.parse(
  await readFile(join(import.meta.dirname, "../fuzz/found.json"), "utf8"),
);
const seeds = [11, 22, 33];

let folder: string;
let port: number;
let site: ChildProcess;
let keys: Keys;

beforeAll(async () => {
  folder = await createTemporaryFolder("fuzz");
  port = await freePort();
  await copyPreparedDataDir(join(folder, "data"));
  site = await startSite(
    port,
    {
      DATA_DIR: join(folder, "data"),
      OWNER_EMAIL: owner.email,
      OWNER_PASSWORD: owner.password,
    },
    { hideErrors: true },
  );
  keys = await readKeys(port, join(folder, "data"));
});

afterAll(async () => {
  if (site) await stopSite(site);
  await rm(folder, { recursive: true });
});

test.each(found)("$method $path: $why", async ({ why: _why, status, ...request }) => {
  const withKey = JSON.parse(JSON.stringify(request).replaceAll("{anonKey}", keys.anonKey));
  const response = await sendRaw(port, withKey);
  expect(problemOf(response)).toBeNull();
  expect(response.status).toBe(status);
  const health = { method: "GET", path: "/healthz", headers: [], body: "" };
  expect((await sendRaw(port, health)).status).toBe(200);
});

test.each(seeds)(
  "a hundred malformed requests get no 5xx (seed %i)",
  { timeout: 120_000 },
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(fuzzRequests(keys), async (request) => {
        expect(problemOf(await sendRaw(port, request))).toBeNull();
      }),
      { seed, numRuns: 100, endOnFailure: true },
    );
  },
);
