import type { ReactNode } from "react";
import { Stars } from "../ui/stars.tsx";
import type { Testimonial } from "./testimonials.ts";

interface TestimonialCardProps {
  testimonial: Testimonial;
  controls?: ReactNode;
}

/** One review. */
export function TestimonialCard({ testimonial, controls }: TestimonialCardProps) {
  const { name, role, content, rating } = testimonial;
  return (
    <figure className="flex h-full flex-col rounded-lg border border-line/80 bg-surface p-6 shadow-card sm:p-7">
      <Stars rating={rating} />
      <blockquote className="mt-4 flex-1 whitespace-pre-line text-ink">{content}</blockquote>
      <figcaption className="mt-6 border-t border-line/70 pt-4">
        <span className="block font-semibold">{name}</span>
        {role && <span className="block text-sm text-muted">{role}</span>}
        {controls}
      </figcaption>
    </figure>
  );
}
