import type { Session, SignUpWithPasswordCredentials, User } from "@supabase/supabase-js";
import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import type { LinkType } from "../../supabase/functions/_shared/confirm-link.ts";
import type { Role, Task } from "../../supabase/functions/_shared/roles.ts";
import { loadModule } from "../loading/load-module.ts";
import { getBrowserClient, mayHaveSession, sessionStorageKey } from "../supabase/browser-client.ts";
import type { Client } from "../supabase/client-context.ts";
import { signOutWithoutChannels } from "../supabase/live.ts";
import { showToast } from "../ui/toast.ts";
import { type AuthFailure, describeAuthFailure, serverMessageOf } from "./auth-failure.ts";
import {
  lacksSecondStep,
  type Profile,
  type ReadProfile,
  readStoredAccount,
} from "./stored-account.ts";

interface Auth {
  session: Session | null;
  /** The signed-in account; null when signed out, while the session loads, and until the second step. */
  user: User | null;
  /** The address of the account whose sign-in lacks its second step; null without one. */
  secondStepOf: string | null;
  loading: boolean;
  /** Whether the session or the role could not be read. Both are read again after growing pauses. */
  failed: boolean;
  /** The name of the signed-in person; null when there is none and until it is read. */
  name: string | null;
  /** Null for an account that does not manage the site; undefined until it is read, and for visitors. */
  role: Role | null | undefined;
  /** The tasks that the role permits; none until it is read. */
  tasks: readonly Task[];
  refresh(): void;
  signUp(credentials: SignUpWithPasswordCredentials): Promise<AuthResult>;
  signIn(email: string, password: string): Promise<SignInResult>;
  signOut(): Promise<AuthResult>;
  /** Emails a link to /confirm. */
  sendPasswordReset(email: string): Promise<AuthResult>;
  /** Uses the token of a mailed link: signs in, or confirms a new address. */
  openLink(type: LinkType, token: string): Promise<OpenedLink>;
  setPassword(password: string): Promise<AuthResult>;
}

interface OpenedLink {
  /** The reason why the link failed. Not shown as a toast. */
  failure?: string;
  /** Whether the link was used before or has expired. */
  isExpired?: boolean;
  /** The address of the account; undefined while the account's other address must confirm. */
  email?: string | undefined;
  lacksSecondStep?: boolean;
}

/** A failure has already been shown as a toast. */
type AuthResult = { error: { message: string } | null };
/** After the first of two steps, nobody is signed in yet. */
type SignInResult = AuthResult & { profile: Profile | null; lacksSecondStep: boolean };

/** Milliseconds between two reads of the role while a page is visible. */
const roleMaxAge = 60_000;

const AuthContext = createContext<Auth | null>(null);

export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}

export function AuthProvider({ children }: { children: ReactNode }) {
  const [stored, setSession] = useState<Session | null>(null);
  const [loading, setLoading] = useState(true);
  /** The number of failed attempts to read the session or the role since the last success. */
  const [failures, setFailures] = useState(0);
  const [read, setRead] = useState<ReadProfile | null>(null);
  const [reads, setReads] = useState(0);
  const isFirstStep = lacksSecondStep(stored);
  const session = isFirstStep ? null : stored;
  const userId = session?.user.id;
  // A failed refresh keeps the last profile of the same account.
  const profile = read && read.userId === userId ? read.profile : null;
  const failed = failures > 0 && profile === null && (loading || userId !== undefined);

  // In a layout effect, so that the first paint after hydration shows the account's controls.
  useLayoutEffect(() => {
    const stored = readStoredAccount();
    if (!stored) return;
    setSession(stored.session);
    setRead(stored.read);
    setLoading(false);
  }, []);

  useEffect(() => {
    let ended = false;
    let unsubscribe: (() => void) | undefined;

    async function follow() {
      if (unsubscribe) return;
      const client = await getBrowserClient().catch((error) => {
        console.error("Reading the session failed", error);
        return null;
      });
      if (!client) setFailures((count) => count + 1);
      if (!client || ended || unsubscribe) return;
      const { data } = client.auth.onAuthStateChange((_event, next) => {
        setSession(next);
        setLoading(false);
      });
      unsubscribe = () => data.subscription.unsubscribe();
    }

    // Visitors have no session and do not load the code that reads it. In a transition, because React hydrates at once, in one
    // long task, what another update reaches.
    if (mayHaveSession()) follow();
    else startTransition(() => setLoading(false));

    function onSignInElsewhere(event: StorageEvent) {
      if (event.key === sessionStorageKey) follow();
    }
    function onRefresh() {
      follow();
      setReads((count) => count + 1);
    }
    function onReturn() {
      if (mayHaveSession() && document.visibilityState === "visible") onRefresh();
    }
    window.addEventListener("online", onReturn);
    document.addEventListener("visibilitychange", onReturn);
    window.addEventListener("storage", onSignInElsewhere);
    window.addEventListener(refreshEvent, onRefresh);
    return () => {
      ended = true;
      unsubscribe?.();
      window.removeEventListener("online", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
      window.removeEventListener("storage", onSignInElsewhere);
      window.removeEventListener(refreshEvent, onRefresh);
    };
  }, []);

  // Each minute and on a return to the page, not with each page: `my_profile` stores that the session was used. It also notices
  // that the session was ended elsewhere: other reads respond as to a visitor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed `reads` requests another read.
  useEffect(() => {
    if (!userId) return;
    let ended = false;
    loadProfile().then(
      (profile) => {
        if (ended) return;
        const next = { userId, profile };
        setRead((last) => (JSON.stringify(last) === JSON.stringify(next) ? last : next));
        setFailures(0);
      },
      (error) => {
        if (ended) return;
        console.error("Reading the role failed", error);
        setFailures((count) => count + 1);
      },
    );
    const timer = setTimeout(() => {
      if (document.visibilityState === "visible") refreshAccount();
    }, roleMaxAge);
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [userId, reads]);

  useEffect(() => {
    if (failures === 0) return;
    const timer = setTimeout(refreshAccount, Math.min(1000 * 2 ** failures, 30_000));
    return () => clearTimeout(timer);
  }, [failures]);

  const auth = useMemo<Auth>(
    () => ({
      session,
      user: session?.user ?? null,
      secondStepOf: isFirstStep ? (stored?.user.email ?? "") : null,
      loading,
      failed,
      name: profile?.name ?? null,
      role: profile?.role,
      tasks: profile?.tasks ?? [],
      ...actions,
    }),
    [session, isFirstStep, stored, loading, failed, profile],
  );
  return <AuthContext value={auth}>{children}</AuthContext>;
}

const refreshEvent = "auth:refresh";

async function signUp(credentials: SignUpWithPasswordCredentials): Promise<AuthResult> {
  return attempt("Sign up Failed", ({ auth }) => auth.signUp(credentials));
}

async function signIn(email: string, password: string): Promise<SignInResult> {
  // Makes the provider subscribe to the new session.
  refreshAccount();
  const credentials = { email, password };
  let isFirstStep = false;
  const { error } = await attempt("Sign in Failed", async ({ auth }) => {
    const { data, error } = await auth.signInWithPassword(credentials);
    isFirstStep = lacksSecondStep(data.session);
    return { error };
  });
  const profile = error || isFirstStep ? null : await loadProfile().catch(() => null);
  return { error, profile, lacksSecondStep: isFirstStep };
}

/** Signs out on this device only. A new password ends the sessions on all others. */
async function signOut(): Promise<AuthResult> {
  return attempt("Sign out Failed", async (client) => {
    const { signOutAndClear } = await loadModule(
      () => import("../supabase/create-browser-client.ts"),
    );
    return signOutWithoutChannels(client, () => signOutAndClear(client));
  });
}

async function sendPasswordReset(email: string): Promise<AuthResult> {
  return attempt("Sending failed", ({ auth }) => auth.resetPasswordForEmail(email));
}

async function openLink(type: LinkType, token_hash: string): Promise<OpenedLink> {
  refreshAccount();
  try {
    const { auth } = await getBrowserClient();
    const { data, error } = await auth.verifyOtp({ type, token_hash });
    if (!error) return { email: data.user?.email, lacksSecondStep: lacksSecondStep(data.session) };
    return { failure: describeAuthFailure(error), isExpired: error.code === "otp_expired" };
  } catch (error) {
    // A failed import or request, which are errors.
    return { failure: describeAuthFailure(error as Error) };
  }
}

async function setPassword(password: string): Promise<AuthResult> {
  return attempt("Saving failed", ({ auth }) => auth.updateUser({ password }));
}

/** Reads session, name and role again. */
export function refreshAccount(): void {
  window.dispatchEvent(new Event(refreshEvent));
}

const actions = {
  ...{ signUp, signIn, signOut, sendPasswordReset, openLink, setPassword },
  refresh: refreshAccount,
};

/** Shows and returns every failure, including one to load the client, so that no form waits forever. */
async function attempt(
  title: string,
  call: (client: Client) => Promise<{ error: AuthFailure | null }>,
): Promise<AuthResult> {
  const { error } = await getBrowserClient()
    .then(call)
    .catch((error: Error) => ({ error }));
  if (!error) return { error };
  const description = serverMessageOf(error) || "Something went wrong";
  showToast({ tone: "error", title, description });
  return { error: { message: describeAuthFailure(error) } };
}

/** Reads the profile of the signed-in account. @throws the backend's error, and that of a file */
export async function loadProfile(): Promise<Profile> {
  const [client, { readProfile }] = await Promise.all([
    getBrowserClient(),
    loadModule(() => import("./read-profile.ts")),
  ]);
  return readProfile(client);
}
