// The kinds of things that can need attention: their roles, queries and sentences.
import { may, type Role, type Task } from "../../../supabase/functions/_shared/roles.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { LiveTable } from "../../supabase/live.ts";
import { type Check, checkedTables, isForServer, readChecks } from "../checks/checks.ts";
import { countRows, numberOnly } from "../count-rows.ts";
import { countWaitingPosts } from "../posts/managed-posts.ts";
import { countNewTestimonials } from "../testimonials/manage-testimonials.ts";

export interface AttentionItem {
  id: string;
  text: string;
  /** The page to do something about it. */
  to: string;
  isUrgent: boolean;
}

interface Finding<Value> {
  /** The task that permits reading it. Policies hide it from accounts without the task. */
  task: Task;
  /** The name of the data, for the message after a failure. */
  name: string;
  /** Whether visitors wait for it, which comes before everything else. */
  isOfVisitors?: boolean;
  /** Read again after each change. */
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

function counted({ sentence, to, isUrgent = false, ...rest }: Counted): Finding<number> {
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

export const findings = {
  unread: counted({
    task: "handle messages",
    name: "unread messages",
    isOfVisitors: true,
    tables: ["contact_messages"],
    read: (client) =>
      countRows(
        client
          .from("contact_messages")
          .select("id", numberOnly)
          .is("read_at", null)
          .is("deleted_at", null),
      ),
    sentence: ["message is unread.", "messages are unread."],
    to: "/messages",
  }),
  waitingTestimonials: counted({
    task: "moderate testimonials",
    name: "waiting reviews",
    isOfVisitors: true,
    tables: ["testimonials"],
    read: (client) =>
      countRows(
        client
          .from("testimonials")
          .select("id", numberOnly)
          .is("approved_at", null)
          .is("refused_at", null),
      ),
    sentence: ["review waits for your approval.", "reviews wait for your approval."],
    to: "/manage/testimonials",
  }),
  newTestimonials: counted({
    task: "moderate testimonials",
    name: "new reviews",
    isOfVisitors: true,
    tables: ["testimonials"],
    read: countNewTestimonials,
    sentence: ["new review is on your site.", "new reviews are on your site."],
    to: "/manage/testimonials/approved",
  }),
  failedMails: counted({
    task: "handle messages",
    name: "failed emails",
    isOfVisitors: true,
    tables: ["contact_messages"],
    read: (client) =>
      countRows(
        client
          .from("contact_messages")
          .select("id", numberOnly)
          .eq("status", "failed")
          .is("deleted_at", null),
      ),
    sentence: ["message could not be emailed to you.", "messages could not be emailed to you."],
    to: "/messages?filter=failed",
    isUrgent: true,
  }),
  failedPosts: counted({
    task: "write posts",
    name: "scheduled posts",
    tables: ["posts"],
    read: (client) =>
      countRows(client.from("scheduled_posts").select("id", numberOnly).not("failure", "is", null)),
    sentence: ["scheduled post could not be published.", "scheduled posts could not be published."],
    to: "/manage/posts?filter=scheduled",
    isUrgent: true,
  }),
  waitingPosts: counted({
    task: "manage the site",
    name: "posts for approval",
    tables: ["posts"],
    read: countWaitingPosts,
    sentence: ["post waits for your approval.", "posts wait for your approval."],
    to: "/manage/posts?filter=waiting",
  }),
  checks: {
    task: "manage the site",
    name: "the checks of the site",
    tables: checkedTables,
    read: readChecks,
    describe: (checks) =>
      checks
        // The others are not hers to fix (server-notes.tsx).
        .filter((check) => !isForServer(check))
        .map(({ severity, text, fixAt }) => ({ text, to: fixAt, isUrgent: severity === "error" })),
  } satisfies Finding<Check[]>,
  draftPosts: counted({
    task: "write posts",
    name: "unpublished posts",
    tables: ["posts"],
    read: (client) => countRows(client.from("post_drafts").select("id", numberOnly)),
    sentence: [
      "post has changes that are not published.",
      "posts have changes that are not published.",
    ],
    to: "/manage/posts?filter=draft",
  }),
  draftSections: {
    task: "manage the site",
    name: "unpublished settings",
    tables: ["public_site_settings"],
    async read(client) {
      const sections = client.from("site_settings_drafts").select("section").order("section");
      return (await sections.throwOnError()).data.map(({ section }) => section);
    },
    describe(sections) {
      const [first] = sections;
      if (!first) return [];
      const text = `Your changes to the settings ${listOf(sections.map(capitalize))} are not published yet.`;
      const to = sections.length === 1 ? `/manage/settings/${first}` : "/manage/settings";
      return [{ text, to, isUrgent: false }];
    },
  } satisfies Finding<string[]>,
};

export type FindingKind = keyof typeof findings;
/** Undefined for kinds that have not been read. */
export type Found = {
  [Kind in FindingKind]?: Awaited<ReturnType<(typeof findings)[Kind]["read"]>> | undefined;
};

/**
 * The kinds that concern a role.
 * @param closed the addresses of pages that are switched off
 */
export function kindsFor(role: Role, closed: readonly string[] = []): FindingKind[] {
  const kinds = Object.keys(findings) as FindingKind[];
  return kinds.filter((kind) => {
    const { task } = findings[kind];
    const isShown = task !== "moderate testimonials" || !closed.includes("/testimonials");
    return isShown && may(role, task);
  });
}

/** What visitors wait for comes first, then the most urgent. */
export function attentionItems(role: Role, found: Found): AttentionItem[] {
  const ranked = kindsFor(role).flatMap((kind) => {
    if (found[kind] === undefined) return [];
    const { describe, isOfVisitors = false } = findings[kind] as Finding<unknown>;
    return describe(found[kind]).map((item, at) => ({
      item: { ...item, id: `${kind} ${at}` },
      rank: isOfVisitors ? 0 : item.isUrgent ? 1 : 2,
    }));
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
}

/** "A, b, and c", as the start of a sentence. */
export function namesOf(kinds: readonly FindingKind[]): string {
  return capitalize(listOf(kinds.map((kind) => findings[kind].name)));
}

function listOf(words: string[]): string {
  return new Intl.ListFormat("en-US").format(words);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
