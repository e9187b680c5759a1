import { Link, useRevalidator } from "react-router";
import { useSite } from "../config/use-site.ts";
import type { ListPage } from "../loading/load-page.ts";
import { type Loadable, Loaded } from "../loading/loaded.tsx";
import { buttonClass } from "../ui/button.ts";
import { Carousel } from "../ui/carousel.tsx";
import { TestimonialCard } from "./testimonial-card.tsx";
import { type Testimonial, withSamples } from "./testimonials.ts";

/** The testimonials of the home page: the samples at once, the stored ones when they arrive. */
export function TestimonialCarousel({ list }: { list: Loadable<ListPage<Testimonial>> }) {
  const { home } = useSite();
  return (
    <section id="testimonials" className="section border-b border-line bg-sand">
      <div className="wrap">
        <div className="flex flex-wrap items-end justify-between gap-6">
          <h2 className="max-w-xl text-3xl">{home.testimonialsHeading}</h2>
          <Link to="/testimonials" data-screen className={buttonClass("secondary")}>
            View All Stories &amp; Leave a Review
          </Link>
        </div>
        <Loaded
          data={list}
          of="home"
          fallback={<Slides stored={[]} loading />}
          // A failure is only logged: the samples stay (section 8).
          failure={() => <Slides stored={[]} />}
        >
          {({ rows }) => <Slides stored={rows} />}
        </Loaded>
      </div>
    </section>
  );
}

function Slides({ stored, loading = false }: { stored: Testimonial[]; loading?: boolean }) {
  const revalidating = useRevalidator().state === "loading";
  const testimonials = withSamples(useSite().testimonials.samples, stored);
  return (
    <>
      {(loading || revalidating) && testimonials.length <= 5 && (
        <p role="status" className="absolute mt-1.5 text-sm text-muted">
          Loading testimonials...
        </p>
      )}
      <Carousel label="Client testimonials" interval={3000}>
        {testimonials.map((testimonial) => (
          <TestimonialCard key={testimonial.id} testimonial={testimonial} />
        ))}
      </Carousel>
    </>
  );
}
