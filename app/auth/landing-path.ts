import { useLocation } from "react-router";
import type { Task } from "../../supabase/functions/_shared/roles.ts";
import { useAuth } from "./auth-provider.tsx";

/** Where the person who has signed in arrives; null until it is known. */
export function useLandingPath(): string | null {
  const { user, role, tasks, failed } = useAuth();
  const { state } = useLocation();
  return user && (role !== undefined || failed) ? landingPath(state, tasks) : null;
}

/**
 * The page that redirected to the login, only of this site; else the blog, or the messages for those who can do nothing there.
 * @param state of the location
 */
export function landingPath(state: unknown, tasks: readonly Task[]): string {
  const from = state && typeof state === "object" && "from" in state ? state.from : null;
  if (typeof from === "string" && /^\/(?!\/)/.test(from)) return from;
  return tasks.includes("handle messages") && !tasks.includes("write posts")
    ? "/messages"
    : "/blog";
}
