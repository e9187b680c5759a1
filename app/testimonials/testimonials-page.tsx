import { Suspense, useDeferredValue } from "react";
import { data } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { siteContext } from "../config/request-context.ts";
import { siteOf, useSite } from "../config/use-site.ts";
import { lazyOwnerPart } from "../loading/lazy-part.tsx";
import { type ListPage, statusOf } from "../loading/load-page.ts";
import { type Loadable, Loaded, tryLoading } from "../loading/loaded.tsx";
import { type About, breadcrumbs } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { getVisitorClient, readPublicSettings } from "../supabase/browser-client.ts";
import { clientContext } from "../supabase/client-context.ts";
import { useLiveRefresh } from "../supabase/live.ts";
import { LoadFailure, ReadFailure, TakingLonger } from "../ui/load-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Pager, pageOf, pagePath } from "../ui/pager.tsx";
import { StarShape } from "../ui/stars.tsx";
import type { Route } from "./+types/testimonials-page";
import { TestimonialCard, TestimonialDisclosure } from "./testimonial-card.tsx";
import { TestimonialDialog } from "./testimonial-dialog.tsx";
import {
  readTestimonials,
  type Testimonial,
  testimonialsError,
  withSamples,
} from "./testimonials.ts";

const DeleteTestimonialButton = lazyOwnerPart(
  () => import("../manage/testimonials/delete-testimonial-button.tsx"),
  ({ onRetry }) => <LoadFailure what="Delete" onRetry={onRetry} className="mt-4" />,
);

export async function loader({ context, request }: Route.LoaderArgs) {
  const page = pageOf(new URL(request.url).search);
  const { samples } = context.get(siteContext).site.testimonials;
  const list = await tryLoading("testimonials", context.get(clientContext), (client) =>
    readTestimonials(client, samples, page),
  );
  return data({ page, list }, { status: statusOf(list) });
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const page = pageOf(new URL(request.url).search);
  const { hasSampleTestimonials } = readPublicSettings();
  const list = tryLoading("testimonials", getVisitorClient(), (client) =>
    readTestimonials(client, hasSampleTestimonials, page),
  );
  return { page, list };
}

export function meta({ matches, location }: Route.MetaArgs) {
  const { title, description } = siteOf(matches).pages.testimonials;
  const page = pageOf(location.search);
  return pageMeta(
    { matches },
    {
      title: title + (page > 1 ? ` | Page ${page}` : ""),
      description,
      path: pagePath("/testimonials", page),
    },
  );
}

export function structuredData(about: About) {
  return [breadcrumbs(about, ["Testimonials", "/testimonials"])];
}

export default function TestimonialsPage({ loaderData }: Route.ComponentProps) {
  useLiveRefresh("testimonials");
  const { page, list } = loaderData;
  const { heading, lead, samples } = useSite().testimonials;
  const hasSamples = samples && page === 1;
  // Until the list has loaded, an empty one, to which the samples are added.
  const shown = useDeferredValue(list, hasSamples && list instanceof Promise ? noResult : list);
  return (
    <div className="wrap section">
      <div className="flex flex-wrap items-end justify-between gap-6">
        <PageHeading title={heading} lead={lead} />
        <TestimonialDialog />
        <noscript>
          <p className="basis-full text-muted">
            Writing a review here needs JavaScript. Your words are as welcome by the{" "}
            <a href="/contact" className="underline underline-offset-4">
              contact form
            </a>
            .
          </p>
        </noscript>
      </div>
      <Loaded
        data={shown}
        of={page}
        fallback={<Loading />}
        failure={(failed) =>
          // With samples a failure is only logged: they stay.
          hasSamples ? (
            <TestimonialGrid list={nothingStored} />
          ) : (
            <ReadFailure failed={failed} text={testimonialsError} />
          )
        }
      >
        {(loaded) => <TestimonialGrid list={loaded} isLoading={shown !== list} />}
      </Loaded>
    </div>
  );
}

const nothingStored: ListPage<Testimonial> = { rows: [], page: 1, hasNext: false };
const noResult: Loadable<ListPage<Testimonial>> = { value: nothingStored };

interface TestimonialGridProps {
  list: ListPage<Testimonial>;
  isLoading?: boolean;
}

function TestimonialGrid({ list, isLoading = false }: TestimonialGridProps) {
  const { testimonials: options } = useSite();
  const { tasks } = useAuth();
  const testimonials = list.page === 1 ? withSamples(options.samples, list.rows) : list.rows;
  if (testimonials.length === 0) {
    return (
      <div className="mt-12 rounded-lg border border-line bg-surface px-6 py-16 text-center">
        <h2 className="text-2xl">No reviews yet</h2>
        {options.invitation && <p className="mt-2 text-muted">{options.invitation}</p>}
      </div>
    );
  }
  return (
    <>
      <StarShape />
      <TestimonialDisclosure />
      <div className="relative mt-12">
        {isLoading && <LoadingLine />}
        <ul
          className={`grid grid-cols-1 gap-6 has-[details[open]]:items-start ${columns[testimonials.length - 1] ?? "md:grid-cols-2 lg:grid-cols-3"}`}
        >
          {testimonials.map((testimonial, index) => (
            <li key={testimonial.id} className="stagger" style={{ "--i": index }}>
              <TestimonialCard
                testimonial={testimonial}
                controls={
                  tasks.includes("moderate testimonials") && (
                    <Suspense>
                      <DeleteTestimonialButton testimonial={testimonial} />
                    </Suspense>
                  )
                }
              />
            </li>
          ))}
        </ul>
      </div>
      {isLoading && <TakingLonger />}
      <Pager items="stories" path="/testimonials" page={list.page} hasNext={list.hasNext} />
    </>
  );
}

/** The grid classes for one testimonial and for two. */
const columns = ["max-w-2xl", "md:grid-cols-2"];

function Loading() {
  return (
    <div className="relative mt-12">
      <LoadingLine />
      <div aria-hidden="true" className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
        {["", "max-md:hidden", "max-lg:hidden"].map((hidden) => (
          <div
            key={hidden}
            className={`h-96 space-y-4 rounded-lg border border-line bg-surface p-6 sm:p-8 ${hidden}`}
          >
            <div className="skeleton h-5 w-28" />
            <div className="skeleton h-40" />
            <div className="skeleton h-5 w-1/2" />
          </div>
        ))}
      </div>
      <TakingLonger />
    </div>
  );
}

function LoadingLine() {
  return (
    <p role="status" className="absolute bottom-full mb-1 text-muted">
      Loading stories...
    </p>
  );
}
