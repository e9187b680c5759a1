import { type ReactNode, useRef } from "react";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { StarShape, Stars } from "../../ui/stars.tsx";
import { Button } from "../button.tsx";
import { formatDay } from "../format-moment.ts";
import { EmptyList, listClass } from "../list-toolbar.tsx";
import { useReload } from "../live-query.ts";
import { leaveRow, neighborOf, PageData } from "../manage-frame.tsx";
import { useAction } from "../use-action.ts";
import { undoDeletion } from "../versions/content-store.ts";
import { countTestimonials, type TestimonialCounts } from "./manage-testimonials.ts";
import { readDecisions } from "./read-decisions.ts";
import { type RefusalReason, refusalReasons } from "./refusal-reasons.ts";

interface DeletedTestimonial {
  id: string;
  /** When it was deleted. */
  at: string;
  name: string;
  content: string;
  rating: number;
  /** Why it was refused, before or with the deletion. */
  reason: string | null;
}

/** How long the database can restore what was deleted. */
export const restorableDays = 30;
/** More decisions than are made in that time. */
const newest = 200;

/** The testimonials that can be restored, newest first. Erased ones, which have no name, are left out. */
export async function listDeleted(client: Client): Promise<DeletedTestimonial[]> {
  const { total } = await readDecisions(client, 0, 0);
  const { rows } = await readDecisions(client, Math.max(0, total - newest), newest);
  const since = Date.now() - restorableDays * 86_400_000;
  const last = new Map(rows.map((row) => [row.testimonial_id, row]));
  return [...last.values()].reverse().flatMap(({ testimonial_id: id, event, ...row }) => {
    const { at, name, content, rating, reason } = row;
    const isDeleted = event === "deleted" || event === "deleted without reason";
    if (!isDeleted || !name || !content || Date.parse(at) <= since) return [];
    return [{ id, at, name, content, rating, reason }];
  });
}

interface DeletedTestimonialsProps {
  children: (counts: TestimonialCounts, list: ReactNode) => ReactNode;
}

export function DeletedTestimonials({ children }: DeletedTestimonialsProps) {
  return (
    <PageData
      query={{
        key: ["deleted testimonials"],
        read: async (client: Client) => ({
          counts: await countTestimonials(client),
          deleted: await listDeleted(client),
        }),
        tables: ["testimonials"],
      }}
    >
      {({ counts, deleted }) => children(counts, <List deleted={deleted} />)}
    </PageData>
  );
}

function List({ deleted }: { deleted: readonly DeletedTestimonial[] }) {
  if (deleted.length === 0) {
    return <EmptyList title={`No testimonial was deleted in the last ${restorableDays} days`} />;
  }
  return (
    <>
      <p className="mt-4 text-sm text-muted">{`These can be restored for ${restorableDays} days.`}</p>
      <StarShape />
      <ul aria-label="Deleted, newest first" className={`mt-4 ${listClass}`}>
        {deleted.map((testimonial) => (
          <DeletedItem key={testimonial.id} testimonial={testimonial} />
        ))}
      </ul>
    </>
  );
}

function DeletedItem({ testimonial }: { testimonial: DeletedTestimonial }) {
  const { id, at, name, content, rating, reason } = testimonial;
  const { timeZone } = useSite().contact;
  const { isRunning, run } = useAction();
  const reload = useReload();
  const item = useRef<HTMLLIElement>(null);

  const restore = () =>
    run(
      async (client) => {
        await undoDeletion(client, { kind: "testimonial", thing: id });
        leaveRow(neighborOf(item.current));
        await reload();
      },
      {
        title: "Testimonial restored",
        description: reason
          ? "It is under 'Refused', and can be approved there."
          : "It is where it was.",
      },
      { title: "Restore Failed" },
    );

  return (
    <li ref={item}>
      <article aria-label={`Testimonial by ${name}`} className="p-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-base wrap-anywhere">{name}</h2>
          <Stars rating={rating} />
          <span className="text-sm text-muted">{`Deleted ${formatDay(at, timeZone)}`}</span>
        </div>
        <p className="mt-2 line-clamp-4 max-w-3xl whitespace-pre-line wrap-anywhere">{content}</p>
        {reason && (
          // A CHECK allows only these reasons.
          <p className="mt-2 text-sm text-muted">{`${refusalReasons[reason as RefusalReason]}.`}</p>
        )}
        <Button
          className="mt-4"
          of={`the testimonial by ${name}`}
          disabled={isRunning}
          onClick={restore}
        >
          Restore
        </Button>
      </article>
    </li>
  );
}
