import { useRevalidator } from "react-router";
import { withOwnChange } from "../../supabase/live.ts";
import { isSample, removeTestimonial, type Testimonial } from "../../testimonials/testimonials.ts";
import { DeleteButton } from "../delete-button.tsx";

/** Deletes a testimonial. Loaded only for a signed-in user. */
export default function DeleteTestimonialButton({ testimonial }: { testimonial: Testimonial }) {
  const { id, name } = testimonial;
  const { revalidate } = useRevalidator();
  return (
    <DeleteButton
      target={`the review by ${name}`}
      what="review"
      success={{
        title: "Review deleted",
        description: "The review has been successfully removed.",
      }}
      failure={{ title: "Error deleting review" }}
      notAllowed={
        isSample(testimonial)
          ? { title: "Action not allowed", description: "Sample reviews cannot be deleted." }
          : undefined
      }
      className="mt-4"
      onDelete={(client) => withOwnChange(id, () => removeTestimonial(client, id))}
      onDeleted={revalidate}
    />
  );
}
