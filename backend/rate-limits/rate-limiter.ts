// Responds 429 when a visitor, or all visitors together, send too many requests of one kind.
// Covers: contact messages, sign-in, session refresh, sign-up, password reset, links of e-mails,
// searches in the blog.
// Does not cover: reviews and invitations, which the database counts (private.count_request), and other reading.
import type { AuthAction, AuthRequest } from "../auth/auth-request.ts";
import { HttpError } from "../errors.ts";
import type { Limit, LimitedAction, RateLimits } from "./limits.ts";
import { createRateLimit } from "./rate-limit.ts";
import { visitorKey } from "./visitor-key.ts";

type GatewayAction = Exclude<LimitedAction, "review" | "invite">;

/** Counts the request and returns null, or returns the 429 response when a limit is reached. */
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

const reasons: Record<GatewayAction, Record<Limit["per"], string>> = {
  contact: {
    visitor: "Several messages came from your connection just now.",
    everyone: "We are getting more messages than usual.",
  },
  signIn: {
    visitor: "Too many attempts to sign in.",
    everyone: "Too many people are trying to sign in.",
  },
  refresh: {
    visitor: "Your session was renewed too often.",
    everyone: "Too many sessions are being renewed.",
  },
  signUp: {
    visitor: "Too many attempts to sign up.",
    everyone: "Too many people are trying to sign up.",
  },
  reset: {
    visitor: "Too many links were asked for.",
    everyone: "Too many links were asked for.",
  },
  verify: {
    visitor: "Too many links were opened.",
    everyone: "Too many links were opened.",
  },
  search: {
    visitor: "Too many searches came from your connection.",
    everyone: "Too many people are searching.",
  },
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

  return (action, { apiKey, bearer }, address, pathname) => {
    if (!action || apiKey === secretKey || bearer === secretKey) return null;
    const time = now();
    // The site's own calls have no address: only the limits for everyone apply.
    const visitor = address === null ? null : visitorKey(address);
    const applicable = (limitsByAction.get(action) ?? []).flatMap((limit) => {
      const key = limit.per === "everyone" ? "" : visitor;
      return key === null ? [] : [{ ...limit, key }];
    });
    // Check all limits before counting: a rejected visitor must not use up the limit for everyone.
    const [longest] = applicable
      .map(({ counter, key, per }) => ({ per, milliseconds: counter.wait(key, time) }))
      .toSorted((a, b) => b.milliseconds - a.milliseconds);
    if (longest && longest.milliseconds > 0) {
      const seconds = Math.ceil(longest.milliseconds / 1000);
      const message = `${reasons[action][longest.per]} Please try again in ${formatDuration(seconds)}.`;
      return new HttpError(429, "over_request_rate_limit", message, {
        "retry-after": String(seconds),
      }).toResponse(pathname);
    }
    for (const { counter, key } of applicable) counter.take(key, time);
    return null;
  };
}

/** "1 minute", "3 hours": rounded up. */
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
  "sign-up": "signUp",
  refresh: "refresh",
  recover: "reset",
  "change-email": "reset",
  "open-link": "verify",
  "verify-token": "verify",
};

/** The limited action of a parsed Auth request. */
export function authActionOf({ action }: AuthRequest): GatewayAction | null {
  return authActions[action.kind] ?? null;
}

/**
 * The limited action of any other request. Ignores the case of an Edge Function's name, because a case-insensitive
 * file system finds the function under every spelling. REST accepts one spelling.
 */
export function actionOf(method: string, pathname: string): GatewayAction | null {
  if (pathname === "/rest/v1/rpc/search_posts") return "search";
  const name = pathname.match(/^\/functions\/v1\/([^/]+)/)?.[1];
  return method === "POST" && name?.toLowerCase() === "send-email" ? "contact" : null;
}
