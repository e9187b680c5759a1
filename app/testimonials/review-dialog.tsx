import { type FormEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation, useNavigate, useRevalidator } from "react-router";
import { isTrapped, TrapField } from "../bot-check/trap-field.tsx";
import { useShortestFill } from "../bot-check/use-shortest-fill.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { withOwnChange } from "../supabase/live.ts";
import { newId } from "../supabase/new-id.ts";
import { buttonClass } from "../ui/button.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { ErrorSummary, remainingErrors } from "../ui/form-errors.tsx";
import { StarRating } from "../ui/star-rating.tsx";
import { showToast } from "../ui/toast.ts";
import { useFormDraft } from "../ui/use-form-draft.ts";
import { parseReview, type Review, reviewLimits } from "./review.ts";
import { addTestimonial } from "./testimonials.ts";

const fields = [
  { name: "name", label: "Your Name" },
  { name: "role", label: "Your Role (Optional)" },
  { name: "content", label: "Your Review" },
];

/** The button that opens the review form, and the form. */
export function ReviewDialog() {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [failure, setFailure] = useState<string>();
  const [submitting, setSubmitting] = useState(false);
  const { revalidate } = useRevalidator();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const shortestFill = useShortestFill();
  useFormDraft(form, "review-draft");

  function open() {
    dialog.current?.showModal();
    form.current?.querySelector<HTMLElement>("[name=name]")?.focus();
  }

  function followTyping(event: FormEvent<HTMLFormElement>) {
    if (Object.keys(errors).length === 0) return;
    const found = parseReview(new FormData(event.currentTarget)).errors ?? {};
    setErrors(remainingErrors(errors, found));
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const result = parseReview(data);
    // Render the error before moving focus, so screen readers announce it with the field.
    flushSync(() => {
      setErrors(result.errors ?? {});
      setFailure(undefined);
    });
    if (!result.review) {
      const firstInvalid = fields.find(({ name }) => result.errors[name])?.name;
      form.current?.querySelector<HTMLElement>(`[name="${firstInvalid}"]`)?.focus();
      return;
    }
    setSubmitting(true);
    try {
      await shortestFill();
      if (!isTrapped(data)) await add(result.review);
      form.current?.reset();
      dialog.current?.close();
      showToast({
        tone: "success",
        title: "Review Submitted!",
        description: "Thank you! Your review is now live.",
      });
      // A new review stands on the first page.
      if (search) navigate(pathname);
      else revalidate();
    } catch (error) {
      const { message } = error as { message: string };
      setFailure(message);
      showToast({ tone: "error", title: "Error submitting review", description: message });
    } finally {
      setSubmitting(false);
    }
  }

  async function add(review: Review) {
    const id = newId();
    await withOwnChange(id, async () => {
      const client = await getBrowserClient();
      await addTestimonial(client, { ...review, id, created_at: new Date().toISOString() });
    });
  }

  return (
    <>
      <button type="button" className={`${buttonClass("primary")} noscript:hidden`} onClick={open}>
        Leave a Review
      </button>
      <Dialog
        ref={dialog}
        title="Leave a Review"
        description="Your name, your words. It appears on this page at once."
      >
        <form
          ref={form}
          onSubmit={submit}
          onChange={followTyping}
          className="mt-6 space-y-5"
          noValidate
        >
          <ErrorSummary
            fields={fields
              .filter(({ name }) => errors[name])
              .map(({ name, label }) => ({ id: `${id}-${name}`, label }))}
          />
          <TextField
            label="Your Name"
            id={`${id}-name`}
            name="name"
            autoComplete="name"
            required
            maxLength={reviewLimits.name}
            error={errors.name}
          />
          <TextField
            label="Your Role (Optional)"
            id={`${id}-role`}
            name="role"
            placeholder="Small business owner"
            maxLength={reviewLimits.role}
            error={errors.role}
          />
          <StarRating name="rating" />
          <TextAreaField
            label="Your Review"
            id={`${id}-content`}
            name="content"
            rows={5}
            required
            maxLength={reviewLimits.content}
            error={errors.content}
          />
          <TrapField />
          {failure && (
            <p role="alert" className="rounded-md bg-clay-soft p-3 text-sm font-medium text-danger">
              {failure}
            </p>
          )}
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
