import { Check as CheckMark, ChevronRight, CircleAlert, Info } from "lucide";
import { Link } from "react-router";
import type { Role } from "../../../supabase/functions/_shared/roles.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { LiveTable } from "../../supabase/live.ts";
import { buttonClass } from "../../ui/button.ts";
import { Icon } from "../../ui/icon.ts";
import { readChecks } from "../checks/checks.ts";
import { type LiveValue, useLiveValue } from "../live-value.ts";
import { countTestimonials } from "../testimonials/manage-testimonials.ts";
import { type AttentionItem, attentionItems, type Findings, findingsOf } from "./attention.ts";
import {
  countDraftPosts,
  countFailedMails,
  countFailedPosts,
  countUnread,
  listDraftSections,
} from "./counts.ts";

interface AttentionProps {
  role: Role;
  /** Whether the page already asks for the setup, above this list. */
  hasSetupBanner: boolean;
}

/** Defined here, because `useLiveValue` reads again when it gets another function. */
function countWaitingTestimonials(client: Client): Promise<number> {
  return countTestimonials(client, "waiting");
}

/** What needs attention, loaded piece by piece. One piece that fails hides none of the others. */
export function Attention({ role, hasSetupBanner }: AttentionProps) {
  const kinds = findingsOf(role);
  /** Reads a finding only for a role that it concerns. */
  function useFinding<Value>(
    kind: keyof Findings,
    read: (client: Client) => Promise<Value>,
    ...tables: LiveTable[]
  ) {
    return useLiveValue(kinds.includes(kind) ? read : null, ...tables);
  }
  const findings = {
    failedMails: useFinding("failedMails", countFailedMails, "contact_messages"),
    unread: useFinding("unread", countUnread, "contact_messages"),
    waitingTestimonials: useFinding(
      "waitingTestimonials",
      countWaitingTestimonials,
      "testimonials",
    ),
    checks: useFinding("checks", readChecks),
    failedPosts: useFinding("failedPosts", countFailedPosts, "posts"),
    draftPosts: useFinding("draftPosts", countDraftPosts, "posts"),
    draftSections: useFinding("draftSections", listDraftSections),
  };

  const items = attentionItems(role, {
    failedMails: loadedValue(findings.failedMails),
    unread: loadedValue(findings.unread),
    waitingTestimonials: loadedValue(findings.waitingTestimonials),
    checks: loadedValue(findings.checks),
    failedPosts: loadedValue(findings.failedPosts),
    draftPosts: loadedValue(findings.draftPosts),
    draftSections: loadedValue(findings.draftSections),
  });
  const failed = kinds.filter((kind) => findings[kind].state === "failed");
  const isLoading = kinds.some((kind) => findings[kind].state === "loading");

  function retryAll() {
    for (const kind of failed) {
      const finding = findings[kind];
      if (finding.state === "failed") finding.retry();
    }
  }

  return (
    <section aria-labelledby="attention-title" className="mt-8">
      <h2 id="attention-title" className="text-xl">
        Needs your attention
      </h2>
      {items.length > 0 && (
        <ul className="mt-4 divide-y divide-line overflow-clip rounded-lg border border-line bg-surface shadow-card">
          {items.map((item) => (
            <li key={item.id}>
              <Item item={item} />
            </li>
          ))}
        </ul>
      )}
      {failed.length > 0 && (
        <div
          role="alert"
          className="mt-4 rounded-lg border border-line bg-surface px-5 py-4 sm:flex sm:items-center sm:justify-between sm:gap-6"
        >
          <p>{namesOf(failed)} could not be loaded. Check your connection and try again.</p>
          <button
            type="button"
            className={`${buttonClass("secondary", "small")} mt-3 shrink-0 sm:mt-0`}
            onClick={retryAll}
          >
            Try again
          </button>
        </div>
      )}
      {/* Rendered even when empty: screen readers announce only changes of an existing status. */}
      <p role="status" className="mt-4 flex items-center gap-2 text-muted empty:hidden">
        {isLoading ? (
          "Loading what needs your attention..."
        ) : items.length === 0 && failed.length === 0 ? (
          <>
            <Icon drawing={CheckMark} className="size-5 shrink-0 text-evergreen" />
            {hasSetupBanner
              ? "Nothing else needs your attention."
              : "Nothing needs your attention."}
          </>
        ) : null}
      </p>
    </section>
  );
}

function Item({ item: { text, to, isUrgent } }: { item: AttentionItem }) {
  const content = (
    <>
      <Icon
        drawing={isUrgent ? CircleAlert : Info}
        className={`mt-0.5 size-5 shrink-0 ${isUrgent ? "text-danger" : "text-clay"}`}
      />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {isUrgent && <span className="sr-only">Urgent: </span>}
        {text}
      </span>
    </>
  );
  const className = "flex min-h-14 items-start gap-3 px-4 py-3.5 sm:px-5";
  if (!to) return <p className={className}>{content}</p>;
  return (
    <Link
      to={to}
      className={`${className} font-medium transition-colors hover:bg-sand/60 hover:text-evergreen focus-visible:-outline-offset-3`}
    >
      {content}
      <Icon drawing={ChevronRight} className="mt-0.5 size-5 shrink-0 text-muted" />
    </Link>
  );
}

function loadedValue<Value>(reading: LiveValue<Value>): Value | undefined {
  return reading.state === "loaded" ? reading.value : undefined;
}

const names: Record<keyof Findings, string> = {
  failedMails: "failed emails",
  unread: "unread messages",
  waitingTestimonials: "waiting testimonials",
  checks: "the checks of the site",
  failedPosts: "scheduled posts",
  draftPosts: "unpublished posts",
  draftSections: "unpublished settings",
};

/** As the start of a sentence. */
function namesOf(kinds: readonly (keyof Findings)[]): string {
  const list = new Intl.ListFormat("en-US").format(kinds.map((kind) => names[kind]));
  return list.charAt(0).toUpperCase() + list.slice(1);
}
