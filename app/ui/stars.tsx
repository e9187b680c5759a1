import { Star } from "lucide";
import { Icon } from "./icon.ts";

const five = [1, 2, 3, 4, 5];

/** A rating from 1 to 5 as filled and empty stars. */
export function Stars({ rating }: { rating: number }) {
  return (
    <span
      role="img"
      aria-label={`${rating} out of 5 stars`}
      className="inline-flex gap-0.5 text-clay"
    >
      {five.map((star) => (
        <Icon
          key={star}
          drawing={Star}
          className={star <= rating ? "size-5 fill-current" : "size-5"}
        />
      ))}
    </span>
  );
}

/** Chooses a rating, 5 at first: a group of radio buttons that posts as `name`. */
export function StarRating({ name }: { name: string }) {
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Rating</legend>
      <div className="mt-1 -ml-1.5 flex">
        {five.map((star) => (
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
