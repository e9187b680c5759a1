// Responds 429 when a visitor, an account, or all visitors together send too many requests of one kind.
// Covers: contact messages and other calls of functions, sign-in, the current password, session refresh, password reset,
// mailed links, searches in the blog. Does not cover: reviews and invitations, which the database counts
// (private.count_request), and other reads.
import type { AuthAction, AuthRequest } from "../auth/auth-request.ts";
import { HttpError } from "../errors.ts";
import type { LimitedAction, RateLimits } from "./limits.ts";
import { createRateLimit, visitorKey } from "./rate-limit.ts";

type GatewayAction = Exclude<LimitedAction, "testimonial" | "invite">;

/**
 * Counts the request and returns null, or returns the 429 response when a limit is reached.
 * @param source the visitor's address, or the account when the action is limited per account
 */
export type RateLimiter = (
  action: GatewayAction | null,
  credentials: Credentials,
  source: string | null,
  pathname: string,
) => Response | null;

interface Credentials {
  apiKey: string | null;
  bearer: string | null;
}

/** One limit per visitor or account, and one for all together. */
const reasons: Record<GatewayAction, [own: string, everyone: string]> = {
  contact: [
    "Several messages came from your connection just now.",
    "We are getting more messages than usual.",
  ],
  call: ["Too many requests came from your connection.", "We are getting too many requests."],
  signIn: ["Too many attempts to sign in.", "Too many people are trying to sign in."],
  password: ["The current password was tried too often.", ""],
  refresh: ["Your session was renewed too often.", "Too many sessions are being renewed."],
  reset: ["Too many links were asked for.", "Too many links were asked for."],
  verify: ["Too many links were opened.", "Too many links were opened."],
  search: ["Too many searches came from your connection.", "Too many people are searching."],
};

export function createRateLimiter(
  limits: RateLimits,
  secretKey: string,
  now: () => number = () => performance.now(),
): RateLimiter {
  const limitsByAction = new Map(
    Object.entries(limits).map(([action, list]) => [
      action,
      list.map((limit) => ({ per: limit.per, counter: createRateLimit(limit) })),
    ]),
  );

  return (action, { apiKey, bearer }, source, pathname) => {
    if (!action || apiKey === secretKey || bearer === secretKey) return null;
    const time = now();
    // The site's own calls have no address, so only the limits for everyone apply to them.
    const own = source === null ? null : visitorKey(source);
    const applicable = (limitsByAction.get(action) ?? []).flatMap((limit) => {
      const key = limit.per === "everyone" ? "" : own;
      return key === null ? [] : [{ ...limit, key }];
    });
    // Checks all limits before counting: a rejected visitor must not use up the limit for everyone.
    const [longest] = applicable
      .map(({ counter, key, per }) => ({ per, milliseconds: counter.wait(key, time) }))
      .toSorted((a, b) => b.milliseconds - a.milliseconds);
    if (longest && longest.milliseconds > 0) {
      const seconds = Math.ceil(longest.milliseconds / 1000);
      const reason = reasons[action][longest.per === "everyone" ? 1 : 0];
      const message = `${reason} Please try again in ${formatDuration(seconds)}.`;
      return new HttpError(429, "over_request_rate_limit", message, {
        "retry-after": String(seconds),
      }).toResponse(pathname);
    }
    for (const { counter, key } of applicable) counter.take(key, time);
    return null;
  };
}

/** A rounded-up duration, such as "1 minute" or "3 hours". */
function formatDuration(seconds: number): string {
  if (seconds < 60) return pluralize(seconds, "second");
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120
    ? pluralize(minutes, "minute")
    : pluralize(Math.ceil(seconds / 3600), "hour");
}

function pluralize(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

const authActions: Partial<Record<AuthAction["kind"], GatewayAction>> = {
  "sign-in": "signIn",
  refresh: "refresh",
  recover: "reset",
  "set-password": "signIn",
  "change-email": "reset",
  verify: "verify",
};

/** The limited action that a parsed Auth request performs. */
export function authActionOf({ action }: AuthRequest): GatewayAction | null {
  return authActions[action.kind] ?? null;
}

/**
 * The limited action that any other request performs. Ignores the case of an Edge Function's name, because a
 * case-insensitive file system finds the function under every spelling. REST accepts one spelling.
 */
export function actionOf(method: string, pathname: string): GatewayAction | null {
  if (pathname === "/rest/v1/rpc/search_posts") return "search";
  const name = pathname.match(/^\/functions\/v1\/([^/]+)/)?.[1]?.toLowerCase();
  if (!name) return null;
  return method === "POST" && name === "send-email" ? "contact" : "call";
}
