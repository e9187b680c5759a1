import { useRef } from "react";
import { testimonials as lengths } from "../../../supabase/functions/_shared/database-limits.ts";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import { useSite } from "../../config/use-site.ts";
import { useFormSubmit } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { Button } from "../button.tsx";
import { useReload } from "../live-query.ts";
import { FormConflicts, useFollowingForm } from "../versions/following-form.tsx";
import { changeTestimonial, type StoredTestimonial } from "./manage-testimonials.ts";

const names = { statement: "What visitors should know", reply: "Public reply" };

function shownTexts({ statement, reply }: Pick<StoredTestimonial, "statement" | "reply">) {
  return { statement: statement ?? "", reply: reply ?? "" };
}

export function TestimonialEditor({ testimonial }: { testimonial: StoredTestimonial }) {
  const { id, name, statement, reply } = testimonial;
  const { firm } = useSite();
  const reload = useReload();
  const details = useRef<HTMLDetailsElement>(null);
  const { failure, submitting, formProps } = useFormSubmit({
    draftKey: `testimonial:${id}`,
    async send() {
      const client = await getBrowserClient();
      const changes = Object.entries(
        await following.changes(async () => {
          const row = client.from("testimonials").select("statement, reply").eq("id", id);
          const { data } = await row.maybeSingle().throwOnError();
          return data ? shownTexts(data) : undefined;
        }),
      );
      if (changes.length === 0) return;
      const change = Object.fromEntries(changes.map(([field, text]) => [field, text || null]));
      await changeTestimonial(client, testimonial, change);
    },
    sent: { title: "Testimonial saved", description: "Its card has the changes." },
    onSent() {
      if (details.current) details.current.open = false;
      reload();
    },
    describeFailure: (error) => ({ title: "Saving failed", description: messageOf(error) }),
  });
  const following = useFollowingForm(formProps.ref, shownTexts(testimonial));
  return (
    <details ref={details} className="mt-4 max-w-2xl">
      <summary className="w-fit cursor-pointer py-1 text-sm font-medium underline decoration-edge underline-offset-4">
        Add a note or a reply<span className="sr-only">{` of the testimonial by ${name}`}</span>
      </summary>
      <form {...formProps} className="mt-3 space-y-4">
        <TextField
          label={names.statement}
          name="statement"
          maxLength={lengths.statement}
          defaultValue={statement ?? ""}
        />
        <TextAreaField
          label={names.reply}
          name="reply"
          rows={4}
          maxLength={lengths.reply}
          defaultValue={reply ?? ""}
        />
        <p className="text-sm text-muted">
          {`Both are shown below the testimonial. The first begins with '${firm.name} states:' and says what the reviewer did not answer, such as a payment or a tie to the firm. What is empty is not shown.`}
        </p>
        <FormConflicts form={following} names={names} />
        <FormFailure text={failure} />
        <Button
          type="submit"
          look="primary"
          disabled={submitting || following.conflicts.length > 0}
        >
          {submitting ? "Saving..." : "Save"}
        </Button>
      </form>
    </details>
  );
}
