// What waits for the signed-in person: counted beside 'Manage' on every page, and listed on the overview.

import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { may, type Role, type Task } from "../../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient, mayHaveSession } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { type LiveTable, onOwnChange, subscribeToChanges } from "../../supabase/live.ts";
import { countRows, rowsOf } from "../count-rows.ts";
import { kinds } from "../posts/kinds.ts";
import { countPosts } from "../posts/managed-posts.ts";

export interface AttentionItem {
  id: string;
  text: string;
  to: string;
  isUrgent: boolean;
}

export interface Finding<Value> {
  /** The task that permits reading it. Policies hide it from accounts without the task. */
  task: Task;
  /** The name of the data, for the message after a failure. */
  name: string;
  /** Whether visitors wait for it, which comes before everything else. */
  comesFromVisitors?: boolean;
  tables?: readonly LiveTable[];
  read: (client: Client) => Promise<Value>;
  describe: (value: Value) => Omit<AttentionItem, "id">[];
}

interface Counted extends Omit<Finding<number>, "describe"> {
  /** The sentence for one row, and for more after their number. */
  sentence: [one: string, many: string];
  to: string;
  isUrgent?: boolean;
}

export function counted({ sentence, to, isUrgent = false, ...rest }: Counted): Finding<number> {
  const [one, many] = sentence;
  return {
    ...rest,
    describe(count) {
      if (count === 0) return [];
      const text = count === 1 ? `1 ${one}` : `${count.toLocaleString("en-US")} ${many}`;
      return [{ text, to, isUrgent }];
    },
  };
}

export const waiting = {
  unread: counted({
    task: "handle messages",
    name: "unread messages",
    comesFromVisitors: true,
    tables: ["contact_messages"],
    read: (client) =>
      countRows(
        rowsOf(client, "contact_messages")
          .is("read_at", null)
          .is("deleted_at", null)
          .is("spam_at", null),
      ),
    sentence: ["message is unread.", "messages are unread."],
    to: "/messages",
  }),
  waitingTestimonials: counted({
    task: "moderate testimonials",
    name: "waiting testimonials",
    comesFromVisitors: true,
    tables: ["testimonials"],
    read: (client) =>
      countRows(rowsOf(client, "testimonials").is("approved_at", null).is("refused_at", null)),
    sentence: ["testimonial waits for your approval.", "testimonials wait for your approval."],
    to: "/manage/testimonials",
  }),
  failedPosts: counted({
    task: "write posts",
    name: "scheduled posts",
    tables: ["post_states"],
    read: (client) => countRows(rowsOf(client, "scheduled_posts").not("failure", "is", null)),
    sentence: ["scheduled post could not be published.", "scheduled posts could not be published."],
    to: "/manage/posts?filter=scheduled",
    isUrgent: true,
  }),
  waitingPosts: counted({
    task: "manage the site",
    name: "posts for approval",
    tables: ["posts", "post_states"],
    read: (client) => countPosts(client, "waiting", kinds.post),
    sentence: ["post waits for approval.", "posts wait for approval."],
    to: "/manage/posts?filter=waiting",
  }),
  waitingPages: counted({
    task: "manage the site",
    name: "pages for approval",
    tables: ["public_site_settings"],
    read: (client) => countPosts(client, "waiting", kinds.page),
    sentence: ["page waits for approval.", "pages wait for approval."],
    to: "/manage/pages?filter=waiting",
  }),
};

type WaitingKind = keyof typeof waiting;
export type WaitingCounts = Readonly<Partial<Record<WaitingKind, number>>>;

/** Whether a finding concerns a role. @param closed the addresses of pages that are switched off */
export function concerns(
  { task }: Pick<Finding<unknown>, "task">,
  role: Role,
  closed: readonly string[],
): boolean {
  const isShown = task !== "moderate testimonials" || !closed.includes("/testimonials");
  return isShown && may(role, task);
}

// The header and the footer share these counts.
let counts: WaitingCounts = {};
let newestRequest = 0;
let isDue = false;
const listeners = new Set<() => void>();

/**
 * The counts of what concerns the role; none until they are read. Read again after each navigation and each change, of this
 * tab as well. After a failed request they keep the last values.
 */
export function useWaiting(): WaitingCounts {
  const { role } = useAuth();
  const { closed } = useSite();
  const { key } = useLocation();
  const kinds = role ? waitingKinds(role, closed) : [];
  const names = kinds.join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `names` replaces `kinds`, a new array in each rendering.
  useEffect(() => {
    const tables = new Set(kinds.flatMap((kind) => waiting[kind].tables ?? []));
    const unsubscribes = [
      subscribeToChanges([...tables], () => refreshSoon(kinds)),
      onOwnChange(() => refreshSoon(kinds)),
    ];
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [names]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed `key` is a navigation.
  useEffect(() => {
    refreshSoon(kinds);
  }, [names, key]);
  return useSyncExternalStore(subscribe, () => counts);
}

function waitingKinds(role: Role, closed: readonly string[]): WaitingKind[] {
  return keysOf(waiting).filter((kind) => concerns(waiting[kind], role, closed));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    // Deferred, so that the next page can subscribe first and keep the counts.
    setTimeout(() => {
      if (listeners.size > 0) return;
      // The next user to sign in must not see them.
      newestRequest++;
      counts = {};
    });
  };
}

/** Reads the counts once for all components that ask at the same time. */
function refreshSoon(kinds: readonly WaitingKind[]): void {
  if (isDue || kinds.length === 0) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    refresh(kinds);
  });
}

async function refresh(kinds: readonly WaitingKind[]): Promise<void> {
  const request = ++newestRequest;
  try {
    const client = await getBrowserClient();
    const read = kinds.map(async (kind) => [kind, await waiting[kind].read(client)]);
    const entries = await Promise.all(read);
    // Drop a response that a newer request has superseded.
    if (request !== newestRequest) return;
    counts = Object.fromEntries(entries);
    for (const listener of listeners) listener();
  } catch (error) {
    // A newer request reports the failure, and nothing waits for a session that has ended.
    if (request !== newestRequest || !mayHaveSession()) return;
    console.error("Counting what waits failed", error);
  }
}
