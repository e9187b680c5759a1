import { type ComponentType, Suspense } from "react";
import { Link } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";

interface SessionLinkProps {
  className: string;
  /** What a signed-in user sees beside Logout; lazy, so that visitors are not sent its code. */
  OwnerLink: ComponentType<{ className: string }>;
}

/** 'Admin Login' when signed out, the owner's link and a Logout button when signed in (section 2). */
export function SessionLink({ className, OwnerLink }: SessionLinkProps) {
  const { user, signOut } = useAuth();
  if (!user) {
    return (
      <Link to="/login" className={className}>
        Admin Login
      </Link>
    );
  }
  return (
    <p className="flex flex-wrap items-center gap-6">
      <Suspense>
        <OwnerLink className={className} />
      </Suspense>
      <button type="button" onClick={signOut} className={className}>
        Logout
      </button>
    </p>
  );
}
