// /manage/address.json: the address of the site, for its owners. The database decides whether the caller is an owner.
//   GET   what the address is, and where it comes from
//   POST  {address}, with the token of a session that has just begun: checks that the address leads to this site, and stores it
// GET /healthz/address?challenge=… is what such a check asks for (challenges.ts), from anyone.
import { Hono } from "hono";
import { z } from "zod";
import { isLoopbackUrl } from "../../app/config/checks/checks.ts";
import { type OwnersRouteOptions, rejectOthers } from "../reject-others.ts";
import { limitPageBodies, rejectCrossSiteWrites } from "../request-checks.ts";
import type { Challenges } from "./challenges.ts";
import { findSite, type Network } from "./find-site.ts";
import type { SiteAddress } from "./site-address.ts";
import { readTypedAddress } from "./typed-address.ts";

interface AddressRouteOptions extends OwnersRouteOptions {
  currentAddress(): SiteAddress;
  challenges: Challenges;
  /** Where the site listens, if only this machine reaches it. */
  localPort: number | null;
  /** Stores an address that was checked; null when the site may not. @param authorization of the owner */
  store: ((url: string, authorization: string) => Promise<unknown>) | null;
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
      const rejected = await rejectOthers(context, options, "is_owner");
      return rejected ?? context.json(describeAddress());
    })
    .use(rejectCrossSiteWrites, limitPageBodies)
    .post("/", async (context) => {
      const limited = { ...options, secondsToWait: options.secondsToCheck };
      const rejected = await rejectOthers(context, limited, "is_owner", "has_just_signed_in");
      if (rejected) return rejected;
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
        await store(typed.url, context.req.header("authorization") ?? "");
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
}

export function createChallengeRoute({ answer }: Challenges): Hono {
  return new Hono().get("/", (context) => {
    context.header("cache-control", "no-store");
    const text = answer(context.req.query("challenge") ?? "");
    return text === null ? context.text("Not found", 404) : context.text(text);
  });
}
