import { useId, useState } from "react";
import { useRevalidator } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { fieldText, messageOf, useFormSubmit } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { relationships } from "../../testimonials/testimonial-card.tsx";
import { controlClass, TextAreaField, TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { Button } from "../button.tsx";
import { changeTestimonial, type StoredTestimonial } from "./manage-testimonials.ts";

/** The button that opens the form for the disclosure and the reply of a testimonial, and the form. */
export function TestimonialEditor({ testimonial }: { testimonial: StoredTestimonial }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        className="mt-3"
        aria-expanded={isOpen}
        of={`of the review by ${testimonial.name}`}
        onClick={() => setOpen(!isOpen)}
      >
        Disclosure and reply
      </Button>
      {isOpen && <EditorForm testimonial={testimonial} onDone={() => setOpen(false)} />}
    </>
  );
}

interface EditorFormProps {
  testimonial: StoredTestimonial;
  onDone: () => void;
}

function EditorForm({ testimonial, onDone }: EditorFormProps) {
  const { id, relationship, compensation, conflict, reply } = testimonial;
  const { compensation: usualPayment, conflict: usualConflict } = useSite().testimonials;
  const { revalidate } = useRevalidator();
  const relationshipId = useId();
  const { failure, submitting, formProps } = useFormSubmit({
    draftKey: `testimonial:${id}`,
    async send(form) {
      const text = (name: string) => fieldText(form, name) || null;
      await changeTestimonial(await getBrowserClient(), id, {
        relationship: text("relationship"),
        compensation: text("compensation"),
        conflict: text("conflict"),
        reply: text("reply"),
      });
    },
    sent: { title: "Review saved", description: "Its card has the changes." },
    onSent: revalidate,
    describeFailure: (error) => ({ title: "Saving failed", description: messageOf(error) }),
  });
  return (
    // A sent form is reset.
    <form {...formProps} onReset={onDone} className="mt-4 max-w-2xl space-y-4">
      <div>
        <label htmlFor={relationshipId} className="text-sm font-semibold">
          Relationship
        </label>
        <select
          id={relationshipId}
          name="relationship"
          defaultValue={relationship ?? ""}
          className={controlClass}
        >
          <option value="">Not known</option>
          {Object.entries(relationships).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <TextField
        label="Payment"
        name="compensation"
        maxLength={300}
        defaultValue={compensation ?? ""}
        placeholder={usualPayment || "Such as: Received a gift card of $25."}
      />
      <TextField
        label="Conflict of interest"
        name="conflict"
        maxLength={300}
        defaultValue={conflict ?? ""}
        placeholder={usualConflict || "Such as: A cousin of the adviser."}
      />
      <TextAreaField
        label="Public reply"
        name="reply"
        rows={4}
        maxLength={2000}
        defaultValue={reply ?? ""}
      />
      <p className="text-sm text-muted">
        Without a payment or conflict here, the card has the sentences of the settings. Empty the
        reply to remove it.
      </p>
      <FormFailure text={failure} />
      <div className="flex flex-wrap gap-3">
        <Button type="reset">Cancel</Button>
        <Button type="submit" look="primary" disabled={submitting}>
          {submitting ? "Saving..." : "Save"}
        </Button>
      </div>
    </form>
  );
}
