// The numbers: how often a visitor, and everyone together, may do what costs something.
// `review` and `contact` are also rows of private.request_limits, where they hold on a hosted project;
// its migration has the same numbers, and tests/contract/rate-limits.test.ts compares them.

export interface Limit {
  /** Whose requests are counted together. A visitor is an address (IPv6: its /64 network). */
  per: "visitor" | "everyone";
  /** So many at once, then one more each `seconds / count`. At least 1. */
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
  review: [
    { per: "visitor", count: 3, seconds: hour },
    { per: "visitor", count: 6, seconds: day },
    { per: "everyone", count: 20, seconds: hour },
    { per: "everyone", count: 60, seconds: day },
  ],
  signIn: [
    { per: "visitor", count: 10, seconds: 10 * minute },
    { per: "everyone", count: 300, seconds: 10 * minute },
  ],
  /** Every open tab of a signed-in owner asks once an hour, and at each load of a page. */
  refresh: [
    { per: "visitor", count: 300, seconds: 10 * minute },
    { per: "everyone", count: 3000, seconds: 10 * minute },
  ],
  signUp: [
    { per: "visitor", count: 5, seconds: hour },
    { per: "everyone", count: 50, seconds: hour },
  ],
  reset: [
    { per: "visitor", count: 5, seconds: hour },
    { per: "everyone", count: 20, seconds: hour },
  ],
  /** Opening the link of a mail: guessing one is hopeless, and this keeps it cheap. */
  verify: [
    { per: "visitor", count: 30, seconds: 10 * minute },
    { per: "everyone", count: 600, seconds: 10 * minute },
  ],
} as const satisfies Record<string, readonly Limit[]>;

export type LimitedAction = keyof typeof rateLimits;
export type RateLimits = Record<LimitedAction, readonly Limit[]>;
