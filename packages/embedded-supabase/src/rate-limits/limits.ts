// The numbers of all rate limits. On a hosted project the database counts `testimonial`, `contact` and `invite` by the rows of
// private.request_limits. The migration inserts the same numbers; tests/contract/row-checks.test.ts compares them.
import type { Sql } from "../database.ts";

export interface Limit {
  /** Whether requests are counted per visitor (visitorKey), per account or in total. */
  per: "visitor" | "account" | "everyone";
  /** Allowed burst; afterwards one request every `seconds / count` seconds. At least 1. */
  count: number;
  seconds: number;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export const rateLimits = {
  contact: [
    { per: "visitor", count: 5, seconds: 10 * minute },
    { per: "visitor", count: 20, seconds: day },
    { per: "everyone", count: 60, seconds: hour },
    { per: "everyone", count: 300, seconds: day },
  ],
  testimonial: [
    { per: "visitor", count: 3, seconds: hour },
    { per: "visitor", count: 6, seconds: day },
    { per: "everyone", count: 20, seconds: hour },
    { per: "everyone", count: 60, seconds: day },
  ],
  /** Limits the invitations of all owners together. */
  invite: [
    { per: "everyone", count: 20, seconds: hour },
    { per: "everyone", count: 60, seconds: day },
  ],
  /** Also counts new passwords, whose requests contain the current one. */
  signIn: [
    { per: "visitor", count: 10, seconds: 10 * minute },
    { per: "everyone", count: 300, seconds: 10 * minute },
  ],
  /** Limits a session's requests that contain the current password: for a new password or a new address. */
  password: [{ per: "account", count: 10, seconds: 10 * minute }],
  /** An open tab refreshes the owner's session once an hour and on each page load. */
  refresh: [
    { per: "visitor", count: 300, seconds: 10 * minute },
    { per: "everyone", count: 3000, seconds: 10 * minute },
  ],
  reset: [
    { per: "visitor", count: 5, seconds: hour },
    { per: "everyone", count: 20, seconds: hour },
  ],
  /** Limits calls of all other functions, and requests to `send-email` that send nothing. */
  call: [
    { per: "visitor", count: 60, seconds: 10 * minute },
    { per: "everyone", count: 600, seconds: 10 * minute },
  ],
  /** Limits the use of mailed links. A token cannot be guessed; the limit keeps attempts cheap. */
  verify: [
    { per: "visitor", count: 30, seconds: 10 * minute },
    { per: "everyone", count: 600, seconds: 10 * minute },
  ],
  /** Limits searches in the blog. The site's server applies the first limit to its pages, with any backend. */
  search: [
    { per: "visitor", count: 10, seconds: 20 },
    { per: "everyone", count: 600, seconds: minute },
  ],
} as const satisfies Record<string, readonly Limit[]>;

export type LimitedAction = keyof typeof rateLimits;
export type RateLimits = Record<LimitedAction, readonly Limit[]>;

/**
 * Writes the limits that the embedded database enforces: all but `contact`, because the gateway counts contact
 * messages before it calls their function.
 * @param enabled false removes all limits of the database.
 */
export async function storeLimits(sql: Sql, enabled: boolean): Promise<void> {
  const rows = (["testimonial", "invite"] as const).flatMap((action) =>
    rateLimits[action].map(({ per, count, seconds }) => ({
      action,
      scope: per,
      max_count: count,
      period: `${seconds} seconds`,
    })),
  );
  await sql.begin(async (transaction) => {
    await transaction`delete from private.request_limits`;
    if (enabled) await transaction`insert into private.request_limits ${transaction(rows)}`;
  });
}
