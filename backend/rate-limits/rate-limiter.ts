// Refuses what a visitor, or everyone together, asks too often.
// Covers: contact messages, signing in, renewing a session, signing up, resets. Does not cover: reviews,
// which the database counts (migration rate_limits), and reading.

import type { AuthAction, AuthRequest } from "../auth/auth-request.ts";
import { HttpError } from "../errors.ts";
import { createAllowance } from "./allowance.ts";
import type { RateLimits } from "./limits.ts";
import { type GatewayAction, refusalOf } from "./refusal.ts";
import { visitorKey } from "./visitor-key.ts";

/** Answers null when the request may go on. It is counted then. */
export type RateLimiter = (
  action: GatewayAction | null,
  credentials: Credentials,
  address: string | null,
  pathname: string,
) => Response | null;

interface Credentials {
  apiKey: string | null;
  bearer: string | null;
}

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

  return (action, { apiKey, bearer }, address, pathname) => {
    if (!action || apiKey === secretKey || bearer === secretKey) return null;
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
      return new HttpError(429, "over_request_rate_limit", message, {
        "retry-after": String(seconds),
      }).toResponse(pathname);
    }
    for (const { allowance, key } of counted) allowance.take(key, time);
    return null;
  };
}

const authActions: Partial<Record<AuthAction["kind"], GatewayAction>> = {
  "sign-in": "signIn",
  "sign-up": "signUp",
  refresh: "refresh",
  recover: "reset",
  "open-link": "verify",
  "verify-token": "verify",
};

/** What is counted of a parsed Auth request. */
export function authActionOf({ action }: AuthRequest): GatewayAction | null {
  return authActions[action.kind] ?? null;
}

/**
 * What is counted of a call to a function. The case of its name does not matter: on some file systems
 * another case finds the same file.
 */
export function functionActionOf(method: string, pathname: string): GatewayAction | null {
  const name = pathname.match(/^\/functions\/v1\/([^/]+)/)?.[1];
  return method === "POST" && name?.toLowerCase() === "send-email" ? "contact" : null;
}
