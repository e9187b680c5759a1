import { useRef } from "react";
import { Link, useRevalidator } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { NoSuchPage, Pager } from "../../ui/pager.tsx";
import type { Approval, TestimonialList } from "./manage-testimonials.ts";
import { ModerationItem } from "./moderation-item.tsx";

const paths: Record<Approval, string> = {
  waiting: "/manage/testimonials",
  approved: "/manage/testimonials/approved",
};
const labels: Record<Approval, string> = { waiting: "Waiting", approved: "On the site" };

/** The waiting or the approved testimonials, newest first. Loaded only for a signed-in user. */
export default function ModerationList({
  approval,
  list,
  counts,
}: TestimonialList & { approval: Approval }) {
  const { approveFirst } = useSite().testimonials;
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);
  const isEmpty = list.rows.length === 0 && list.page === 1;

  return (
    <div className="wrap section min-h-[60vh]">
      <h1 ref={heading} tabIndex={-1} className="text-3xl outline-none">
        Reviews
      </h1>
      <p className="mt-4 max-w-2xl text-lg text-muted">
        {approveFirst
          ? "A new review waits here until you approve it. Visitors see only what is on the site."
          : "A new review is on the site at once. What you hide waits here. 'Approve first' is a setting of the testimonials."}
      </p>
      <nav aria-label="Reviews" className="mt-8 border-b border-line">
        <ul className="flex gap-2">
          {(["waiting", "approved"] as const).map((tab) => (
            <li key={tab}>
              <Link
                to={paths[tab]}
                aria-current={tab === approval ? "page" : undefined}
                className="-mb-px block border-b-2 border-transparent px-3 py-3 font-semibold text-muted hover:text-evergreen aria-[current]:border-clay aria-[current]:text-evergreen"
              >
                {labels[tab]} <span className="font-normal tabular-nums">({counts[tab]})</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {isEmpty ? (
        <Empty approval={approval} />
      ) : list.rows.length === 0 ? (
        <NoSuchPage items="reviews" path={paths[approval]} />
      ) : (
        <>
          <ul aria-label={`${labels[approval]}, newest first`} className="mt-6 space-y-4">
            {list.rows.map((testimonial) => (
              <ModerationItem
                key={testimonial.id}
                testimonial={testimonial}
                onChanged={(neighbor) => {
                  // The focused button is removed with its review.
                  (neighbor ?? heading.current)?.focus();
                  revalidate();
                }}
              />
            ))}
          </ul>
          <Pager items="reviews" path={paths[approval]} page={list.page} hasNext={list.hasNext} />
        </>
      )}
    </div>
  );
}

function Empty({ approval }: { approval: Approval }) {
  return (
    <div className="mt-6 rounded-lg border border-line bg-surface px-6 py-16 text-center">
      <h2 className="text-2xl">
        {approval === "waiting" ? "Nothing waits for you" : "No reviews on the site"}
      </h2>
      <p className="mt-2 text-muted">
        {approval === "waiting"
          ? "A review that needs your approval appears here."
          : "A review that you approve appears here and on the site."}
      </p>
    </div>
  );
}
