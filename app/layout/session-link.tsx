import { Link } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";

/** 'Admin Login' when signed out, a Logout button when signed in (section 2). */
export function SessionLink({ className }: { className: string }) {
  const { user, signOut } = useAuth();
  if (!user) {
    return (
      <Link to="/login" className={className}>
        Admin Login
      </Link>
    );
  }
  return (
    <button type="button" onClick={signOut} className={className}>
      Logout
    </button>
  );
}
