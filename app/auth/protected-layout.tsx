import { Navigate, Outlet, useLocation } from "react-router";
import { LoadFailure } from "../ui/load-state.tsx";
import { NeedsScripts } from "./auth-form.tsx";
import { useAuth } from "./auth-provider.tsx";

/** The session gate (section 4): loading, then the page or a redirect to the login. */
export default function ProtectedLayout() {
  const { user, loading, failed, retry } = useAuth();
  const { pathname, search } = useLocation();
  if (loading) {
    return (
      <div className="wrap section min-h-[60vh]">
        {failed ? (
          <LoadFailure what="Your session" onRetry={retry} />
        ) : (
          <p role="status" className="text-muted noscript:hidden">
            Loading session...
          </p>
        )}
        <NeedsScripts what="This page" />
      </div>
    );
  }
  if (!user) return <Navigate to="/login" replace state={{ from: pathname + search }} />;
  return <Outlet />;
}
