import { z } from "zod";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Columns } from "../csv-export.tsx";
import { isoTime } from "../format-moment.ts";
import { type RefusalReason, refusalReasons } from "./refusal-reasons.ts";

const number = z.number();
const decisionsSchema = z.object({
  /** By stars, without samples. Null: those whose text was erased. */
  counts: z.array(
    z.object({
      rating: z.nullable(number),
      ...{ waiting: number, approved: number, refused: number, deleted: number },
    }),
  ),
  /** Of the rows. */
  total: number,
  /** What came in and was decided, oldest first. */
  rows: z.array(
    z.object({
      id: number,
      at: z.string(),
      by: z.nullable(z.string()),
      event: z.enum(["received", "approved", "refused", "deleted"]),
      rating: z.nullable(number),
      reason: z.nullable(z.enum(Object.keys(refusalReasons) as RefusalReason[])),
      name: z.nullable(z.string()),
      content: z.nullable(z.string()),
    }),
  ),
});
export type Decisions = z.infer<typeof decisionsSchema>;

/** @throws the backend's error */
export async function readDecisions(
  client: Client,
  first: number,
  count: number,
): Promise<Decisions> {
  const { data } = await client.rpc("testimonial_decisions", { first, count }).throwOnError();
  return decisionsSchema.parse(data);
}

/** Loads the counts alone. */
export function loadDecisions(): Promise<Result<Decisions>> {
  return tryLoading("decisions", async () => readDecisions(await getBrowserClient(), 0, 0));
}

export const decisionColumns: Columns<Decisions["rows"][number]> = {
  Time: ({ at }, zone) => isoTime(at, zone),
  By: ({ by }) => by,
  Stars: ({ rating }) => rating?.toString() ?? null,
  Decision: ({ event, by }) => (event === "approved" && !by ? "published at once" : event),
  Reason: ({ reason }) => reason && refusalReasons[reason],
  Name: ({ name }) => name,
  Text: ({ content }) => content,
};
