import { Star } from "lucide";
import { Icon } from "./icon.ts";
import { starNumbers } from "./stars.tsx";

/** Radio buttons for a rating; 5 by default. Apart from `stars.tsx`: the review dialog is loaded on demand. */
export function StarRating({ name }: { name: string }) {
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Rating</legend>
      <div className="mt-1 -ml-1.5 flex">
        {starNumbers.map((star) => (
          <label
            key={star}
            className="star rounded-sm p-1.5 text-clay has-focus-visible:outline-3 has-focus-visible:outline-clay"
          >
            <input
              type="radio"
              name={name}
              value={star}
              defaultChecked={star === 5}
              className="sr-only"
            />
            <Icon drawing={Star} className="size-8" />
            <span className="sr-only">{star === 1 ? "1 star" : `${star} stars`}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
