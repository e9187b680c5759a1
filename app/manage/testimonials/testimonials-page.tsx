import { Fragment, type ReactNode } from "react";
import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { Loaded } from "../../loading/loaded.tsx";
import { mayHaveSession } from "../../supabase/browser-client.ts";
import { useLiveRefresh } from "../../supabase/live.ts";
import { LoadFailure, ReadFailure, TakingLonger } from "../../ui/load-state.tsx";
import { pageOf } from "../../ui/pager.tsx";
import type { Route } from "./+types/testimonials-page";
import { type Approval, loadTestimonialList } from "./manage-testimonials.ts";

// Loaded separately, so that a visitor who opens this address does not load the code of the list.
const ModerationList = lazyPart(
  () => import("./moderation-list.tsx"),
  ({ onRetry }) => (
    <Frame>
      <LoadFailure what="The reviews" onRetry={onRetry} className="mt-8" />
    </Frame>
  ),
);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { pathname, search } = new URL(request.url);
  const page = pageOf(search);
  const approval: Approval = /\/approved(\.data)?$/.test(pathname) ? "approved" : "waiting";
  // Without a session the protected layout redirects to the login; skip the request.
  return { page, approval, list: mayHaveSession() ? loadTestimonialList(approval, page) : null };
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `Manage reviews | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export function HydrateFallback() {
  return <Loading />;
}

export default function ManageTestimonialsPage({ loaderData }: Route.ComponentProps) {
  useLiveRefresh("testimonials");
  const { page, approval, list } = loaderData;
  if (!list) return <Loading />;
  return (
    // The lists of the two tabs share nothing, so that one never shows the rows of the other.
    <Fragment key={approval}>
      <Loaded
        data={list}
        of={page}
        fallback={<Loading />}
        failure={(failed) => (
          <Frame>
            <ReadFailure
              failed={failed}
              text="The reviews can't be shown right now. None of them is lost."
            />
          </Frame>
        )}
      >
        {(loaded) => <ModerationList approval={approval} {...loaded} />}
      </Loaded>
    </Fragment>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">Reviews</h1>
      {children}
    </div>
  );
}

/** The loading line and placeholders of the same size as the reviews. */
function Loading() {
  return (
    <Frame>
      <p role="status" className="mt-4 text-lg text-muted">
        Loading reviews...
      </p>
      <div aria-hidden="true" className="mt-8 space-y-4">
        {["w-1/4", "w-2/5", "w-1/3"].map((width) => (
          <div
            key={width}
            className="space-y-3 rounded-lg border border-line bg-surface p-5 sm:p-6"
          >
            <div className={`skeleton h-5 ${width}`} />
            <div className="skeleton h-16" />
          </div>
        ))}
      </div>
      <TakingLonger />
    </Frame>
  );
}
