// Responds 429 when a visitor, an account, or all visitors together send too many requests of one kind.
// Covers: the actions of Auth, calls of functions, and the calls that the project limits. Does not cover: inserts, which
// the database can count, and other reads.
import type { AuthAction, AuthRequest } from "../auth/auth-request.ts";
import { HttpError } from "../errors.ts";
import { type ActionLimit, type CallLimit, type OwnAction, ownLimits } from "./limits.ts";
import { createRateLimit, visitorKey } from "./rate-limit.ts";

/**
 * Counts the request and returns null, or returns the 429 response when a limit is reached.
 * @param source the visitor's address, or the account when the action is limited per account
 */
export type RateLimiter = (
  action: string | null,
  credentials: Credentials,
  source: string | null,
  pathname: string,
) => Response | null;

interface Credentials {
  apiKey: string | null;
  bearer: string | null;
}

export function createRateLimiter(
  callLimits: Readonly<Record<string, CallLimit>>,
  secretKey: string,
  now: () => number = () => performance.now(),
): RateLimiter {
  const actions = new Map(
    Object.entries<ActionLimit>({ ...ownLimits, ...callLimits }).map(
      ([action, { limits, reasons }]) => [
        action,
        {
          reasons,
          counters: limits.map((limit) => ({ ...limit, counter: createRateLimit(limit) })),
        },
      ],
    ),
  );

  return (action, { apiKey, bearer }, source, pathname) => {
    const limited = actions.get(action ?? "");
    if (!limited || apiKey === secretKey || bearer === secretKey) return null;
    const time = now();
    // The site's own calls have no address, so only the limits for everyone apply to them.
    const own = source === null ? null : visitorKey(source);
    const applicable = limited.counters.flatMap((limit) => {
      const key = limit.per === "everyone" ? "" : own;
      return key === null ? [] : [{ ...limit, key }];
    });
    // Checks all limits before counting: a rejected visitor must not use up the limit for everyone.
    const [longest] = applicable
      .map(({ counter, key, per }) => ({ per, milliseconds: counter.wait(key, time) }))
      .toSorted((a, b) => b.milliseconds - a.milliseconds);
    if (longest && longest.milliseconds > 0) {
      const seconds = Math.ceil(longest.milliseconds / 1000);
      const reason = limited.reasons[longest.per === "everyone" ? 1 : 0];
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

const authActions: Partial<Record<AuthAction["kind"], OwnAction>> = {
  "sign-in": "signIn",
  refresh: "refresh",
  recover: "reset",
  "set-password": "signIn",
  "change-email": "reset",
  verify: "verify",
  "set-up": "verify",
  challenge: "secondStep",
  "verify-code": "secondStep",
};

/** The limited action that a parsed Auth request performs. */
export function authActionOf({ action }: AuthRequest): OwnAction | null {
  return authActions[action.kind] ?? null;
}

/**
 * The limited action that any other request performs. Ignores the case of an Edge Function's name, because a
 * case-insensitive file system finds the function under every spelling. REST accepts one spelling.
 */
export function actionOf(
  callLimits: Readonly<Record<string, CallLimit>>,
  method: string,
  pathname: string,
): string | null {
  const name = pathname.match(/^\/functions\/v1\/([^/]+)/)?.[1]?.toLowerCase();
  const [action] =
    Object.entries(callLimits).find(([, { request }]) =>
      "rpc" in request
        ? pathname === `/rest/v1/rpc/${request.rpc}`
        : method === request.method &&
          (name === request.function || pathname === `/functions/v1/${request.function}`),
    ) ?? [];
  return action ?? (name ? "call" : null);
}
