import { z } from "zod";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient, readPublicSettings } from "../../supabase/browser-client.ts";

/** The result of the database function visit_summary. */
const summarySchema = z.object({
  /** When the current visits key was created, with which a site adds counts to a hosted project. */
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

export interface Visits extends z.infer<typeof summarySchema> {
  /** Whether the data is in a hosted project, where the site needs a key to add counts. */
  isHosted: boolean;
}
/** The counts per day, oldest first, without gaps, up to today. */
export type VisitDay = Visits["days"][number];
/** The most frequent keys of each kind. */
export type TopKey = Visits["top"][number];

/** The periods that the page offers, in days. */
export const periods = { 30: "30 days", 90: "90 days", 365: "1 year" };

/** Reads the counts with this browser's session. */
export async function loadVisits(days: number): Promise<Result<Visits>> {
  return tryLoading("visit counts", async () => {
    const client = await getBrowserClient();
    const { data } = await client
      .rpc("visit_summary", { day_count: days, time_zone: readPublicSettings().timeZone })
      .throwOnError();
    return { ...summarySchema.parse(data), isHosted: readPublicSettings().supabaseUrl !== null };
  });
}

/** `2026-11-22` as `Sun, Nov 22, 2026` or `Nov 22`. It is a calendar day, so no time zone may move it. */
export function formatDay(day: string, length: "short" | "long" = "long"): string {
  const long = { weekday: "short", year: "numeric" } as const;
  return new Date(day).toLocaleDateString("en-US", {
    ...(length === "long" && long),
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
}
