// The kinds of things that can need attention: their roles, queries and sentences.
import { may, type Role, type Task } from "../../../supabase/functions/_shared/roles.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { LiveTable } from "../../supabase/live.ts";
import { readChecks } from "../checks/checks.ts";
import { countRows, numberOnly } from "../count-rows.ts";

export interface AttentionItem {
  id: string;
  text: string;
  /** The page that deals with it; null when the site has no such page. */
  to: string | null;
  isUrgent: boolean;
}

interface Finding<Value> {
  /** The task that permits reading it. Policies hide it from accounts without the task. */
  task: Task;
  /** The name of the data, for the message after a failure. */
  name: string;
  /** The tables whose changes make it load again. */
  table?: LiveTable;
  read: (client: Client) => Promise<Value>;
  describe: (value: Value) => Omit<AttentionItem, "id">[];
}

type Query = (client: Client) => Parameters<typeof countRows>[0];

interface Counted extends Omit<Finding<number>, "read" | "describe"> {
  query: Query;
  /** The sentence for one row, and the end of the sentence for a number of rows. */
  sentence: [one: string, many: string];
  to: string;
  isUrgent?: boolean;
}

function counted({ query, sentence, to, isUrgent = false, ...rest }: Counted): Finding<number> {
  const [one, many] = sentence;
  return {
    ...rest,
    read: (client) => countRows(query(client)),
    describe(count) {
      if (count === 0) return [];
      const text = count === 1 ? `1 ${one}` : `${count.toLocaleString("en-US")} ${many}`;
      return [{ text, to, isUrgent }];
    },
  };
}

export const findings = {
  failedMails: counted({
    task: "handle messages",
    name: "failed emails",
    table: "contact_messages",
    query: (client) =>
      client
        .from("contact_messages")
        .select("id", numberOnly)
        .eq("status", "failed")
        .is("deleted_at", null),
    sentence: ["message could not be emailed to you.", "messages could not be emailed to you."],
    to: "/messages?filter=failed",
    isUrgent: true,
  }),
  failedPosts: counted({
    task: "write posts",
    name: "scheduled posts",
    table: "posts",
    query: (client) =>
      client.from("scheduled_posts").select("id", numberOnly).not("failure", "is", null),
    sentence: ["scheduled post could not be published.", "scheduled posts could not be published."],
    to: "/manage/posts?filter=scheduled",
    isUrgent: true,
  }),
  unread: counted({
    task: "handle messages",
    name: "unread messages",
    table: "contact_messages",
    query: (client) =>
      client
        .from("contact_messages")
        .select("id", numberOnly)
        .is("read_at", null)
        .is("deleted_at", null),
    sentence: ["message is unread.", "messages are unread."],
    to: "/messages",
  }),
  waitingTestimonials: counted({
    task: "moderate testimonials",
    name: "waiting testimonials",
    table: "testimonials",
    query: (client) => client.from("testimonials").select("id", numberOnly).is("approved_at", null),
    sentence: ["testimonial waits for your approval.", "testimonials wait for your approval."],
    to: "/manage/testimonials",
  }),
  checks: {
    task: "manage the site",
    name: "the checks of the site",
    read: readChecks,
    describe: (checks) =>
      checks.map(({ severity, text, fixAt }) => ({
        text,
        // It can also be the name of a setting in the environment, which the sentence mentions.
        to: fixAt.startsWith("/") ? fixAt : null,
        isUrgent: severity === "error",
      })),
  } satisfies Finding<Awaited<ReturnType<typeof readChecks>>>,
  draftPosts: counted({
    task: "write posts",
    name: "unpublished posts",
    table: "posts",
    query: (client) => client.from("post_drafts").select("id", numberOnly),
    sentence: [
      "post has changes that are not published.",
      "posts have changes that are not published.",
    ],
    to: "/manage/posts?filter=draft",
  }),
  draftSections: {
    task: "manage the site",
    name: "unpublished settings",
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

/** The kinds that concern a role. */
export function kindsFor(role: Role): FindingKind[] {
  const kinds = Object.keys(findings) as FindingKind[];
  return kinds.filter((kind) => may(role, (findings[kind] as Finding<unknown>).task));
}

/** The most urgent first. */
export function attentionItems(role: Role, found: Found): AttentionItem[] {
  const items = kindsFor(role).flatMap((kind) => {
    if (found[kind] === undefined) return [];
    const { describe } = findings[kind] as Finding<unknown>;
    return describe(found[kind]).map((item, at) => ({ ...item, id: `${kind} ${at}` }));
  });
  return items.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
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
