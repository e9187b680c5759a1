// The log of requests about personal data: what people asked for, what was done, and what was kept and why.
import { z } from "zod";
import type { Client } from "../../supabase/client-context.ts";
import type { Columns } from "../csv-export.tsx";
import { isoTime } from "../format-moment.ts";

const requestSchema = z.object({
  number: z.number(),
  kind: z.enum(["copy", "erasure"]),
  /** The SHA-256 of the email address. */
  person: z.string(),
  received_on: z.string(),
  at: z.string(),
  by_name: z.nullable(z.string()),
  by_email: z.nullable(z.string()),
  by_role: z.nullable(z.string()),
  /** How many entries of each kind there were. */
  found: z.record(z.string(), z.number()),
  kept: z.array(
    z.object({
      what: z.string(),
      item: z.string(),
      until: z.nullable(z.string()),
      why: z.string(),
    }),
  ),
});
export type PrivacyRequest = z.infer<typeof requestSchema>;

/** At most 200 requests after the `first` ones, newest first; none at the end. */
export async function readRequests(client: Client, first: number): Promise<PrivacyRequest[]> {
  const wanted = { email: null, first };
  const { data } = await client.rpc("list_privacy_requests", wanted).throwOnError();
  return z.array(requestSchema).parse(data);
}

export function isEmpty(found: PrivacyRequest["found"]): boolean {
  return Object.keys(found).length === 0;
}

export function listFound(found: PrivacyRequest["found"]): string {
  const entries = Object.entries(found).map(([kind, count]) => `${kind}: ${count}`);
  return entries.join(", ") || "nothing";
}

export const requestColumns: Columns<PrivacyRequest> = {
  Number: ({ number }) => String(number),
  Request: ({ kind, found }) => (kind === "copy" && isEmpty(found) ? "nothing found" : kind),
  "SHA-256 of the address": ({ person }) => person,
  Received: ({ received_on }) => received_on,
  Done: ({ at }, zone) => isoTime(at, zone),
  By: ({ by_name }) => by_name,
  Account: ({ by_email }) => by_email,
  Role: ({ by_role }) => by_role,
  Found: ({ found }) => listFound(found),
  Kept: ({ kept }, zone) =>
    kept
      .map(
        ({ what, item, until, why }) =>
          `${what} ${item}${until ? ` until ${isoTime(until, zone)}` : ""}: ${why}`,
      )
      .join(" | "),
};
