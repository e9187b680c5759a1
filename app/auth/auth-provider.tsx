import type { Session, SignUpWithPasswordCredentials, User } from "@supabase/supabase-js";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { getBrowserClient, mayHaveSession, sessionStorageKey } from "../supabase/browser-client.ts";
import { showToast } from "../ui/toast.ts";

interface Auth {
  session: Session | null;
  /** Null when signed out, and while the session is still being read. */
  user: User | null;
  loading: boolean;
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

  useEffect(() => {
    let ended = false;
    let unsubscribe: (() => void) | undefined;

    async function follow() {
      if (unsubscribe) return;
      const client = await getBrowserClient();
      if (ended || unsubscribe) return;
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
    window.addEventListener("storage", onSignInElsewhere);
    window.addEventListener(followEvent, follow);
    return () => {
      ended = true;
      unsubscribe?.();
      window.removeEventListener("storage", onSignInElsewhere);
      window.removeEventListener(followEvent, follow);
    };
  }, []);

  const auth = useMemo<Auth>(
    () => ({ session, user: session?.user ?? null, loading, ...actions }),
    [session, loading],
  );
  return <AuthContext value={auth}>{children}</AuthContext>;
}

/** Tells the provider that a client is in use now, so that it hears of the session to come. */
const followEvent = "auth:follow";

async function signUp(credentials: SignUpWithPasswordCredentials): Promise<AuthResult> {
  const client = await getBrowserClient();
  return attempt("Sign up Failed", () => client.auth.signUp(credentials));
}

async function signIn(email: string, password: string): Promise<AuthResult> {
  window.dispatchEvent(new Event(followEvent));
  const client = await getBrowserClient();
  return attempt("Sign in Failed", () => client.auth.signInWithPassword({ email, password }));
}

/** On this device. A new password ends the sessions of the others. */
async function signOut(): Promise<AuthResult> {
  const client = await getBrowserClient();
  return attempt("Sign out Failed", () => client.auth.signOut({ scope: "local" }));
}

async function sendPasswordReset(email: string): Promise<AuthResult> {
  const client = await getBrowserClient();
  const redirectTo = `${window.location.origin}/reset-password`;
  return attempt("Sending failed", () => client.auth.resetPasswordForEmail(email, { redirectTo }));
}

async function setPassword(password: string): Promise<AuthResult> {
  const client = await getBrowserClient();
  return attempt("Saving failed", () => client.auth.updateUser({ password }));
}

const actions = { signUp, signIn, signOut, sendPasswordReset, setPassword };

async function attempt(
  title: string,
  call: () => Promise<{ error: { message: string } | null }>,
): Promise<AuthResult> {
  const { error } = await call();
  if (error) {
    showToast({ tone: "error", title, description: error.message || "Something went wrong" });
  }
  return { error };
}
