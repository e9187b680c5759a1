import type { ReactNode } from "react";
import { Stars } from "../ui/stars.tsx";
import type { Testimonial } from "./testimonials.ts";

interface TestimonialCardProps {
  testimonial: Testimonial;
  controls?: ReactNode;
}

export function TestimonialCard({ testimonial, controls }: TestimonialCardProps) {
  const { name, content, rating } = testimonial;
  const [opening, rest] = splitContent(content);
  return (
    <figure
      // Without it the accessible name would be the caption, with the owner's Delete button.
      aria-label={`Review by ${name}`}
      className="flex h-full flex-col rounded-lg border border-line bg-surface p-6 sm:p-8"
    >
      <Stars rating={rating} />
      <blockquote className="mt-5 flex-1 whitespace-pre-line">
        {opening}
        {rest && (
          // <details> needs no script, and find-in-page opens it.
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
        <AboutReviewer testimonial={testimonial} />
        {controls}
      </figcaption>
    </figure>
  );
}

/** The line below the name. */
export function AboutReviewer({ testimonial: { role } }: { testimonial: Testimonial }) {
  return role && <span className="block text-sm font-normal text-muted">{role}</span>;
}

/** The maximum length of a testimonial that is shown whole, in characters. */
const wholeLength = 480;
/** A longer testimonial is split at the end of the first sentence after this many characters. */
const openingLength = 320;

/**
 * Splits a testimonial into what its card shows at once and what is behind 'Read more'.
 * @returns the text and null when it is short; a long one is split after a sentence, or after a word
 */
export function splitContent(text: string): [opening: string, rest: string | null] {
  if (text.length <= wholeLength) return [text, null];
  const head = text.slice(0, wholeLength);
  const ends = [...head.matchAll(/[.!?…]["')\]’”]?\s/g)].map(
    ({ index, 0: end }) => index + end.length,
  );
  const sentenceEnd =
    ends.find((end) => end >= openingLength) ?? ends.findLast((end) => end >= openingLength / 2);
  const end = sentenceEnd ?? (head.lastIndexOf(" ", openingLength) + 1 || openingLength);
  return [text.slice(0, end).trimEnd(), text.slice(end).trimStart()];
}
