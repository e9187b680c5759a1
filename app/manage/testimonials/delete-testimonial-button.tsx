import { useRevalidator } from "react-router";
import type { Client } from "../../supabase/client-context.ts";
import { withOwnChange } from "../../supabase/live.ts";
import { isSample, type Testimonial } from "../../testimonials/testimonials.ts";
import { DeleteButton } from "../delete-button.tsx";

interface DeleteTestimonialButtonProps {
  testimonial: Testimonial;
  className?: string;
  /** Called after the deletion; reloads the page's data by default. */
  onDeleted?: () => void;
}

/** Deletes a testimonial. Loaded only for a signed-in user. */
export default function DeleteTestimonialButton({
  testimonial,
  className = "mt-4",
  onDeleted,
}: DeleteTestimonialButtonProps) {
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
      className={className}
      onDelete={(client) => withOwnChange(id, () => removeTestimonial(client, id))}
      onDeleted={onDeleted ?? revalidate}
    />
  );
}

/** @throws the backend's error, or an Error when no row was deleted, because a policy blocks without an error */
async function removeTestimonial(client: Client, id: string): Promise<void> {
  const { data } = await client
    .from("testimonials")
    .delete()
    .eq("id", id)
    .select("id")
    .throwOnError();
  if (data.length === 0)
    throw new Error("The review was not found, or this account may not delete it.");
}
