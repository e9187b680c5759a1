import { useRef } from "react";
import { isSample, type Testimonial } from "../../testimonials/testimonials.ts";
import { DeleteButton } from "../delete-button.tsx";
import { useReload, withOwnChange } from "../live-query.ts";
import { SelectField } from "../page-parts.tsx";
import { removeTestimonial } from "./manage-testimonials.ts";
import { type RefusalReason, refusalReasons } from "./refusal-reasons.ts";

interface DeleteTestimonialButtonProps {
  testimonial: Testimonial;
  className?: string;
  /** Called after the deletion; reloads the page's data by default. */
  onDeleted?: () => void;
}

export default function DeleteTestimonialButton({
  testimonial,
  className = "mt-4",
  onDeleted,
}: DeleteTestimonialButtonProps) {
  const { id, name } = testimonial;
  const reload = useReload();
  const reason = useRef<HTMLSelectElement>(null);
  // The select has only these values, and none in place of "". What was refused has its reason already.
  const chosen = () => (reason.current?.value || null) as RefusalReason | null;
  return (
    <DeleteButton
      target={`the testimonial by ${name}`}
      what="testimonial"
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
      onDelete={(client) => withOwnChange(id, () => removeTestimonial(client, id, chosen()))}
      onDeleted={onDeleted ?? reload}
    >
      {!testimonial.refused_at && (
        <div className="mt-5">
          <SelectField
            ref={reason}
            label="Reason (Optional)"
            none="No reason"
            options={Object.entries(refusalReasons)}
          />
        </div>
      )}
    </DeleteButton>
  );
}
