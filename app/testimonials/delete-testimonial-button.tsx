import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { announceOwnChange } from "../supabase/live.ts";
import { buttonClass } from "../ui/button.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { showToast } from "../ui/toast.ts";
import { isSample, removeTestimonial, type Testimonial } from "./testimonials.ts";

/** Deletes a review after asking. Loaded for a signed-in user alone. */
export default function DeleteTestimonialButton({ testimonial }: { testimonial: Testimonial }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [deleting, setDeleting] = useState(false);
  const { revalidate } = useRevalidator();

  function ask() {
    if (isSample(testimonial)) {
      showToast({
        tone: "error",
        title: "Action not allowed",
        description: "Sample reviews cannot be deleted.",
      });
      return;
    }
    dialog.current?.showModal();
  }

  async function remove() {
    const withdraw = announceOwnChange(testimonial.id);
    setDeleting(true);
    try {
      await removeTestimonial(await getBrowserClient(), testimonial.id);
      dialog.current?.close();
      showToast({
        tone: "success",
        title: "Review deleted",
        description: "The review has been successfully removed.",
      });
      revalidate();
    } catch (error) {
      withdraw();
      dialog.current?.close();
      const { message } = error as { message: string };
      showToast({ tone: "error", title: "Error deleting review", description: message });
    } finally {
      setDeleting(false);
    }
  }

  return (
    <>
      <button type="button" className={`${buttonClass("quietDanger", "small")} mt-4`} onClick={ask}>
        Delete
        <span className="sr-only"> the review by {testimonial.name}</span>
      </button>
      <ConfirmDialog
        ref={dialog}
        title="Are you absolutely sure?"
        text="This action cannot be undone. This will permanently delete this review."
        confirm="Continue"
        busy={deleting}
        onConfirm={remove}
      />
    </>
  );
}
