import { expect, test, vi } from "vitest";
import { type Check, describeErrors } from "../../app/config/checks/checks.ts";
import type { Release } from "../../app/config/checks/release.ts";
import { createChecksRoute } from "./checks-route.ts";

const check: Check = {
  ...{ id: "a", text: "A is wrong. Fix it.", fixAt: "A", action: null, step: null },
  severity: "error",
};

const release: Release = { version: "1.2.0", changes: [], install: "tonight" };

function createRoute(
  options: { runChecks?: () => Promise<Check[]>; secondsToWait?: () => number } = {},
) {
  const fetchBackend = vi.fn<typeof fetch>(async (_url, init) =>
    Response.json(new Headers(init?.headers).get("authorization") === "Bearer owner"),
  );
  const runChecks = vi.fn(options.runChecks ?? (async () => [check]));
  const route = createChecksRoute({
    ...{ backendUrl: "http://backend.test", anonKey: "key", fetchBackend, runChecks },
    siteUrl: () => "https://www.example.com",
    newerRelease: () => release,
    secondsToWait: options.secondsToWait ?? (() => 0),
  });
  const get = (authorization?: string, headers: Record<string, string> = {}) =>
    route.request("/", { headers: { ...headers, ...(authorization && { authorization }) } });
  return { get, fetchBackend, runChecks };
}

test("an owner reads the checks, which run again for each request", async () => {
  const { get, runChecks } = createRoute();
  const responses = await Promise.all([get("Bearer owner"), get("Bearer owner")]);
  for (const response of responses) {
    expect(await response.json()).toEqual({ checks: [check], release });
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
  expect(runChecks).toHaveBeenCalledTimes(2);
});

test.each<[origin: string | null, forwardedFor: string, proxies: number | null]>([
  ["https://www.example.com", "203.0.113.7, 198.51.100.1", 2],
  ["https://www.example.com", "", 0],
  ["http://127.0.0.1:3000", "203.0.113.7", null],
  [null, "203.0.113.7", null],
])(
  "an owner's request from %j with X-Forwarded-For %j passed %s proxies",
  async (origin, forwardedFor, proxies) => {
    const { get, runChecks } = createRoute();
    await get("Bearer owner", {
      ...(origin && { referer: `${origin}/manage` }),
      ...(forwardedFor && { "x-forwarded-for": forwardedFor }),
    });
    expect(runChecks).toHaveBeenCalledWith({ origin, proxies });
  },
);

test("without a session the database is not asked, and an account that does not own the site gets 403", async () => {
  const { get, fetchBackend, runChecks } = createRoute();
  expect((await get()).status).toBe(401);
  expect(fetchBackend).not.toHaveBeenCalled();
  expect((await get("Bearer editor")).status).toBe(403);
  expect(runChecks).not.toHaveBeenCalled();
});

test("a visitor who asks too often is not looked up any more", async () => {
  const { get, fetchBackend } = createRoute({ secondsToWait: () => 7 });
  const response = await get("Bearer forged");
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  expect(fetchBackend).not.toHaveBeenCalled();
});

test("a run that failed is told as such", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { get } = createRoute({ runChecks: () => Promise.reject(new Error("down")) });
  expect((await get("Bearer owner")).status).toBe(503);
});

test("the start prints errors only, in at most five lines", () => {
  const warning: Check = { ...check, severity: "warning" };
  expect(describeErrors([warning])).toEqual([]);
  expect(describeErrors([check, warning])).toEqual(["Before going live: A is wrong. Fix it."]);
  const lines = describeErrors(Array(8).fill(check));
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toBe("4 more: npm run check-live");
});
