// GET /manage/checks.json: the problems of the site and a newer release of it, for its owners. The database decides who is one.
import { Hono } from "hono";
import type { Check } from "../../app/config/checks/checks.ts";
import type { Release } from "../../app/config/checks/release.ts";
import { type OwnersRouteOptions, rejectOthers } from "../reject-others.ts";
import type { OwnersRequest } from "./gather-facts.ts";

interface ChecksRouteOptions extends OwnersRouteOptions {
  /** The public address. */
  siteUrl(): string;
  runChecks(request: OwnersRequest): Promise<Check[]>;
  newerRelease(): Release | null;
}

export function createChecksRoute(options: ChecksRouteOptions): Hono {
  const { siteUrl, runChecks, newerRelease } = options;

  return new Hono().get("/", async (context) => {
    context.header("cache-control", "no-store");
    const rejected = await rejectOthers(context, options, "is_owner");
    if (rejected) return rejected;
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
