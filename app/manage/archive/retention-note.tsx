import { z } from "zod";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { TextLink } from "../button.tsx";
import { formatMoment, formatSchedule } from "../format-moment.ts";
import { useLiveQuery } from "../live-query.ts";

const time = z.nullable(z.string());
const retentionSchema = z.object({
  is_held: z.boolean(),
  years: z.number(),
  /** The years that count now: fewer ones count a week after their publication. */
  present: z.number(),
  /** When fewer years count; null when they are not fewer. */
  ends: time,
  /** How many copies of pages their years then are over, and when these were public. */
  copies: z.number(),
  from: time,
  until: time,
});

async function readRetention(client: Client) {
  const { data } = await client.rpc("archive_retention", { years: null }).throwOnError();
  return retentionSchema.parse(data);
}

/** Says what the archive loses by its settings, and whether a hold is on. */
export function RetentionNote() {
  const { timeZone } = useSite().contact;
  const { value } = useLiveQuery({ key: ["the retention of the archive"], read: readRetention });
  if (!value) return null;
  const { is_held, years, present, ends, copies, from, until } = value;
  if (!is_held && !ends) return null;
  const leaving =
    from && until
      ? `${copies.toLocaleString("en-US")} copies of pages that were public from ${formatSchedule(from, timeZone)} to ${formatSchedule(until, timeZone)} are deleted${is_held ? " once the hold has ended" : ""}.`
      : "no copy is old enough to be deleted.";
  const shortened = ends
    ? `'Keep what was public for' was shortened from ${present} to ${years} years. This counts from ${formatMoment(ends, timeZone)}. Then ${leaving}`
    : "";
  return (
    <div role="note" className="mt-6 max-w-2xl rounded-md bg-clay-soft p-4">
      {is_held && (
        <strong className="block">A hold is on: nothing is deleted because of its age.</strong>
      )}
      <span>{shortened}</span>{" "}
      <TextLink to="/manage/settings/site">Change this in the settings</TextLink>.
    </div>
  );
}
