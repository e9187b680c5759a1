import { Check as CheckMark, ChevronRight, CircleAlert, Info } from "lucide";
import { Link } from "react-router";
import type { Role } from "../../../supabase/functions/_shared/roles.ts";
import { useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { ServerNotes } from "../checks/server-notes.tsx";
import { useLiveQueries } from "../live-query.ts";
import { Section } from "../page-parts.tsx";
import { attentionItems, type Found, findings, kindsFor, namesOf } from "./attention.ts";
import { type AttentionItem, type Finding, queryOf } from "./waiting.ts";

interface AttentionProps {
  role: Role;
  hasSetupBanner: boolean;
}

/** What needs attention. Each kind is loaded separately, so that a failure does not hide the others. */
export function Attention({ role, hasSetupBanner }: AttentionProps) {
  const { closed } = useSite();
  const kinds = kindsFor(role, closed);
  // Each kind has values of its own type, which the list loses.
  const readings = useLiveQueries(
    kinds.map((kind) => queryOf(kind, findings[kind] as Finding<unknown>)),
  );
  const found = Object.fromEntries(kinds.map((kind, at) => [kind, readings[at]?.value])) as Found;
  const items = attentionItems(role, found, hasSetupBanner);
  const failed = kinds.filter((_, at) => readings[at]?.failures);
  const isLoading = readings.some(({ value, failures }) => value === undefined && failures === 0);

  function retryAll() {
    for (const { failures, retry } of readings) if (failures > 0) retry();
  }

  return (
    <>
      <Section title="Needs your attention" className="mt-8">
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
            <p>{`${namesOf(failed)} could not be loaded. Check your connection and try again.`}</p>
            <Button className="mt-3 shrink-0 sm:mt-0" onClick={retryAll}>
              Try again
            </Button>
          </div>
        )}
        {/* Rendered even when empty: screen readers announce only changes of an existing status. */}
        <p role="status" className="mt-4 flex items-center gap-2 text-muted empty:hidden">
          {isLoading ? (
            "Loading what needs your attention..."
          ) : items.length === 0 && failed.length === 0 ? (
            <>
              <Icon drawing={CheckMark} className="size-5 shrink-0 text-evergreen" />
              <span>
                {hasSetupBanner
                  ? "Nothing else needs your attention."
                  : "Nothing needs your attention."}
              </span>
            </>
          ) : null}
        </p>
      </Section>
      <ServerNotes checks={found.checks ?? []} />
    </>
  );
}

function Item({ item: { text, to, isUrgent } }: { item: AttentionItem }) {
  return (
    <Link
      to={to}
      className="flex min-h-14 items-start gap-3 px-4 py-3.5 font-medium transition-colors hover:bg-sand/60 hover:text-evergreen focus-visible:-outline-offset-3 sm:px-5"
    >
      <Icon
        drawing={isUrgent ? CircleAlert : Info}
        className={`mt-0.5 size-5 shrink-0 ${isUrgent ? "text-danger" : "text-clay"}`}
      />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {isUrgent && <span className="sr-only">Urgent: </span>}
        <span>{text}</span>
      </span>
      <Icon drawing={ChevronRight} className="mt-0.5 size-5 shrink-0 text-muted" />
    </Link>
  );
}
