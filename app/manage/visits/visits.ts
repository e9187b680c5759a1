import { z } from "zod";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient, readPublicSettings } from "../../supabase/browser-client.ts";

/** What the database function visit_summary returns. */
const summarySchema = z.object({
  key_created_at: z.nullable(z.string()),
  days: z.array(
    z.object({
      day: z.string(),
      loads: z.number(),
      messages: z.number(),
      testimonials: z.number(),
    }),
  ),
  top: z.array(
    z.object({
      kind: z.enum(["page", "referrer", "calculator"]),
      key: z.string(),
      count: z.number(),
    }),
  ),
});

type Summary = z.infer<typeof summarySchema>;
export type VisitDay = Summary["days"][number];
export type TopKey = Summary["top"][number];

export interface Visits {
  /** Oldest first, without gaps, up to today. */
  days: VisitDay[];
  /** Per kind, most frequent first. */
  top: TopKey[];
  /** Whether the site needs a key to add its counts, which the owner has not created yet. */
  needsKey: boolean;
  /** Whether the data is in a hosted project. */
  isHosted: boolean;
}

/** The periods that the page offers, in days. */
export const periods = [30, 90, 365] as const;
export type Period = (typeof periods)[number];

/** The period that a URL's query requests with `?days=`; 30 for anything invalid. */
export function periodOf(search: string): Period {
  const requested = Number(new URLSearchParams(search).get("days"));
  return periods.find((days) => days === requested) ?? 30;
}

/** Reads the counts with this browser's session. */
export async function loadVisits(period: Period): Promise<Result<Visits>> {
  return tryLoading("visit counts", async () => {
    const client = await getBrowserClient();
    const { data, error } = await client.rpc("visit_summary", {
      day_count: period,
      time_zone: readPublicSettings().timeZone,
    });
    if (error) throw error;
    return toVisits(summarySchema.parse(data), readPublicSettings().supabaseUrl !== null);
  });
}

export function toVisits({ key_created_at, days, top }: Summary, isHosted: boolean): Visits {
  return { days, top, isHosted, needsKey: isHosted && key_created_at === null };
}

/** Replaces the key with which a site adds counts to a hosted project. @throws the backend's error */
export async function createVisitsKey(): Promise<string> {
  const client = await getBrowserClient();
  const { data, error } = await client.rpc("create_visits_key");
  if (error) throw error;
  return data;
}
