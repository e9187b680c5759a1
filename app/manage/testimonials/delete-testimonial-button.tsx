import { type RefObject, useRef } from "react";
import { isSample, type Testimonial } from "../../testimonials/testimonials.ts";
import { showToast } from "../../ui/toast.ts";
import "../manage.css";
import { Button } from "../button.tsx";
import { DeleteDialog } from "../delete-button.tsx";
import { useReload, withOwnChange } from "../live-query.ts";
import { SelectField } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { undoDeletion } from "../versions/content-store.ts";
import { restorableDays } from "./deleted-list.tsx";
import { removeTestimonial } from "./manage-testimonials.ts";
import { type RefusalReason, refusalReasons } from "./refusal-reasons.ts";

interface DeleteTestimonialButtonProps {
  testimonial: Testimonial;
}

/** At the card of a testimonial, on visitors' pages. */
export default function DeleteTestimonialButton({ testimonial }: DeleteTestimonialButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const reload = useReload();

  function ask() {
    if (!isSample(testimonial)) return dialog.current?.showModal();
    const description = "Sample reviews cannot be deleted.";
    showToast({ tone: "error", title: "Action not allowed", description });
  }

  return (
    <>
      <Button
        look="quietDanger"
        className="mt-4"
        of={`the testimonial by ${testimonial.name}`}
        onClick={ask}
      >
        Delete
      </Button>
      <DeleteTestimonialDialog ref={dialog} testimonial={testimonial} onDeleted={reload} />
    </>
  );
}

interface DeleteTestimonialDialogProps extends DeleteTestimonialButtonProps {
  ref: RefObject<HTMLDialogElement | null>;
  onDeleted: () => void;
}

export function DeleteTestimonialDialog(props: DeleteTestimonialDialogProps) {
  const { ref, testimonial, onDeleted } = props;
  const { id, approved_at, refused_at } = testimonial;
  const reload = useReload();
  const { run } = useAction();
  const reason = useRef<HTMLSelectElement>(null);
  // The select has only these values, and none in place of "". What was refused has its reason already.
  const chosen = () => (reason.current?.value || null) as RefusalReason | null;
  const isRefused = useRef(refused_at !== null);

  const undo = () =>
    run(
      (client) => undoDeletion(client, { kind: "testimonial", thing: id }).finally(reload),
      {
        title: "Testimonial restored",
        description: isRefused.current
          ? "It is under 'Refused', and can be approved there."
          : approved_at
            ? "It is on the site again, as it was."
            : "It waits for approval again.",
      },
      { title: "Restore Failed" },
    );

  return (
    <DeleteDialog
      ref={ref}
      what="testimonial"
      text={`Visitors no longer see it. You can restore it under Deleted for ${restorableDays} days.`}
      success={{
        title: "Review deleted",
        description: "The review has been successfully removed.",
        action: { label: "Undo", onAction: undo },
      }}
      failure={{ title: "Error deleting review" }}
      onDelete={(client) => {
        // With a reason, it is refused before it is deleted.
        isRefused.current = refused_at !== null || chosen() !== null;
        return withOwnChange(id, () => removeTestimonial(client, id, chosen()));
      }}
      onDeleted={onDeleted}
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
    </DeleteDialog>
  );
}
