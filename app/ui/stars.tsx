import { Star } from "lucide";

export const starNumbers = [1, 2, 3, 4, 5];

/** The shape that all stars of a page refer to. Beside the list that shows them. */
export function StarShape() {
  return (
    <svg className="hidden" aria-hidden="true">
      <path {...Star[0]?.[1]} id="star" />
    </svg>
  );
}

export function Stars({ rating }: { rating: number }) {
  return (
    <svg
      role="img"
      aria-label={`${rating} out of 5 stars`}
      viewBox="0 0 129.6 24"
      fill="currentColor"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinejoin="round"
      className="h-5 w-27 text-clay"
    >
      {starNumbers.map((star) => (
        <use
          key={star}
          href="#star"
          x={26.4 * (star - 1)}
          fill={star > rating ? "none" : undefined}
        />
      ))}
    </svg>
  );
}
