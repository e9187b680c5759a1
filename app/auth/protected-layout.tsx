import { Navigate, Outlet, useLocation } from "react-router";
import { useAuth } from "./auth-provider.tsx";

/** The session gate: loading, then the page or the login (section 4). */
export default function ProtectedLayout() {
  const { user, loading } = useAuth();
  const { pathname, search } = useLocation();
  if (loading) {
    return (
      <p role="status" className="wrap section min-h-[60vh] text-muted">
        Loading session...
      </p>
    );
  }
  if (!user) return <Navigate to="/login" replace state={{ from: pathname + search }} />;
  return <Outlet />;
}
