import { Link, useRevalidator } from "react-router";
import { useSite } from "../config/use-site.ts";
import { type Failed, type Loadable, Loaded } from "../loading/loaded.tsx";
import { buttonClass } from "../ui/button-class.ts";
import { Carousel } from "../ui/carousel.tsx";
import { ReadFailure } from "../ui/load-state.tsx";
import { StarShape } from "../ui/stars.tsx";
import { TestimonialCard, TestimonialDisclosure } from "./testimonial-card.tsx";
import { type Testimonial, testimonialsError, withSamples } from "./testimonials.ts";

/** The testimonials of the home page: the samples at once, the stored ones when they arrive. Hidden when there are none. */
export function TestimonialCarousel({ list }: { list: Loadable<Testimonial[]> }) {
  return (
    <section
      id="testimonials"
      className="section -mt-px border-y border-line bg-sand has-[>:empty]:hidden"
    >
      <div className="wrap">
        <Loaded
          data={list}
          of="home"
          fallback={<Testimonials stored={[]} loading />}
          failure={(failed) => <Testimonials stored={[]} failed={failed} />}
        >
          {(stored) => <Testimonials stored={stored} />}
        </Loaded>
      </div>
    </section>
  );
}

interface TestimonialsProps {
  stored: Testimonial[];
  loading?: boolean;
  failed?: Failed;
}

function Testimonials({ stored, loading = false, failed }: TestimonialsProps) {
  const { home, testimonials: options } = useSite();
  const revalidating = useRevalidator().state === "loading";
  const testimonials = withSamples(options.samples, stored);
  if (!loading && !failed && testimonials.length === 0) return null;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-6">
        <h2 className="max-w-xl text-3xl">{home.testimonialsHeading}</h2>
        <Link to="/testimonials" data-screen className={buttonClass("secondary")}>
          View All Stories &amp; Leave a Review
        </Link>
      </div>
      {(loading || revalidating) && testimonials.length <= 5 && (
        <p role="status" className="absolute mt-1.5 text-sm text-muted">
          Loading testimonials...
        </p>
      )}
      {/* With samples a failure is only logged: they stay. */}
      {testimonials.length > 0 ? (
        <>
          <StarShape />
          <TestimonialDisclosure />
          <Carousel label="Client testimonials" interval={3000}>
            {testimonials.map((testimonial) => (
              <TestimonialCard key={testimonial.id} testimonial={testimonial} />
            ))}
          </Carousel>
        </>
      ) : failed ? (
        <ReadFailure failed={failed} text={testimonialsError} />
      ) : (
        // Reserves the height of the loading line.
        <div className="mt-8" />
      )}
    </>
  );
}
