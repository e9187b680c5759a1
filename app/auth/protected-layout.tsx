import { Link, Navigate, Outlet, useLocation, useMatches } from "react-router";
import { buttonClass } from "../ui/button.ts";
import { NeedsScripts } from "./auth-form.tsx";
import { useAuth } from "./auth-provider.tsx";
import type { PageAccess } from "./roles.ts";

/** The session gate (section 4): loading, then the page, a redirect to the login, or why the account may not see it. */
export default function ProtectedLayout() {
  const { user, loading, role } = useAuth();
  const { pathname, search } = useLocation();
  // The routes below this layout export a PageAccess as their handle, or none.
  const access = useMatches().at(-1)?.handle as PageAccess | undefined;
  if (!loading && !user)
    return <Navigate to="/login" replace state={{ from: pathname + search }} />;
  if (loading || (access && role === undefined)) {
    return (
      <div className="wrap section min-h-[60vh]">
        <p role="status" className="text-muted noscript:hidden">
          Loading session...
        </p>
        <NeedsScripts what="This page" />
      </div>
    );
  }
  if (access && !(role && access.roles.includes(role))) return <NotAllowed {...access} />;
  return <Outlet />;
}

function NotAllowed({ action }: PageAccess) {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">Your account may not {action}</h1>
      <p className="mt-4 max-w-xl text-lg text-muted">
        An owner of the site decides what each account may do. If you need this page, ask an owner
        to change your role.
      </p>
      <Link to="/" className={`${buttonClass("secondary")} mt-8`}>
        Return to Home
      </Link>
    </div>
  );
}
