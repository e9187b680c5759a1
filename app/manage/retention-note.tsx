import type { ReactNode } from "react";
import { z } from "zod";
import { useSite } from "../config/use-site.ts";
import { formatMoment, formatSchedule } from "./format-moment.ts";
import { useLiveQuery } from "./live-query.ts";

const time = z.nullable(z.string());
const retentionSchema = z.object({
  is_held: z.boolean(),
  years: z.number(),
  /** The years that count now: fewer ones count a week after their publication. */
  present: z.number(),
  /** When fewer years count; null when they are not fewer. */
  ends: time,
  /** The number of copies whose time is over then, and when their pages were public. */
  copies: z.number(),
  from: time,
  until: time,
});

interface RetentionNoteProps {
  /** The years that are chosen in the form; null for those that were published. */
  years: number | null;
  children?: ReactNode;
}

/** Says what the archive loses by its settings, or would lose, and whether a hold is on. */
export function RetentionNote({ years, children }: RetentionNoteProps) {
  const { timeZone } = useSite().contact;
  const { value, isPrevious } = useLiveQuery({
    key: ["the retention of the archive", years],
    read: async (client) => {
      const { data } = await client.rpc("archive_retention", { years }).throwOnError();
      return retentionSchema.parse(data);
    },
  });
  if (!value || isPrevious) return null;
  const { is_held, years: wanted, present, ends, copies, from, until } = value;
  if (!ends && (!is_held || years !== null)) return null;
  const leaving =
    from && until
      ? `${copies.toLocaleString("en-US")} copies of pages that were public from ${formatSchedule(from, timeZone)} to ${formatSchedule(until, timeZone)} are deleted${is_held ? " once the hold has ended" : ""}.`
      : "no copy is old enough to be deleted.";
  const change = `from ${present} to ${wanted} years`;
  const shortened = !ends
    ? ""
    : years === null
      ? `'Keep what was public for' was shortened ${change}. This counts from ${formatMoment(ends, timeZone)}. Then ${leaving}`
      : `This shortens what the archive keeps ${change}, a week after you publish it. Then ${leaving}`;
  return (
    <div role="note" className="mt-6 max-w-2xl rounded-md bg-clay-soft p-4">
      {is_held && (
        <strong className="block">A hold is on: nothing is deleted because of its age.</strong>
      )}
      <span className="block">{shortened}</span>
      {children}
    </div>
  );
}
