import { Star } from "lucide";
import { Fragment, useId, useRef } from "react";
import { useLocation, useNavigate, useRevalidator } from "react-router";
import { useSite } from "../config/use-site.ts";
import { HoneypotField } from "../forms/honeypot-field.tsx";
import { messageOf, useFormSubmit } from "../forms/use-form-submit.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { buttonClass } from "../ui/button.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { ErrorSummary, FormFailure } from "../ui/form-errors.tsx";
import { Icon } from "../ui/icon.ts";
import { starNumbers } from "../ui/stars.tsx";
import {
  addReview,
  type ReviewFieldName,
  ratings,
  readReview,
  reviewFieldNames,
  reviewFields,
  validateReview,
} from "./review.ts";

/** The button that opens the review form, and the form. */
export function ReviewDialog() {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const { revalidate } = useRevalidator();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { approveFirst } = useSite().testimonials;

  const { errors, failure, submitting, formProps } = useFormSubmit({
    draftKey: "review-draft",
    validate: (form) => validateReview(form, approveFirst),
    send: async (form) => addReview(await getBrowserClient(), readReview(form)),
    sent: {
      title: "Review Submitted!",
      description: approveFirst
        ? "Thank you! Your review appears here after it was read."
        : "Thank you! Your review is now live.",
    },
    onSent() {
      dialog.current?.close();
      // A new review is on the first page.
      if (search) navigate(pathname);
      else revalidate();
    },
    describeFailure: (error) => ({
      title: "Error submitting review",
      description: messageOf(error),
    }),
  });

  function open() {
    dialog.current?.showModal();
    formProps.ref.current?.querySelector<HTMLElement>("[name=name]")?.focus();
  }

  const ratingId = `${id}-rating`;
  const field = (name: ReviewFieldName) => ({
    id: `${id}-${name}`,
    name,
    label: reviewFields[name].label,
    required: reviewFields[name].required,
    maxLength: reviewFields[name].max,
    autoComplete: reviewFields[name].autoComplete,
    placeholder: reviewFields[name].placeholder,
    error: errors[name],
  });

  return (
    <>
      <button type="button" className={`${buttonClass("primary")} noscript:hidden`} onClick={open}>
        Leave a Review
      </button>
      <Dialog
        ref={dialog}
        title="Leave a Review"
        description={`Your name, your words. It appears on this page ${approveFirst ? "after it was read" : "at once"}.`}
      >
        <form {...formProps} className="mt-6 space-y-5" noValidate>
          <ErrorSummary
            fields={[
              ...reviewFieldNames.filter((name) => errors[name]).map(field),
              ...(errors.rating ? [{ id: ratingId, label: "Rating" }] : []),
            ]}
          />
          {reviewFieldNames.map((name) => {
            const { rows } = reviewFields[name];
            if (!rows) return <TextField key={name} {...field(name)} />;
            return (
              <Fragment key={name}>
                <StarRating
                  id={ratingId}
                  preset={approveFirst ? null : ratings.default}
                  error={errors.rating}
                />
                <TextAreaField {...field(name)} rows={rows} />
              </Fragment>
            );
          })}
          <HoneypotField />
          <FormFailure text={failure} />
          <div className="flex flex-wrap justify-end gap-3">
            <button
              type="button"
              className={buttonClass("secondary")}
              onClick={() => dialog.current?.close()}
            >
              Cancel
            </button>
            <button type="submit" className={buttonClass("primary")} disabled={submitting}>
              {submitting ? "Submitting..." : "Submit Review"}
            </button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

interface StarRatingProps {
  /** Of the first star. */
  id: string;
  preset: number | null;
  error: string | undefined;
}

/** Radio buttons for a rating. */
function StarRating({ id, preset, error }: StarRatingProps) {
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
              id={star === 1 ? id : undefined}
              name="rating"
              value={star}
              defaultChecked={star === preset}
              aria-invalid={error ? true : undefined}
              aria-describedby={error && `${id}-error`}
              className="sr-only"
            />
            <Icon drawing={Star} className="size-8" />
            <span className="sr-only">{star === 1 ? "1 star" : `${star} stars`}</span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
