import { type FormEvent, useState } from "react";
import { Link } from "react-router";
import { site } from "../config/site.ts";
import { buttonClass } from "../ui/button.ts";
import { TextField } from "../ui/field.tsx";
import { AuthCard } from "./auth-card.tsx";
import { useAuth } from "./auth-provider.tsx";

export function meta() {
  return [{ title: `Forgot Password | ${site.brand}` }, { name: "robots", content: "noindex" }];
}

export default function ForgotPasswordPage() {
  const { sendPasswordReset } = useAuth();
  const [submitting, setSubmitting] = useState(false);
  const [sent, setSent] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email"));
    setSubmitting(true);
    const { error } = await sendPasswordReset(email);
    setSubmitting(false);
    if (!error) setSent(true);
  }

  return (
    <AuthCard title="Forgot your password?" lead="We send a link to set a new one.">
      {sent ? (
        <p role="status" className="mt-8 rounded-md bg-sage p-4">
          If that address has an account, a link is on its way. It works for one hour.
        </p>
      ) : (
        <form onSubmit={submit} className="mt-8 space-y-5">
          <TextField label="Email" name="email" type="email" autoComplete="username" required />
          <button
            type="submit"
            className={`${buttonClass("primary")} w-full`}
            disabled={submitting}
          >
            {submitting ? "Sending..." : "Send the link"}
          </button>
        </form>
      )}
      <p className="mt-6 text-center text-sm">
        <Link to="/login" className="font-medium text-evergreen underline underline-offset-4">
          Back to the login
        </Link>
      </p>
    </AuthCard>
  );
}
