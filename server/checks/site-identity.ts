// Tells whether the public address leads to this site. Each site has an id that /healthz/live shows.
import { createHash } from "node:crypto";
import { z } from "zod";
import type { AddressFacts } from "../../app/config/checks/check.ts";

const timeout = 8_000;
const liveSchema = z.object({ site: z.string() });

/** The same for every process of a site. Made of the public key, so it reveals nothing. */
export function siteId(anonKey: string): string {
  return createHash("sha256").update(`site ${anonKey}`).digest("hex").slice(0, 24);
}

/** Asks the public address who it is. */
export async function askSite(siteUrl: string, id: string): Promise<AddressFacts["answer"]> {
  try {
    const response = await fetch(`${siteUrl}/healthz/live`, {
      redirect: "manual",
      signal: AbortSignal.timeout(timeout),
      headers: { accept: "application/json" },
    });
    if (response.status >= 500) return { problem: `status ${response.status}` };
    const text = (await response.text()).slice(0, 1000);
    const { data } = liveSchema.safeParse(parseJson(text));
    return data?.site === id ? "this site" : "another site";
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `fetch` hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  if (cause instanceof Error && "code" in cause) return String(cause.code);
  return error instanceof Error && error.name === "TimeoutError" ? "no response" : "no connection";
}
