// What a rate limit is, and the limits of Auth and of calls of functions. A project adds those of its own calls (config.ts).

export interface Limit {
  /** Whether requests are counted per visitor (visitorKey), per account or in total. */
  per: "visitor" | "account" | "everyone";
  /** Allowed burst; afterwards one request every `seconds / count` seconds. At least 1. */
  count: number;
  seconds: number;
}

export interface ActionLimit {
  limits: readonly Limit[];
  /** Why a request is rejected: because of its visitor or account, or of all visitors together. */
  reasons: readonly [own: string, everyone: string];
}

/**
 * The limit of requests to a function, to one exact path of it (`name/path`), or to a database function. The first that fits
 * counts. Other calls of functions count as `call`.
 */
export interface CallLimit extends ActionLimit {
  request: { function: string; method: string } | { rpc: string };
}

const minute = 60;
const hour = 60 * minute;

export const ownLimits = {
  /** Also counts new passwords, whose requests contain the current one. */
  signIn: {
    limits: [
      { per: "visitor", count: 10, seconds: 10 * minute },
      { per: "everyone", count: 300, seconds: 10 * minute },
    ],
    reasons: ["Too many attempts to sign in.", "Too many people are trying to sign in."],
  },
  /** Limits a session's requests that contain the current password: for a new password or a new address. */
  password: {
    limits: [{ per: "account", count: 10, seconds: 10 * minute }],
    reasons: ["The current password was tried too often.", ""],
  },
  /** Limits challenges and codes of authenticator apps. A sign-in needs one of each. */
  secondStep: {
    limits: [
      { per: "visitor", count: 40, seconds: 10 * minute },
      { per: "everyone", count: 600, seconds: 10 * minute },
    ],
    reasons: ["Too many codes were entered.", "Too many people are entering codes."],
  },
  /** Limits codes for one account, from all addresses: of a million codes, up to three are valid at a time. */
  code: {
    limits: [{ per: "account", count: 5, seconds: 10 * minute }],
    reasons: ["Too many codes were entered.", ""],
  },
  /** An open tab refreshes the session once an hour and on each page load. */
  refresh: {
    limits: [
      { per: "visitor", count: 300, seconds: 10 * minute },
      { per: "everyone", count: 3000, seconds: 10 * minute },
    ],
    reasons: ["Your session was renewed too often.", "Too many sessions are being renewed."],
  },
  reset: {
    limits: [
      { per: "visitor", count: 5, seconds: hour },
      { per: "everyone", count: 20, seconds: hour },
    ],
    reasons: ["Too many links were asked for.", "Too many links were asked for."],
  },
  /** Limits calls of functions without a limit of their own. */
  call: {
    limits: [
      { per: "visitor", count: 60, seconds: 10 * minute },
      { per: "everyone", count: 600, seconds: 10 * minute },
    ],
    reasons: ["Too many requests came from your connection.", "We are getting too many requests."],
  },
  /** Limits the use of mailed links and of setup links. A token cannot be guessed; the limit keeps attempts cheap. */
  verify: {
    limits: [
      { per: "visitor", count: 30, seconds: 10 * minute },
      { per: "everyone", count: 600, seconds: 10 * minute },
    ],
    reasons: ["Too many links were opened.", "Too many links were opened."],
  },
} as const satisfies Record<string, ActionLimit>;

export type OwnAction = keyof typeof ownLimits;
