// What Home lists as 'To do': the kinds of tasks, with their roles, queries and texts.
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { may, type Role } from "../../../supabase/functions/_shared/roles.ts";
import { finishingSteps, sectionNouns } from "../../config/checks/checks.ts";
import { isSectionName } from "../../config/site-schema.ts";
import { countRecoveryCodes } from "../account/account.ts";
import {
  type Check,
  checkedTables,
  isForServer,
  readReport,
  type SiteReport,
} from "../checks/run-checks.ts";
import { countRows, rowsOf } from "../count-rows.ts";
import { kinds } from "../posts/kinds.ts";
import { countPosts } from "../posts/managed-posts.ts";
import { countNewTestimonials } from "../testimonials/manage-testimonials.ts";
import { concerns, counted, type Finding, type Task, waiting } from "./waiting.ts";

// Home shows the messages themselves.
const { unread: _, ...listed } = waiting;

export const findings = {
  ...listed,
  newTestimonials: counted({
    task: "moderate testimonials",
    comesFromVisitors: true,
    tables: ["testimonials"],
    read: countNewTestimonials,
    texts: ["A new testimonial is on your site", "new testimonials are on your site"],
    action: "Read",
    to: "/manage/testimonials/approved",
  }),
  failedMails: counted({
    task: "handle messages",
    comesFromVisitors: true,
    tables: ["contact_messages"],
    read: (client) =>
      countRows(rowsOf(client, "contact_messages").eq("status", "failed").is("deleted_at", null)),
    texts: ["A message could not be emailed to you", "messages could not be emailed to you"],
    action: "Read",
    to: "/messages?filter=failed",
    isUrgent: true,
  }),
  report: {
    task: "manage the site",
    tables: checkedTables,
    read: readReport,
    describe: () => [],
  } satisfies Finding<SiteReport>,
  draftPages: counted({
    task: "write posts",
    tables: ["drafts"],
    read: (client) => countPosts(client, "draft", kinds.page),
    texts: ["A page has changes that are not public", "pages have changes that are not public"],
    action: "Open",
    to: "/manage/pages?filter=draft",
  }),
  draftSections: {
    task: "manage the site",
    tables: ["section_drafts"],
    async read(client) {
      const drafts = client.from("drafts").select("thing").eq("kind", "section").order("thing");
      return (await drafts.throwOnError()).data.map(({ thing }) => thing);
    },
    describe(sections) {
      const [first] = sections;
      if (!first) return [];
      const [text, to] =
        sections.length === 1
          ? [
              `Your changes to ${isSectionName(first) ? sectionNouns[first] : first} are not public`,
              `/manage/settings/${first}`,
            ]
          : [`${sections.length} sections have changes that are not public`, "/manage/settings"];
      return [{ text, to, action: "Publish", isUrgent: false }];
    },
  } satisfies Finding<string[]>,
  recoveryCodes: {
    task: "manage the site",
    read: countRecoveryCodes,
    describe: (left) =>
      left > 0
        ? []
        : [
            {
              text: "Print recovery codes, so that a forgotten password does not lock you out",
              action: "Make them",
              to: "/manage/account",
              isUrgent: false,
            },
          ],
  } satisfies Finding<number>,
};

export type FindingKind = keyof typeof findings;
/** Undefined for kinds that have not been read. */
export type Found = {
  [Kind in FindingKind]?: Awaited<ReturnType<(typeof findings)[Kind]["read"]>> | undefined;
};

export function kindsFor(role: Role, closed: readonly string[] = []): FindingKind[] {
  return keysOf(findings).filter((kind) => concerns(findings[kind], role, closed));
}

export interface Tasks {
  /** The urgent come first, then what visitors wait for. */
  toDo: Task[];
  /** What makes a new site the owner's own. */
  finishing: Task[];
  doneSteps: number;
}

/** @param needsSetup whether the setup is open: it asks for most of what finishes a site, and has the rest and the codes at its end */
export function tasksOf(role: Role, found: Found, needsSetup = false): Tasks {
  // server-notes.tsx shows what only the person who runs the server can do.
  const read = may(role, findings.report.task) ? found.report?.checks : undefined;
  const checks = read?.filter((check) => !isForServer(check)) ?? [];
  const open = new Set(checks.map(({ step }) => step));
  const isFirst = ({ step }: Check) => step !== null && !(needsSetup && step === "account");
  const ranked = kindsFor(role)
    .filter((kind) => found[kind] !== undefined && !(needsSetup && kind === "recoveryCodes"))
    .flatMap((kind) => {
      // The value is what this kind has read: Found.
      const { describe, comesFromVisitors = false } = findings[kind] as Finding<unknown>;
      return describe(found[kind]).map((task, at) => ({
        task: { ...task, id: `${kind} ${at}` },
        rank: task.isUrgent ? 0 : comesFromVisitors ? 1 : 2,
      }));
    });
  const others = checks.filter((check) => !isFirst(check)).map(taskOf);
  const toDo = [
    ...ranked,
    ...others.map((task) => ({ task, rank: task.isUrgent ? 0 : 2 })),
  ].toSorted((a, b) => a.rank - b.rank);
  return {
    toDo: toDo.map(({ task }) => task),
    finishing: needsSetup ? [] : checks.filter(isFirst).map(taskOf),
    doneSteps: finishingSteps.filter((step) => !open.has(step)).length,
  };
}

/** What finishes a new site is not urgent: it is no list of faults. */
function taskOf({ id, text, action, fixAt, severity, step }: Check): Task {
  const isUrgent = severity === "error" && step === null;
  return { id, text, action: action ?? "Open", to: fixAt, isUrgent };
}
