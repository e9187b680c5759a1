import type { ReactNode } from "react";
import { Stars } from "../ui/stars.tsx";
import { splitReview } from "./split-review.ts";
import type { Testimonial } from "./testimonials.ts";

interface TestimonialCardProps {
  testimonial: Testimonial;
  controls?: ReactNode;
}

/** One review. */
export function TestimonialCard({ testimonial, controls }: TestimonialCardProps) {
  const { name, role, content, rating } = testimonial;
  const [opening, rest] = splitReview(content);
  return (
    <figure
      // By name: the caption's words would have the owner's button among them.
      aria-label={`Review by ${name}`}
      className="flex h-full flex-col rounded-lg border border-line bg-surface p-6 sm:p-8"
    >
      <Stars rating={rating} />
      <blockquote className="mt-5 flex-1 whitespace-pre-line">
        {opening}
        {rest && (
          // A disclosure needs no script, and the words behind it are found by a search in the page.
          <details className="group open:flex open:flex-col-reverse open:items-start">
            <summary className="mt-2 inline-block rounded-sm py-1 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-4">
              <span className="group-open:hidden">
                Read more<span className="sr-only"> of the review by {name}</span>
              </span>
              <span className="hidden group-open:inline">Read less</span>
            </summary>
            <p className="mt-3">{rest}</p>
          </details>
        )}
      </blockquote>
      <figcaption className="mt-6 border-t border-line pt-4">
        <span className="block font-semibold">{name}</span>
        {role && <span className="block text-sm text-muted">{role}</span>}
        {controls}
      </figcaption>
    </figure>
  );
}
