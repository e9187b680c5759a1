// What waits for the signed-in person: counted beside 'Manage' and in the rail, and listed on Home.
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import {
  may,
  type Task as Permission,
  type Role,
} from "../../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { LiveTable } from "../../supabase/live.ts";
import { countRows, rowsOf } from "../count-rows.ts";
import { type LiveQuery, useLiveQueries, waitingKey } from "../live-query.ts";
import { kinds } from "../posts/kinds.ts";
import { countPosts } from "../posts/managed-posts.ts";
import { listSubmittedSections } from "../versions/approvals.ts";

export interface Task {
  id: string;
  /** One line, without a full stop. */
  text: string;
  /** What the button beside it says. */
  action: string;
  to: string;
  isUrgent: boolean;
}

export interface Finding<Value> {
  /** The task that permits reading it. Policies hide it from accounts without the task. */
  task: Permission;
  /** Whether visitors wait for it, which comes before everything that is not urgent. */
  comesFromVisitors?: boolean;
  tables?: readonly LiveTable[];
  read: (client: Client) => Promise<Value>;
  describe: (value: Value) => Omit<Task, "id">[];
}

interface Counted extends Omit<Finding<number>, "describe"> {
  /** The text for one row, and for more after their number. */
  texts: [one: string, many: string];
  action: string;
  to: string;
  isUrgent?: boolean;
}

export function counted(options: Counted): Finding<number> {
  const { texts, action, to, isUrgent = false, ...rest } = options;
  const [one, many] = texts;
  return {
    ...rest,
    describe(count) {
      if (count === 0) return [];
      const text = count === 1 ? one : `${count.toLocaleString("en-US")} ${many}`;
      return [{ text, action, to, isUrgent }];
    },
  };
}

export const waiting = {
  unread: counted({
    task: "handle messages",
    comesFromVisitors: true,
    tables: ["contact_messages"],
    read: (client) =>
      countRows(
        rowsOf(client, "contact_messages")
          .is("read_at", null)
          .is("deleted_at", null)
          .is("spam_at", null),
      ),
    texts: ["A message is unread", "messages are unread"],
    action: "Read",
    to: "/messages",
  }),
  waitingTestimonials: counted({
    task: "moderate testimonials",
    comesFromVisitors: true,
    tables: ["testimonials"],
    read: (client) =>
      countRows(rowsOf(client, "testimonials").is("approved_at", null).is("refused_at", null)),
    texts: ["A testimonial waits for your approval", "testimonials wait for your approval"],
    action: "Read",
    to: "/manage/testimonials",
  }),
  failedPosts: counted({
    task: "write posts",
    tables: ["content_states"],
    read: (client) => countRows(rowsOf(client, "schedules", "thing").not("failure", "is", null)),
    texts: ["A scheduled post could not be published", "scheduled posts could not be published"],
    action: "Open",
    to: "/manage/posts?filter=scheduled",
    isUrgent: true,
  }),
  waitingPosts: counted({
    task: "manage the site",
    tables: ["posts", "content_states"],
    read: (client) => countPosts(client, "waiting", kinds.post),
    texts: ["A post waits for your approval", "posts wait for your approval"],
    action: "Read",
    to: "/manage/posts?filter=waiting",
  }),
  waitingPages: counted({
    task: "manage the site",
    tables: ["public_site_settings"],
    read: (client) => countPosts(client, "waiting", kinds.page),
    texts: ["A page waits for your approval", "pages wait for your approval"],
    action: "Read",
    to: "/manage/pages?filter=waiting",
  }),
  waitingSections: counted({
    task: "manage the site",
    tables: ["section_drafts"],
    read: async (client) => (await listSubmittedSections(client)).length,
    texts: [
      "A change of the settings waits for your approval",
      "changes of the settings wait for your approval",
    ],
    action: "Read",
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
