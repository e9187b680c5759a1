// The kinds of things that can need attention: their roles, queries and sentences.
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import type { Role } from "../../../supabase/functions/_shared/roles.ts";
import { type Check, checkedTables, isForServer, readChecks } from "../checks/run-checks.ts";
import { countRows, rowsOf } from "../count-rows.ts";
import { kinds } from "../posts/kinds.ts";
import { countPosts } from "../posts/managed-posts.ts";
import { countNewTestimonials } from "../testimonials/manage-testimonials.ts";
import { type AttentionItem, concerns, counted, type Finding, waiting } from "./waiting.ts";

export const findings = {
  ...waiting,
  newTestimonials: counted({
    task: "moderate testimonials",
    name: "new testimonials",
    comesFromVisitors: true,
    tables: ["testimonials"],
    read: countNewTestimonials,
    sentence: ["new testimonial is on your site.", "new testimonials are on your site."],
    to: "/manage/testimonials/approved",
  }),
  failedMails: counted({
    task: "handle messages",
    name: "failed emails",
    comesFromVisitors: true,
    tables: ["contact_messages"],
    read: (client) =>
      countRows(rowsOf(client, "contact_messages").eq("status", "failed").is("deleted_at", null)),
    sentence: ["message could not be emailed to you.", "messages could not be emailed to you."],
    to: "/messages?filter=failed",
    isUrgent: true,
  }),
  checks: {
    task: "manage the site",
    name: "the checks of the site",
    tables: checkedTables,
    read: readChecks,
    describe: (checks) =>
      checks
        // server-notes.tsx shows what only the person who runs the server can repair.
        .filter((check) => !isForServer(check))
        .map(({ severity, text, fixAt }) => ({ text, to: fixAt, isUrgent: severity === "error" })),
  } satisfies Finding<Check[]>,
  draftPosts: counted({
    task: "write posts",
    name: "unpublished posts",
    tables: ["drafts"],
    read: (client) => countPosts(client, "draft", kinds.post),
    sentence: [
      "post has changes that are not published.",
      "posts have changes that are not published.",
    ],
    to: "/manage/posts?filter=draft",
  }),
  draftPages: counted({
    task: "write posts",
    name: "unpublished pages",
    tables: ["drafts"],
    read: (client) => countPosts(client, "draft", kinds.page),
    sentence: [
      "page has changes that are not published.",
      "pages have changes that are not published.",
    ],
    to: "/manage/pages?filter=draft",
  }),
  draftSections: {
    task: "manage the site",
    name: "unpublished settings",
    tables: ["section_drafts"],
    async read(client) {
      const drafts = client.from("drafts").select("thing").eq("kind", "section").order("thing");
      return (await drafts.throwOnError()).data.map(({ thing }) => thing);
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

export function kindsFor(role: Role, closed: readonly string[] = []): FindingKind[] {
  return keysOf(findings).filter((kind) => concerns(findings[kind], role, closed));
}

/**
 * What visitors wait for comes first, then the most urgent.
 * @param needsSetup whether the setup is open: then it stands for what is wrong with the settings, and lists it at its end
 */
export function attentionItems(role: Role, found: Found, needsSetup = false): AttentionItem[] {
  const checks = found.checks?.filter(({ fixAt }) => !fixAt.startsWith("/manage/settings"));
  const shown = needsSetup ? { ...found, checks } : found;
  const ranked = kindsFor(role).flatMap((kind) => {
    if (shown[kind] === undefined) return [];
    // The value is what this kind has read: Found.
    const { describe, comesFromVisitors = false } = findings[kind] as Finding<unknown>;
    return describe(shown[kind]).map((item, at) => ({
      item: { ...item, id: `${kind} ${at}` },
      rank: comesFromVisitors ? 0 : item.isUrgent ? 1 : 2,
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
