import { lazy, Suspense } from "react";
import { Await } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { site } from "../config/site.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { clientContext } from "../supabase/client-context.ts";
import { useLiveRefresh } from "../supabase/use-live-refresh.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import type { Route } from "./+types/testimonials-page";
import { ReviewDialog } from "./review-dialog.tsx";
import { TestimonialCard } from "./testimonial-card.tsx";
import { listTestimonialsOrNone, type Testimonial, withSamples } from "./testimonials.ts";

const DeleteTestimonialButton = lazy(() => import("./delete-testimonial-button.tsx"));

interface TestimonialsData {
  stored: Testimonial[] | Promise<Testimonial[]>;
}

export async function loader({ context }: Route.LoaderArgs): Promise<TestimonialsData> {
  return { stored: await listTestimonialsOrNone(context.get(clientContext)) };
}

export async function clientLoader(): Promise<TestimonialsData> {
  return { stored: getBrowserClient().then((client) => listTestimonialsOrNone(client)) };
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(
    { matches },
    {
      title: `Client Success Stories | ${site.brand}`,
      description: `What families and business owners say about working with ${site.adviser.name}. Read their stories or leave your own.`,
      path: "/testimonials",
    },
  );
}

export default function TestimonialsPage({ loaderData }: Route.ComponentProps) {
  useLiveRefresh("testimonials");
  return (
    <div className="wrap section">
      <div className="flex flex-wrap items-end justify-between gap-6">
        <PageHeading
          title="Client Success Stories"
          lead="In their own words: what it was like to plan, to decide and, now and then, to be told no."
        />
        <ReviewDialog />
      </div>
      <Suspense
        fallback={
          <p role="status" className="mt-12 text-muted">
            Loading stories...
          </p>
        }
      >
        <Await resolve={loaderData.stored}>
          {(stored) => <Stories testimonials={withSamples(stored)} />}
        </Await>
      </Suspense>
    </div>
  );
}

function Stories({ testimonials }: { testimonials: Testimonial[] }) {
  const { user } = useAuth();
  if (testimonials.length === 0) {
    return (
      <div className="mt-12 rounded-lg border border-line bg-surface px-6 py-16 text-center">
        <h2 className="text-2xl">No reviews yet</h2>
        <p className="mt-2 text-muted">Be the first to share your success story!</p>
      </div>
    );
  }
  return (
    <ul className="mt-12 grid gap-6 md:grid-cols-2 lg:grid-cols-3">
      {testimonials.map((testimonial, index) => (
        <li key={testimonial.id} className="stagger" style={{ "--i": index }}>
          <TestimonialCard
            testimonial={testimonial}
            controls={
              user && (
                <Suspense>
                  <DeleteTestimonialButton testimonial={testimonial} />
                </Suspense>
              )
            }
          />
        </li>
      ))}
    </ul>
  );
}
