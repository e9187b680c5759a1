import { useId } from "react";
import { useRevalidator } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { fieldText, messageOf, useFormSubmit } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { relationships } from "../../testimonials/testimonial-card.tsx";
import { controlClass, TextAreaField, TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { Button } from "../button.tsx";
import { changeTestimonial, type StoredTestimonial } from "./manage-testimonials.ts";

/** The form for the disclosure and the reply of a testimonial, closed until it is opened. */
export function TestimonialEditor({ testimonial }: { testimonial: StoredTestimonial }) {
  const { id, name, relationship, reply } = testimonial;
  const usual = useSite().testimonials;
  const { revalidate } = useRevalidator();
  const relationshipId = useId();
  const { failure, submitting, formProps } = useFormSubmit({
    draftKey: `testimonial:${id}`,
    async send(form) {
      const text = (field: string) => fieldText(form, field) || null;
      await changeTestimonial(await getBrowserClient(), testimonial, {
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
    <details className="mt-4 max-w-2xl">
      <summary className="cursor-pointer py-1 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-4">
        Disclosure and reply<span className="sr-only"> of the review by {name}</span>
      </summary>
      <form {...formProps} className="mt-3 space-y-4">
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
            {Object.entries({ "": "Not known", ...relationships }).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        {(["compensation", "conflict"] as const).map((field) => (
          <TextField
            key={field}
            label={field === "compensation" ? "Payment" : "Conflict of interest"}
            name={field}
            maxLength={300}
            defaultValue={testimonial[field] ?? ""}
            placeholder={usual[field]}
          />
        ))}
        <TextAreaField
          label="Public reply"
          name="reply"
          rows={4}
          maxLength={2000}
          defaultValue={reply ?? ""}
        />
        <p className="text-sm text-muted">
          Where payment or conflict is empty, the card has the sentence of the settings. Empty the
          reply to remove it.
        </p>
        <FormFailure text={failure} />
        <Button type="submit" look="primary" disabled={submitting}>
          {submitting ? "Saving..." : "Save"}
        </Button>
      </form>
    </details>
  );
}
