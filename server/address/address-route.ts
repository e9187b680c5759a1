// /manage/address.json: the address of the site, for its owners. The database decides whether the caller is an owner.
//   GET   what the address is, and where it comes from
//   POST  {address}: checks that the address leads to this site, and stores it
// GET /healthz/address?challenge=… is what such a check asks for (challenges.ts), from anyone.
import { type Context, Hono } from "hono";
import { z } from "zod";
import { isLoopbackUrl } from "../../app/config/checks/checks.ts";
import { askDatabase } from "../ask-database.ts";
import { limitPageBodies, rejectCrossSiteWrites } from "../request-checks.ts";
import type { Challenges } from "./challenges.ts";
import { findSite, type Network } from "./find-site.ts";
import type { SiteAddress } from "./site-address.ts";
import { readTypedAddress } from "./typed-address.ts";

interface AddressRouteOptions {
  /** The backend's address; its REST endpoint is asked for the caller's role. */
  backendUrl: string;
  anonKey: string;
  fetchBackend: typeof fetch;
  currentAddress(): SiteAddress;
  challenges: Challenges;
  /** Where the site listens, if only this machine reaches it. */
  localPort: number | null;
  /** Stores an address that was checked; null when the site may not. @param authorization of the owner */
  store: ((url: string, authorization: string) => Promise<unknown>) | null;
  /** Counts a request that would ask the database. @returns the seconds to wait; 0 when it is allowed */
  secondsToWait: () => number;
  /** Counts a check. */
  secondsToCheck: () => number;
  network?: Network;
}

export function createAddressRoute(options: AddressRouteOptions): Hono {
  const { currentAddress, challenges, localPort, store, network } = options;

  return new Hono()
    .use(async (context, next) => {
      context.header("cache-control", "no-store");
      await next();
    })
    .get("/", async (context) => {
      const owner = await readOwner(context, options.secondsToWait);
      return owner instanceof Response ? owner : context.json(describeAddress());
    })
    .use(rejectCrossSiteWrites, limitPageBodies)
    .post("/", async (context) => {
      const owner = await readOwner(context, options.secondsToCheck);
      if (owner instanceof Response) return owner;
      if (!store || currentAddress().source === "environment") {
        return context.json({ error: "The address is set by the server." }, 409);
      }
      const { data } = z
        .object({ address: z.string().max(300) })
        .safeParse(await context.req.json().catch(() => null));
      const isLocal = isLoopbackUrl(context.req.header("origin") ?? "");
      const typed = readTypedAddress(data?.address ?? "", isLocal ? localPort : null);
      if ("problem" in typed) return context.json({ error: typed.problem }, 422);
      const problem = await findSite(typed, challenges, network);
      if (problem) return context.json({ error: problem }, 422);
      try {
        await store(typed.url, owner);
      } catch (error) {
        console.error("The address of the site could not be stored", error);
        return context.json({ error: "The address could not be stored. Please try again." }, 503);
      }
      console.log(`The address of the site is ${typed.url} now`);
      return context.json(describeAddress());
    });

  function describeAddress() {
    const { url, source } = currentAddress();
    return { address: source && url, source, mayConfirm: store !== null };
  }

  /** @returns the owner's token, or the response that rejects everyone else */
  async function readOwner(context: Context, seconds: () => number): Promise<Response | string> {
    const authorization = context.req.header("authorization");
    if (!authorization) return context.json({ error: "Please sign in." }, 401);
    const wait = seconds();
    if (wait > 0) {
      const headers = { "retry-after": String(wait) };
      return context.json({ error: "Please try again in a minute." }, 429, headers);
    }
    if (await askDatabase(options, "is_owner", authorization)) return authorization;
    return context.json({ error: "Only an owner may do this." }, 403);
  }
}

export function createChallengeRoute({ answer }: Challenges): Hono {
  return new Hono().get("/", (context) => {
    context.header("cache-control", "no-store");
    const text = answer(context.req.query("challenge") ?? "");
    return text === null ? context.text("Not found", 404) : context.text(text);
  });
}
