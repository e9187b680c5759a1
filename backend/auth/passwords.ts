// Hashes and compares passwords with bcrypt, in the threads of libuv's pool.
// Covers: two at a time, and one per visitor, so that the attempts of one visitor do not delay the sign-in of others.
import { compare, hash } from "@node-rs/bcrypt";
import { createConcurrencyLimit } from "../rate-limits/concurrency-limit.ts";
import { visitorKey } from "../rate-limits/rate-limit.ts";
import { authError } from "./auth-error.ts";

export interface Passwords {
  /** @throws HttpError when too many wait */
  hash(password: string): Promise<string>;
  /** @throws HttpError when too many wait */
  matches(password: string, hash: string): Promise<boolean>;
}

/** The default of @supabase/lite, so that comparing with the dummy hash takes as long as with a real one. */
const BCRYPT_COST = 10;

/** @param visitorAddress of the request that is being handled; null for the site's own */
export function createPasswords(visitorAddress: () => string | null): Passwords {
  const limit = createConcurrencyLimit({
    total: 2,
    perVisitor: 1,
    waitingPerVisitor: 40,
    waiting: 400,
    timeout: 10_000,
  });

  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    matches: (password, hashed) => inTurn(() => compare(password, hashed)),
  };

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const address = visitorAddress();
    const release = await limit.acquire(address === null ? null : visitorKey(address));
    if (!release) {
      const message = "Too many passwords are being checked. Please try again in a minute.";
      throw authError(429, "over_request_rate_limit", message);
    }
    return work().finally(release);
  }
}

export function hashPassword(password: string): Promise<string> {
  return hash(password, BCRYPT_COST);
}
