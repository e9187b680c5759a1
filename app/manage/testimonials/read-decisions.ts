// What was decided about testimonials, as the records keep it.
import { z } from "zod";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import type { Client } from "../../supabase/client-context.ts";

/** The last events of testimonials, as the rows of the table are named. */
export const decisionEvents = {
  received: "Waiting",
  approved: "On the site",
  refused: "Refused",
  deleted: "Deleted",
  "deleted without reason": "Deleted, no reason given",
};

const rating = z.number();
/** The name and the text of an erased testimonial are null. */
const text = z.nullable(z.string());
const event = z.enum(keysOf(decisionEvents));
const decisionsSchema = z.object({
  counts: z.array(z.object({ rating, event, number: z.number() })),
  total: z.number(),
  /** Oldest first. The receipt of a testimonial has no `by_name` and `by_email`, because nobody decided it. */
  rows: z.array(
    z.object({
      ...{
        id: z.number(),
        testimonial_id: z.string(),
        at: z.string(),
        by_name: text,
        by_email: text,
        event,
      },
      ...{ rating, reason: text, name: text, content: text },
    }),
  ),
});
export type Decisions = z.infer<typeof decisionsSchema>;

export async function readDecisions(
  client: Client,
  first: number,
  count: number,
): Promise<Decisions> {
  const { data } = await client.rpc("testimonial_decisions", { first, count }).throwOnError();
  return decisionsSchema.parse(data);
}
