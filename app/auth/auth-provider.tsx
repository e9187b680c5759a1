import type { Session, SignUpWithPasswordCredentials, User } from "@supabase/supabase-js";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { getBrowserClient, mayHaveSession, sessionStorageKey } from "../supabase/browser-client.ts";
import type { Client } from "../supabase/client-context.ts";
import { showToast } from "../ui/toast.ts";

interface Auth {
  session: Session | null;
  /** Null when signed out, and while the session is still being read. */
  user: User | null;
  loading: boolean;
  /** Whether the session could not be read: it is still loading, and `retry` tries again. */
  failed: boolean;
  retry(): void;
  signUp(credentials: SignUpWithPasswordCredentials): Promise<AuthResult>;
  signIn(email: string, password: string): Promise<AuthResult>;
  signOut(): Promise<AuthResult>;
  /** Mails a link that signs in and leads to /reset-password. */
  sendPasswordReset(email: string): Promise<AuthResult>;
  setPassword(password: string): Promise<AuthResult>;
}

/** The failure was shown as a toast already (section 8). */
type AuthResult = { error: { message: string } | null };

const AuthContext = createContext<Auth | null>(null);

/** The session of this tab and what may be done with it. Throws outside the provider. */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}

export function AuthProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session | null>(null);
  const [loading, setLoading] = useState(true);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    let ended = false;
    let unsubscribe: (() => void) | undefined;

    async function follow() {
      if (unsubscribe) return;
      setFailed(false);
      const client = await getBrowserClient().catch((error) => {
        console.error("Reading the session failed", error);
        return null;
      });
      if (!client) setFailed(true);
      if (!client || ended || unsubscribe) return;
      const { data } = client.auth.onAuthStateChange((_event, next) => {
        setSession(next);
        setLoading(false);
      });
      unsubscribe = () => data.subscription.unsubscribe();
    }

    // Visitors have no session: they are not sent the code that would read it.
    if (mayHaveSession()) follow();
    else setLoading(false);

    function onSignInElsewhere(event: StorageEvent) {
      if (event.key === sessionStorageKey) follow();
    }
    function onOnline() {
      if (mayHaveSession()) follow();
    }
    window.addEventListener("online", onOnline);
    window.addEventListener("storage", onSignInElsewhere);
    window.addEventListener(followEvent, follow);
    return () => {
      ended = true;
      unsubscribe?.();
      window.removeEventListener("online", onOnline);
      window.removeEventListener("storage", onSignInElsewhere);
      window.removeEventListener(followEvent, follow);
    };
  }, []);

  const auth = useMemo<Auth>(
    () => ({ session, user: session?.user ?? null, loading, failed, ...actions }),
    [session, loading, failed],
  );
  return <AuthContext value={auth}>{children}</AuthContext>;
}

/** Tells the provider that a client is in use now, so that it hears of the session to come. */
const followEvent = "auth:follow";

async function signUp(credentials: SignUpWithPasswordCredentials): Promise<AuthResult> {
  return attempt("Sign up Failed", ({ auth }) => auth.signUp(credentials));
}

async function signIn(email: string, password: string): Promise<AuthResult> {
  retry();
  return attempt("Sign in Failed", ({ auth }) => auth.signInWithPassword({ email, password }));
}

/** On this device. A new password ends the sessions of the others. */
async function signOut(): Promise<AuthResult> {
  return attempt("Sign out Failed", ({ auth }) => auth.signOut({ scope: "local" }));
}

async function sendPasswordReset(email: string): Promise<AuthResult> {
  const redirectTo = `${window.location.origin}/reset-password`;
  return attempt("Sending failed", ({ auth }) => auth.resetPasswordForEmail(email, { redirectTo }));
}

async function setPassword(password: string): Promise<AuthResult> {
  return attempt("Saving failed", ({ auth }) => auth.updateUser({ password }));
}

function retry(): void {
  window.dispatchEvent(new Event(followEvent));
}

const actions = { signUp, signIn, signOut, sendPasswordReset, setPassword, retry };

/** Whatever fails, the library's own code included, is shown and returned: no form waits forever. */
async function attempt(
  title: string,
  call: (client: Client) => Promise<AuthResult>,
): Promise<AuthResult> {
  const { error } = await getBrowserClient()
    .then(call)
    .catch((error: Error): AuthResult => ({ error }));
  if (error) {
    showToast({ tone: "error", title, description: error.message || "Something went wrong" });
  }
  return { error };
}
