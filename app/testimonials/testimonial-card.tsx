import { Stars } from "../ui/stars.tsx";
import type { Testimonial } from "./testimonials.ts";

/** One review. */
export function TestimonialCard({ testimonial }: { testimonial: Testimonial }) {
  const { name, role, content, rating } = testimonial;
  return (
    <figure className="flex h-full flex-col rounded-lg border border-line/80 bg-surface p-6 shadow-card sm:p-7">
      <Stars rating={rating} />
      <blockquote className="mt-4 flex-1 whitespace-pre-line text-ink">{content}</blockquote>
      <figcaption className="mt-6 border-t border-line/70 pt-4">
        <span className="block font-semibold">{name}</span>
        {role && <span className="block text-sm text-muted">{role}</span>}
      </figcaption>
    </figure>
  );
}
