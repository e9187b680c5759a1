import { useSyncExternalStore } from "react";
import { Link } from "react-router";
import { may } from "../../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { subscribeToChanges } from "../../supabase/live.ts";
import { countMessages } from "./messages.ts";

/** Links to the inbox, with the number of unread messages, for the roles that may read them. Loaded on demand. */
export default function MessagesLink(props: { className: string }) {
  const { role } = useAuth();
  return may(role, "handle messages") ? <CountedLink {...props} /> : null;
}

function CountedLink({ className }: { className: string }) {
  const unread = useUnreadCount();
  return (
    <Link to="/messages" className={className}>
      Messages
      {unread !== null && unread > 0 && (
        <span className="ml-2 inline-block min-w-6 rounded-full bg-mist px-1.5 text-center font-semibold text-deep tabular-nums">
          {unread > 99 ? "99+" : unread}
          <span className="sr-only"> unread</span>
        </span>
      )}
    </Link>
  );
}

// The footer and the inbox share this count, so that a change is counted once.
let count: number | null = null;
let newestRequest = 0;
let unsubscribe: (() => void) | undefined;
const listeners = new Set<() => void>();

/** How many messages are unread; null until counted. After a failed request it keeps the last count. */
export function useUnreadCount(): number | null {
  return useSyncExternalStore(subscribe, () => count);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!unsubscribe) {
    unsubscribe = subscribeToChanges(["contact_messages"], refreshUnreadCount);
    refreshUnreadCount();
  }
  return () => {
    listeners.delete(listener);
    // Deferred, so that the next page can subscribe first and keep the count.
    setTimeout(() => {
      if (listeners.size > 0) return;
      unsubscribe?.();
      unsubscribe = undefined;
      // The next user to sign in must not see this count.
      newestRequest++;
      count = null;
    });
  };
}

/** Counts again. Call it after this tab's own changes, whose Realtime events are ignored. */
export async function refreshUnreadCount(): Promise<void> {
  const request = ++newestRequest;
  try {
    const { unread } = await countMessages(await getBrowserClient());
    // Drop a response that a newer request has superseded.
    if (request !== newestRequest) return;
    count = unread;
    for (const listener of listeners) listener();
  } catch (error) {
    console.error("Counting unread messages failed", error);
  }
}
