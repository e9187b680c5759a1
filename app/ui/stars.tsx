import { Star } from "lucide";
import { Icon } from "./icon.ts";

export const starNumbers = [1, 2, 3, 4, 5];

/** A rating from 1 to 5 as filled and empty stars. */
export function Stars({ rating }: { rating: number }) {
  return (
    <span
      role="img"
      aria-label={`${rating} out of 5 stars`}
      className="inline-flex gap-0.5 text-clay"
    >
      {starNumbers.map((star) => (
        <Icon
          key={star}
          drawing={Star}
          className={star <= rating ? "size-5 fill-current" : "size-5"}
        />
      ))}
    </span>
  );
}
