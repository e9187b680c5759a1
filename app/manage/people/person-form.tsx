import type { FormEvent } from "react";
import { maxNameLength } from "../../../supabase/functions/_shared/invitation.ts";
import { fieldText, messageOf, useSubmission } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { type Person, savePerson } from "./people.ts";
import { RoleField, roleOf } from "./role-field.tsx";

interface PersonFormProps {
  person: Person;
  /** The database keeps the role of the only owner. */
  isOnlyOwner: boolean;
  onSaved: () => void;
}

/** Changes the name and the role of a person. */
export function PersonForm({ person, isOnlyOwner, onSaved }: PersonFormProps) {
  const { id, name, role } = person;
  const { failure, submitting, run } = useSubmission({
    sent: { title: "Person Saved", description: "The change applies at once." },
    onSent: onSaved,
    describeFailure: (error) => ({
      title: "Saving failed",
      description: messageOf(error) || "Nothing was changed. Please try again.",
    }),
  });

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const chosen = roleOf(data) ?? role;
    await run(async () =>
      savePerson(await getBrowserClient(), id, chosen, fieldText(data, "name")),
    );
  }

  return (
    <form onSubmit={submit} className="mt-4 space-y-4 border-t border-line pt-4">
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={maxNameLength}
        defaultValue={name ?? ""}
      />
      {isOnlyOwner ? (
        <p className="text-sm text-muted">
          The only owner stays an owner. Make someone else an owner to change this role.
        </p>
      ) : (
        <RoleField defaultRole={role} />
      )}
      <FormFailure text={failure} />
      <button type="submit" className={buttonClass("primary", "small")} disabled={submitting}>
        {submitting ? "Saving..." : "Save"}
      </button>
    </form>
  );
}
