// What this browser keeps of the signed-in account besides its session: text that is not saved yet, and how far the
// setup has come. Loaded on demand, with supabase-js.
import { browserStorage, tabStorage } from "../browser/site-data.ts";
import type { Client } from "./client-context.ts";

/** The key for the id of the account that owns the other entries. */
const accountKey = "account";
const storages = [browserStorage, tabStorage];

/** Clears the data of another account, and this tab's data after a sign-out in another tab. */
export function followAccount(client: Client, sessionKey: string): void {
  client.auth.onAuthStateChange((event, session) => {
    if (session) claimStorage(session.user.id, sessionKey);
    // After a sign-out in another tab, too: Realtime would keep the rights of the account. live.ts joins again.
    if (event === "SIGNED_OUT") for (const channel of client.getChannels()) channel.unsubscribe();
  });
  window.addEventListener("storage", ({ key }) => {
    // Without a key, all of the browser's storage was cleared.
    if (key === null) tabStorage.clear();
  });
}

/**
 * Signs out on this device (create-browser-client.ts). After a failure the session stays. Asks for confirmation when there is
 * unsaved text.
 */
export async function signOutAndClear({ auth }: Client): ReturnType<Client["auth"]["signOut"]> {
  if (hasUnsavedText() && !window.confirm(question)) return { error: null };
  // With `local`, supabase-js forgets the session even if the server fails to end it.
  const result = await auth.signOut({ scope: "global" });
  if (!result.error) for (const storage of storages) storage.clear();
  return result;
}

/**
 * Whether supabase-js may use what a link brings, such as a session. Anyone can send a link with a session: where an account is
 * signed in, or its unsaved text is kept, the person decides.
 */
export function mayUseLink(url: URL, params: Record<string, string>, sessionKey: string): boolean {
  if (!params.access_token)
    return Boolean(params.error || params.error_description || params.error_code);
  const hasSession = browserStorage.getItem(sessionKey) !== null;
  const hasText = browserStorage.getItem(accountKey) !== null && hasUnsavedText();
  if ((!hasSession && !hasText) || window.confirm(linkQuestion)) return true;
  // A reload does not ask again.
  url.hash = "";
  for (const name of ["access_token", "refresh_token"]) url.searchParams.delete(name);
  window.history.replaceState(window.history.state, "", url);
  return false;
}

const linkQuestion =
  "This link signs you in, in place of the account that uses this browser, and removes what that account has not saved. If you did not ask for the link, choose Cancel. Sign in with the link?";

const question =
  "Some of what you typed is not saved yet. Logging out removes it from this browser. Log out anyway?";

/** Whether this browser stores unsaved text. The keys of all drafts contain `-draft`. */
function hasUnsavedText(): boolean {
  return storages.some((storage) => storage.keys().some((key) => key.includes("-draft")));
}

/** Clears the data of another account. After a session that just ended, the same account keeps its unsaved text. */
function claimStorage(userId: string, sessionKey: string): void {
  for (const storage of storages) {
    const former = storage.getItem(accountKey);
    if (former === userId) continue;
    if (former) {
      const keys = storage.keys().filter((key) => !key.startsWith(sessionKey));
      for (const key of keys) storage.removeItem(key);
    }
    storage.setItem(accountKey, userId);
  }
}
