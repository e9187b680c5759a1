// What waits for the signed-in person: counted beside 'Manage' on every page, and listed on the overview.
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { may, type Role, type Task } from "../../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { LiveTable } from "../../supabase/live.ts";
import { countRows, rowsOf } from "../count-rows.ts";
import { type LiveQuery, useLiveQueries, waitingKey } from "../live-query.ts";
import { kinds } from "../posts/kinds.ts";
import { countPosts } from "../posts/managed-posts.ts";
import { listSubmittedSections } from "../versions/approvals.ts";

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
    tables: ["content_states"],
    read: (client) => countRows(rowsOf(client, "schedules", "thing").not("failure", "is", null)),
    sentence: ["scheduled post could not be published.", "scheduled posts could not be published."],
    to: "/manage/posts?filter=scheduled",
    isUrgent: true,
  }),
  waitingPosts: counted({
    task: "manage the site",
    name: "posts for approval",
    tables: ["posts", "content_states"],
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
  waitingSections: counted({
    task: "manage the site",
    name: "settings for approval",
    tables: ["section_drafts"],
    read: async (client) => (await listSubmittedSections(client)).length,
    sentence: [
      "section of the settings waits for approval.",
      "sections of the settings wait for approval.",
    ],
    to: "/manage/settings",
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

/** The counts of what concerns the role; none until they are read. */
export function useWaiting(): WaitingCounts {
  const { role } = useAuth();
  const { closed } = useSite();
  const kinds = role ? keysOf(waiting).filter((kind) => concerns(waiting[kind], role, closed)) : [];
  const values = useLiveQueries(kinds.map((kind) => queryOf(kind, waiting[kind])));
  return Object.fromEntries(kinds.map((kind, at) => [kind, values[at]?.value ?? 0]));
}

export function queryOf<Value>(kind: string, { read, tables }: Finding<Value>): LiveQuery<Value> {
  return { key: [waitingKey, kind], read, tables };
}
