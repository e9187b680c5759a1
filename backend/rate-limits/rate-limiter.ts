// Refuses what a visitor, or everyone together, asks too often.
// Covers: contact messages, signing in, renewing a session, signing up, resets. Does not cover: reviews,
// which the database counts (migration rate_limits), and reading.
import { clientError } from "../client-error.ts";
import { credentialsOf } from "../identity.ts";
import { createAllowance } from "./allowance.ts";
import type { RateLimits } from "./limits.ts";
import { type GatewayAction, refusalOf } from "./refusal.ts";
import { visitorKey } from "./visitor-key.ts";

/** Answers null when the request may go on. It is counted then. */
export type RateLimiter = (request: Request, address: string | null) => Response | null;

export function createRateLimiter(
  limits: RateLimits,
  secretKey: string,
  now: () => number = () => performance.now(),
): RateLimiter {
  const allowances = new Map(
    Object.entries(limits).map(([action, list]) => [
      action,
      list.map((limit) => ({ ...limit, allowance: createAllowance(limit) })),
    ]),
  );

  return (request, address) => {
    const action = actionOf(request);
    if (!action || isInternal(request)) return null;
    const time = now();
    // Without an address, as for the site's own calls, only the limit for everyone counts.
    const visitor = address === null ? null : visitorKey(address);
    const counted = (allowances.get(action) ?? []).flatMap((limit) => {
      const key = limit.per === "everyone" ? "" : visitor;
      return key === null ? [] : [{ ...limit, key }];
    });
    // All are asked before one is counted: who is refused must not use up everyone's allowance.
    const [longest] = counted
      .map(({ allowance, key, per }) => ({ per, milliseconds: allowance.wait(key, time) }))
      .toSorted((a, b) => b.milliseconds - a.milliseconds);
    if (longest && longest.milliseconds > 0) {
      const seconds = Math.ceil(longest.milliseconds / 1000);
      const message = refusalOf(action, longest.per, seconds);
      return clientError(new URL(request.url).pathname, 429, "over_request_rate_limit", message, {
        "retry-after": String(seconds),
      });
    }
    for (const { allowance, key } of counted) allowance.take(key, time);
    return null;
  };

  function isInternal(request: Request): boolean {
    const { apiKey, bearer } = credentialsOf(request);
    return apiKey === secretKey || bearer === secretKey;
  }
}

/** What a request does that is limited here; null for all else. */
export function actionOf({ method, url }: Request): GatewayAction | null {
  const { pathname, searchParams } = new URL(url);
  if (pathname === "/auth/v1/verify") return "verify";
  if (method !== "POST") return null;
  if (/^\/functions\/v1\/send-email(\/|$)/.test(pathname)) return "contact";
  if (pathname === "/auth/v1/signup") return "signUp";
  if (pathname === "/auth/v1/recover") return "reset";
  if (pathname !== "/auth/v1/token") return null;
  return searchParams.get("grant_type") === "refresh_token" ? "refresh" : "signIn";
}
