import { Navigate, Outlet, useLocation } from "react-router";
import { LoadFailure } from "../ui/load-failure.tsx";
import { useAuth } from "./auth-provider.tsx";
import { NeedsScripts } from "./needs-scripts.tsx";

/** The session gate: loading, then the page or the login (section 4). */
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
