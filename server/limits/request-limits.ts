// How often visitors may write and search, and owners invite and send test mails. On a hosted project the database counts all but
// `search` by the rows of private.request_limits, which `npm run types` writes into the migration.
import type { Sql } from "embedded-supabase/database.ts";
import type { Limit } from "embedded-supabase/rate-limits/limits.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export const requestLimits = {
  contact: [
    { per: "visitor", count: 5, seconds: 10 * minute },
    { per: "visitor", count: 20, seconds: day },
    { per: "everyone", count: 60, seconds: hour },
    { per: "everyone", count: 300, seconds: day },
  ],
  /**
   * Limits messages with a filled-in honeypot, which are kept for 30 days: at most 1,500 at a time. Robots that send them leave
   * the limit of the others.
   */
  spam: [
    { per: "visitor", count: 5, seconds: 10 * minute },
    { per: "visitor", count: 10, seconds: day },
    { per: "everyone", count: 20, seconds: hour },
    { per: "everyone", count: 50, seconds: day },
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
  /** Limits the test mails of all owners together. */
  test_mail: [{ per: "everyone", count: 5, seconds: 10 * minute }],
  /** Limits the images that imports fetch. The gateway counts calls per address, the database those of people who write posts. */
  import_image: [
    { per: "visitor", count: 3000, seconds: hour },
    { per: "everyone", count: 3000, seconds: hour },
  ],
  /** Limits the use of recovery codes. A code cannot be guessed; the limit keeps attempts cheap. */
  recovery_code: [
    { per: "visitor", count: 10, seconds: 10 * minute },
    { per: "everyone", count: 300, seconds: 10 * minute },
  ],
  /** Limits codes in place of a password, for one address of an account. */
  recovery_account: [{ per: "account", count: 10, seconds: 10 * minute }],
  /** Limits searches in the blog. The site's server applies the first limit to its pages, with any backend. */
  search: [
    { per: "visitor", count: 10, seconds: 20 },
    { per: "everyone", count: 600, seconds: minute },
  ],
} as const satisfies Record<string, readonly Limit[]>;

/** What every database counts: rows that visitors insert directly, calls of functions for accounts, and imported images. */
const countedActions = [
  ...(["testimonial", "invite", "test_mail", "import_image", "recovery_account"] as const),
];

/** The rows of private.request_limits; those of a hosted project by default. */
export function limitRows(
  actions: readonly (keyof typeof requestLimits)[] = [
    ...countedActions,
    ...(["contact", "spam", "recovery_code"] as const),
  ],
) {
  const rows = actions.flatMap((action) =>
    requestLimits[action].map(({ per, count, seconds }) => ({
      action,
      scope: per,
      max_count: count,
      period: `${seconds} seconds`,
    })),
  );
  // Only people who write posts import images, so their address is not counted.
  return rows.filter(({ action, scope }) => action !== "import_image" || scope === "everyone");
}

/**
 * Writes the limits that the embedded database enforces. The gateway counts contact messages before it calls their function.
 * @param enabled false removes all limits of the database.
 */
export async function storeLimits(sql: Sql, enabled: boolean): Promise<void> {
  const rows = limitRows(countedActions);
  await sql.begin(async (transaction) => {
    await transaction`delete from private.request_limits`;
    if (enabled) await transaction`insert into private.request_limits ${transaction(rows)}`;
  });
}
