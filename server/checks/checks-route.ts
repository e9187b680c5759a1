// GET /manage/checks.json: the problems of the site and a newer release of it, for its owners. The database decides who is one.
import { Hono } from "hono";
import type { Check } from "../../app/config/checks/checks.ts";
import type { Release } from "../../app/config/checks/release.ts";
import { askDatabase } from "../ask-database.ts";
import type { OwnersRequest } from "./gather-facts.ts";

interface ChecksRouteOptions {
  /** The backend's address; its REST endpoint is asked for the caller's role. */
  backendUrl: string;
  anonKey: string;
  fetchBackend: typeof fetch;
  /** The public address. */
  siteUrl(): string;
  runChecks(request: OwnersRequest): Promise<Check[]>;
  newerRelease(): Release | null;
  /** Counts a request that would ask the database. @returns the seconds to wait; 0 when it is allowed */
  secondsToWait: () => number;
}

export function createChecksRoute(options: ChecksRouteOptions): Hono {
  const { siteUrl, runChecks, newerRelease, secondsToWait } = options;

  return new Hono().get("/", async (context) => {
    context.header("cache-control", "no-store");
    const authorization = context.req.header("authorization");
    if (!authorization) return context.json({ error: "Please sign in." }, 401);
    const seconds = secondsToWait();
    if (seconds > 0) {
      const headers = { "retry-after": String(seconds) };
      return context.json({ error: "Please try again in a minute." }, 429, headers);
    }
    if (!(await askDatabase(options, "is_owner", authorization))) {
      return context.json({ error: "Only an owner may read this." }, 403);
    }
    try {
      const checks = await runChecks(describeRequest(context.req.raw.headers));
      return context.json({ checks, release: newerRelease() });
    } catch (error) {
      console.error("The checks failed", error);
      return context.json({ error: "The checks could not be run just now." }, 503);
    }
  });

  /** A browser sends no X-Forwarded-For. Its Referer tells whether the request came through the proxies of the site's address. */
  function describeRequest(headers: Headers): OwnersRequest {
    const origin = URL.parse(headers.get("referer") ?? "")?.origin ?? null;
    const forwarded = headers.get("x-forwarded-for");
    const proxies = forwarded ? forwarded.split(",").length : 0;
    return { origin, proxies: origin === siteUrl() ? proxies : null };
  }
}
