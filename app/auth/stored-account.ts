// What the browser stores of the signed-in account, so that a page shows the right controls before the backend responds.
import type { Session } from "@supabase/supabase-js";
import type { Role, Task } from "../../supabase/functions/_shared/roles.ts";
import { browserStorage } from "../browser/site-data.ts";
import { sessionStorageKey } from "../supabase/browser-client.ts";

/** The signed-in person. */
export interface Profile {
  /** The name; null when the person has not entered one. */
  name: string | null;
  /** The role; null for an account that does not manage the site. */
  role: Role | null;
  /** What the role may do. */
  tasks: readonly Task[];
}

/** A profile as it was last read, of the account with this id. */
export interface ReadProfile {
  userId: string;
  profile: Profile;
}

/** Not beginning with the session's key, so that it is removed when another account signs in (account-storage.ts). */
export const profileKey = "account-profile";

/** The session when the page opens, which may have ended; null for visitors. */
export function readStoredAccount(): { session: Session; read: ReadProfile | null } | null {
  try {
    const session: Session | null = readJson(sessionStorageKey);
    return session?.user.id ? { session, read: readJson(profileKey) } : null;
  } catch {
    // Not what supabase-js stores.
    return null;
  }
}

/** Whether the account has an authenticator app, and the session has not entered a code of it: it may do nothing yet. */
export function lacksSecondStep(session: Session | null): boolean {
  return (
    session !== null &&
    hasApp(session.user) &&
    !claimsOf(session.access_token).includes('"aal":"aal2"')
  );
}

export function hasApp({ factors = [] }: Session["user"]): boolean {
  return factors.some(({ status }) => status === "verified");
}

/** The claims of a token, as JSON. */
function claimsOf(token: string): string {
  return atob(token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "");
}

/** Only supabase-js and read-profile.ts write these items. */
function readJson<Value>(key: string): Value | null {
  return JSON.parse(browserStorage.getItem(key) ?? "null");
}
