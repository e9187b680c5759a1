import { type FormEvent, useState } from "react";
import { Link, useNavigate } from "react-router";
import { passwordProblem } from "../../supabase/functions/_shared/password.ts";
import { siteOf } from "../config/use-site.ts";
import { buttonClass } from "../ui/button.ts";
import { TextField } from "../ui/field.tsx";
import { showToast } from "../ui/toast.ts";
import type { Route } from "./+types/reset-password-page";
import { AuthCard, NeedsScripts, rejectPost } from "./auth-form.tsx";
import { useAuth } from "./auth-provider.tsx";

export const action = rejectPost;

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `New Password | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

/** The target of the link in a reset e-mail, which signs the owner in. */
export default function ResetPasswordPage() {
  const { user, loading, setPassword } = useAuth();
  const [submitting, setSubmitting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const navigate = useNavigate();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password"));
    const weakness = passwordProblem(password);
    setProblem(weakness ?? undefined);
    if (weakness) return;
    setSubmitting(true);
    const { error } = await setPassword(password);
    setSubmitting(false);
    if (error) {
      setProblem(error.message);
      return;
    }
    showToast({ tone: "success", title: "Password changed", description: "Use it from now on." });
    navigate("/blog", { replace: true });
  }

  if (loading) {
    return (
      <AuthCard
        title="Set a new password"
        lead={<span className="noscript:hidden">Loading session...</span>}
      >
        <NeedsScripts what="Setting a password" />
      </AuthCard>
    );
  }
  if (!user) {
    return (
      <AuthCard title="This link has expired" lead="A reset link works once and for one hour.">
        <Link to="/forgot-password" className={`${buttonClass("primary")} mt-8 w-full`}>
          Send a new link
        </Link>
      </AuthCard>
    );
  }
  return (
    <AuthCard title="Set a new password" lead={`For ${user.email}`}>
      <form method="post" onSubmit={submit} className="mt-8 space-y-5" noValidate>
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          error={problem}
        />
        <button type="submit" className={`${buttonClass("primary")} w-full`} disabled={submitting}>
          {submitting ? "Saving..." : "Save password"}
        </button>
      </form>
    </AuthCard>
  );
}
