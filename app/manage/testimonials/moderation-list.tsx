import { useRef } from "react";
import { Link, useRevalidator } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { useLiveRefresh } from "../../supabase/live.ts";
import { AboutReviewer } from "../../testimonials/testimonial-card.tsx";
import { pageOf } from "../../ui/pager.tsx";
import { StarShape, Stars } from "../../ui/stars.tsx";
import { Button } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { EmptyList, PagedList } from "../list-toolbar.tsx";
import { leaveRow, neighborOf, PageData, PageFrame } from "../manage-frame.tsx";
import type { LoadArgs } from "../manage-pages.ts";
import { useAction } from "../use-action.ts";
import DeleteTestimonialButton from "./delete-testimonial-button.tsx";
import {
  type Approval,
  loadTestimonialList,
  type StoredTestimonial,
  setApproved,
  type TestimonialList,
} from "./manage-testimonials.ts";

const paths: Record<Approval, string> = {
  waiting: "/manage/testimonials",
  approved: "/manage/testimonials/approved",
};
const labels: Record<Approval, string> = { waiting: "Waiting", approved: "On the site" };
const emptyTexts: Record<Approval, { title: string; text: string }> = {
  waiting: {
    title: "Nothing waits for you",
    text: "A review that needs your approval appears here.",
  },
  approved: {
    title: "No reviews on the site",
    text: "A review that you approve appears here and on the site.",
  },
};

export function load({ url }: LoadArgs) {
  const page = pageOf(url.search);
  const approval: Approval = /\/approved\/?$/i.test(url.pathname) ? "approved" : "waiting";
  return { page, approval, list: loadTestimonialList(approval, page) };
}

export default function TestimonialsPage({ data }: { data: ReturnType<typeof load> }) {
  useLiveRefresh("testimonials");
  const { page, approval, list } = data;
  return (
    // Separate keys, so that a tab never shows the rows of the other.
    <PageData key={approval} data={list} of={page}>
      {(loaded) => <ModerationList approval={approval} {...loaded} />}
    </PageData>
  );
}

/** The waiting or the approved testimonials, newest first. */
function ModerationList({ approval, list, counts }: TestimonialList & { approval: Approval }) {
  const { testimonials, closed } = useSite();
  const { revalidate } = useRevalidator();

  return (
    <PageFrame>
      {!closed.includes("/testimonials") && (
        <p className="mt-4 max-w-2xl text-lg text-muted">
          {testimonials.approveFirst
            ? "A new review waits here until you approve it. Visitors see only what is on the site."
            : "A new review is on the site at once. What you hide waits here. In the settings of the testimonials, you can let new reviews wait until you have read them."}
        </p>
      )}
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
      <StarShape />
      <PagedList
        items="reviews"
        path={paths[approval]}
        list={list}
        empty={<EmptyList {...emptyTexts[approval]} />}
      >
        {(rows) => (
          <ul aria-label={`${labels[approval]}, newest first`} className="mt-6 space-y-4">
            {rows.map((testimonial) => (
              <ModerationItem
                key={testimonial.id}
                testimonial={testimonial}
                onChanged={(neighbor) => {
                  leaveRow(neighbor);
                  revalidate();
                }}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </PageFrame>
  );
}

interface ModerationItemProps {
  testimonial: StoredTestimonial;
  /** @param neighbor the first button of the next review, else of the previous one */
  onChanged: (neighbor: HTMLElement | null) => void;
}

/** One testimonial with the buttons that approve, hide and delete it. */
function ModerationItem({ testimonial, onChanged }: ModerationItemProps) {
  const { id, name, content, rating, created_at, approved_at } = testimonial;
  const { timeZone } = useSite().contact;
  const { isRunning, run } = useAction();
  const item = useRef<HTMLLIElement>(null);
  const isWaiting = approved_at === null;

  function change() {
    return run(
      async (client) => {
        await setApproved(client, id, isWaiting);
        onChanged(neighborOf(item.current));
      },
      isWaiting
        ? { title: "Review approved", description: `The review by ${name} is on the site.` }
        : {
            title: "Review hidden",
            description: `The review by ${name} is no longer on the site.`,
          },
      { title: isWaiting ? "Approving failed" : "Hiding failed" },
    );
  }

  return (
    <li ref={item}>
      <article
        aria-label={`Review by ${name}`}
        className="rounded-lg border border-line bg-surface p-5 sm:p-6"
      >
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <h2 className="font-sans text-base font-semibold wrap-anywhere">
            {name}
            <AboutReviewer testimonial={testimonial} />
          </h2>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
            <Stars rating={rating} />
            <time dateTime={created_at}>{formatMoment(created_at, timeZone)}</time>
          </p>
        </div>
        <p className="mt-4 max-w-3xl whitespace-pre-line wrap-anywhere">{content}</p>
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button look={isWaiting ? "primary" : "secondary"} disabled={isRunning} onClick={change}>
            {isWaiting ? "Approve" : "Hide from the site"}
            <span className="sr-only">: the review by {name}</span>
          </Button>
          <DeleteTestimonialButton
            testimonial={testimonial}
            className=""
            onDeleted={() => onChanged(neighborOf(item.current))}
          />
        </div>
      </article>
    </li>
  );
}
