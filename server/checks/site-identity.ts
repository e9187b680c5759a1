// Checks whether the public address leads to this site. Each site has an id, which /healthz/live shows.
import { createHash } from "node:crypto";
import type { AddressFacts } from "../../app/config/checks/facts.ts";

const timeout = 8_000;

/** The id is the same for every process of a site. It is derived from the public key, so it reveals nothing. */
export function siteId(anonKey: string): string {
  return createHash("sha256").update(`site ${anonKey}`).digest("hex").slice(0, 24);
}

/** Requests the id from the public address. */
export async function askSite(siteUrl: string, id: string): Promise<AddressFacts["answer"]> {
  try {
    const response = await fetch(`${siteUrl}/healthz/live`, {
      redirect: "manual",
      signal: AbortSignal.timeout(timeout),
      headers: { accept: "application/json" },
    });
    if (response.status >= 500) return { problem: `status ${response.status}` };
    return (await response.text()).slice(0, 1000).includes(`"site":"${id}"`)
      ? "this site"
      : "another site";
  } catch (error) {
    // `fetch` hides the reason in the cause.
    const { cause, name } = Object(error);
    return { problem: cause?.code ?? (name === "TimeoutError" ? "no response" : "no connection") };
  }
}
