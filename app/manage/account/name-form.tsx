import type { FormEvent } from "react";
import { maxNameLength } from "../../../supabase/functions/_shared/invitation.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import { fieldText, messageOf, useSubmission } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";

export function NameForm({ name }: { name: string }) {
  const { adviser } = useSite();
  const { refresh } = useAuth();
  const { failure, submitting, run } = useSubmission({
    sent: { title: "Name Saved", description: "New posts are signed with it." },
    onSent: refresh,
    describeFailure: (error) => ({
      title: "Saving failed",
      description: messageOf(error) || "Your name was not saved. Please try again.",
    }),
  });

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = fieldText(new FormData(event.currentTarget), "name");
    await run(async () => {
      const client = await getBrowserClient();
      const { data } = await client.rpc("set_my_name", { name: typed }).throwOnError();
      if (!data) throw new Error("This account has no role on the site, so it has no name here.");
    });
  }

  return (
    <form onSubmit={submit} className="mt-5 space-y-4">
      <TextField
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={maxNameLength}
        defaultValue={name}
        placeholder={adviser.name}
      />
      <FormFailure text={failure} />
      <button type="submit" className={buttonClass("secondary")} disabled={submitting}>
        {submitting ? "Saving..." : "Save name"}
      </button>
    </form>
  );
}
