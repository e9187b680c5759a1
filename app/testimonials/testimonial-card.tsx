import type { ReactNode } from "react";
import {
  describeAnswers,
  detailNames,
} from "../../supabase/functions/_shared/testimonial-fields.ts";
import { useSite } from "../config/use-site.ts";
import { LongDate } from "../ui/long-date.tsx";
import { Stars } from "../ui/stars.tsx";
import { isSample, type Testimonial } from "./testimonials.ts";

interface TestimonialCardProps {
  testimonial: Testimonial;
  controls?: ReactNode;
}

export function TestimonialCard({ testimonial, controls }: TestimonialCardProps) {
  const { name, content, rating } = testimonial;
  const disclosure = disclosureOf(testimonial, useSite().firm.name);
  return (
    <figure
      // Without it the accessible name would be the caption, with the owner's Delete button.
      aria-label={`Review by ${name}`}
      className="flex h-full flex-col rounded-lg border border-line bg-surface p-6 sm:p-8"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Stars rating={rating} />
        {isInvented(testimonial) && (
          <span className="rounded-full border border-edge px-2.5 text-sm font-semibold">
            Sample
          </span>
        )}
      </div>
      <blockquote className="mt-5 flex-1 whitespace-pre-line">
        <LongText text={content} what={`review by ${name}`} />
      </blockquote>
      <figcaption className="mt-6 border-t border-line pt-4">
        <span className="block font-semibold">{name}</span>
        <AboutReviewer testimonial={testimonial} />
        {/* Of the size and color of the review, as 17 CFR 275.206(4)-1(b) asks. */}
        {disclosure && <p className="mt-2">{disclosure}</p>}
        <Reply testimonial={testimonial} />
        {controls}
      </figcaption>
    </figure>
  );
}

/** The firm's notice above testimonials, as prominent as they are (FINRA 2210(d)(6)); nothing when there is none. */
export function TestimonialDisclosure() {
  const { disclosures } = useSite();
  if (!disclosures.testimonials) return null;
  return <p className="mt-8 max-w-3xl whitespace-pre-line">{disclosures.testimonials}</p>;
}

/** A text whose end, if it is long, is behind 'Read more'. */
function LongText({ text, what }: { text: string; what: string }) {
  const [opening, rest] = splitContent(text);
  return (
    <>
      <span>{opening}</span>
      {rest && (
        // <details> needs no script, and find-in-page opens it.
        <details className="group open:flex open:flex-col-reverse open:items-start">
          <summary className="mt-2 inline-block rounded-sm py-1 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-4">
            <span className="group-open:hidden">
              Read more<span className="sr-only">{` of the ${what}`}</span>
            </span>
            <span className="hidden group-open:inline">Read less</span>
          </summary>
          <p className="mt-3">{rest}</p>
        </details>
      )}
    </>
  );
}

function Reply({ testimonial: { name, reply, replied_at } }: { testimonial: Testimonial }) {
  const { firm } = useSite();
  if (!reply || !replied_at) return null;
  return (
    <div className="mt-4 border-l-2 border-clay pl-4 whitespace-pre-line">
      <p className="font-semibold">
        <span>{`Reply by ${firm.name}, `}</span>
        <LongDate time={replied_at} />
      </p>
      <LongText text={reply} what={`reply to ${name}`} />
    </div>
  );
}

export function AboutReviewer({ testimonial }: { testimonial: Testimonial }) {
  return detailNames.map(
    (name) =>
      testimonial[name] && (
        <span key={name} className="block text-sm font-normal text-muted">
          {testimonial[name]}
        </span>
      ),
  );
}

/**
 * What visitors must know beside a testimonial: whether the firm asked for it, what the reviewer answered about ties to
 * the firm and payment, and what the firm states. Empty when nothing is known, and for invented samples.
 */
export function disclosureOf(testimonial: Testimonial, firm: string): string {
  if (isInvented(testimonial)) return "";
  const { is_asked, statement } = testimonial;
  return [
    is_asked && "Asked for by the firm",
    describeAnswers(testimonial),
    statement && `${firm} states: ${statement}`,
  ]
    .flatMap((text) => (text ? text.trim().replace(/[^.!?]$/, "$&.") : []))
    .join(" ");
}

/** Whether a testimonial is one of the samples, built in or stored. */
function isInvented(testimonial: Testimonial): boolean {
  return isSample(testimonial) || testimonial.is_sample === true;
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
