import { Link } from "react-router";
import type { Role } from "../../../supabase/functions/_shared/roles.ts";
import { buttonClass } from "../../ui/button.ts";
import { Icon } from "../../ui/icon.ts";
import { useLiveValue } from "../live-value.ts";
import { linksOf, type ManagePage } from "../manage-pages.ts";

/** A card per page that the role may open, with how much it holds. */
export function PageLinks({ role }: { role: Role }) {
  return (
    <section aria-labelledby="pages-title" className="mt-10">
      <h2 id="pages-title" className="text-xl">
        Your site
      </h2>
      <ul className="mt-4 grid gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3">
        {linksOf(role).map(
          ({ to, label, card }) =>
            card && (
              <li
                key={to}
                // The last card fills its row.
                className="relative flex gap-4 rounded-lg border border-line bg-surface p-4 transition-colors hover:border-evergreen sm:p-5 sm:max-lg:last:odd:col-span-2 lg:last:nth-[3n+1]:col-span-3 lg:last:nth-[3n+2]:col-span-2"
              >
                <Icon drawing={card.icon} className="mt-1 size-5 shrink-0 text-evergreen" />
                <div className="min-w-0 flex-1">
                  <div className="flex flex-wrap items-baseline justify-between gap-x-3">
                    <h3 className="font-sans text-base font-semibold">
                      <Link to={to} className="card-link">
                        {label}
                      </Link>
                    </h3>
                    {card.count && <Count of={label} count={card.count} />}
                  </div>
                  <p className="mt-0.5 text-sm text-muted">{card.text}</p>
                  {card.create && (
                    <Link
                      to={card.create.to}
                      className={`${buttonClass("secondary", "small")} relative z-10 mt-3`}
                    >
                      {card.create.label}
                    </Link>
                  )}
                </div>
              </li>
            ),
        )}
      </ul>
    </section>
  );
}

type PageCount = NonNullable<NonNullable<ManagePage["card"]>["count"]>;

function Count({ of, count }: { of: string; count: PageCount }) {
  const reading = useLiveValue(count.read, count.table);
  const className = "text-sm text-muted tabular-nums";
  if (reading.state === "loaded") {
    return (
      <span className={className}>
        {reading.value.toLocaleString("en-US")}
        <span className="sr-only"> in all</span>
      </span>
    );
  }
  if (reading.state === "failed") {
    return (
      <button
        type="button"
        onClick={reading.retry}
        className="relative z-10 min-h-6 text-sm text-danger underline underline-offset-4"
      >
        Count failed. Try again
        <span className="sr-only"> to count {of.toLowerCase()}</span>
      </button>
    );
  }
  return <span aria-hidden="true" className="skeleton h-4 w-8" />;
}
