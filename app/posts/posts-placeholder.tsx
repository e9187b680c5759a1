import { site } from "../config/site.ts";
import { TakingLonger } from "../ui/taking-longer.tsx";

/** Shown while posts load: the loading line and skeleton cards of the same size as the posts. */
export function PostsLoading({ lead = false }: { lead?: boolean }) {
  return (
    <div className={`relative ${lead ? "mt-12" : "mt-10"}`}>
      <p role="status" className="absolute bottom-full mb-1 text-muted">
        Loading articles...
      </p>
      <div aria-hidden="true" className="grid gap-x-8 gap-y-14 md:grid-cols-2 lg:grid-cols-3">
        {lead && (
          <CardSkeleton className="md:col-span-full md:grid md:grid-cols-[1.5fr_1fr] md:gap-10" />
        )}
        <CardSkeleton />
        <CardSkeleton className="max-md:hidden" />
        <CardSkeleton className="max-lg:hidden" />
      </div>
      <TakingLonger />
    </div>
  );
}

function CardSkeleton({ className = "" }: { className?: string }) {
  return (
    <div className={className}>
      <div className="skeleton aspect-video rounded-lg" />
      <div className="mt-5 space-y-3">
        <div className="skeleton h-4 w-1/3" />
        <div className="skeleton h-6" />
        <div className="skeleton h-6 w-2/3" />
        <div className="skeleton h-4 w-2/5" />
      </div>
    </div>
  );
}

/** Shown when there are no posts. */
export function NoPosts() {
  return (
    <div className="mt-10 grid items-center gap-8 border-y border-line py-10 sm:grid-cols-[14rem_1fr]">
      <img
        src="/images/fallback-general.svg"
        alt=""
        width={1600}
        height={900}
        loading="lazy"
        className="image aspect-video w-full rounded-md"
      />
      <div>
        <p className="font-serif text-2xl">No articles yet. The first one is being written.</p>
        <p className="mt-2 text-muted">
          Is there something you would like explained? Write to{" "}
          <a
            href={`mailto:${site.email}`}
            className="font-medium text-evergreen underline underline-offset-4 [overflow-wrap:anywhere]"
          >
            {site.email}
          </a>
          .
        </p>
      </div>
    </div>
  );
}
