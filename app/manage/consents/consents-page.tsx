import { useLocation } from "react-router";
import { useSite } from "../../config/use-site.ts";
import type { ListPage } from "../../loading/load-page.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { LiveTable } from "../../supabase/live.ts";
import { TextLink } from "../button.tsx";
import {
  type ConsentFilter,
  type ConsentRecord,
  consentFilters,
  readConsents,
  WithdrawalForm,
  WithdrawalNote,
} from "../consent-records.tsx";
import { ExportMenu } from "../csv-export.tsx";
import { formatMoment } from "../format-moment.ts";
import { loadFound, readSearch, searchUrl } from "../list-search.ts";
import { EmptyList, FilterLinks, listClass, PagedList, Toolbar } from "../list-toolbar.tsx";
import { useReload } from "../live-query.ts";
import { PageData, PageFrame } from "../manage-frame.tsx";
import { consentColumns } from "./consents-csv.ts";

function pathOf(filter: ConsentFilter): string {
  return searchUrl("/manage/consents", { filter });
}

/** A consent comes with its message or testimonial. */
const tables: LiveTable[] = ["contact_messages", "testimonials", "consent_withdrawals"];

async function readList(client: Client, filter: ConsentFilter, page: number) {
  const read = (first: number, count: number) => readConsents(client, filter, first, count);
  return { filter, list: await loadFound(read, ({ counts }) => counts[filter], page) };
}

export default function ConsentsPage() {
  const { filter, page } = readSearch(useLocation().search, consentFilters);
  const read = (client: Client) => readList(client, filter, page);
  return (
    <PageData query={{ key: ["consents", filter, page], read, tables }}>
      {(shown) => <ConsentList {...shown} />}
    </PageData>
  );
}

interface ConsentListProps {
  filter: ConsentFilter;
  list: ListPage<ConsentRecord> & { counts: Record<ConsentFilter, number> };
}

function ConsentList({ filter, list }: ConsentListProps) {
  const { counts } = list;
  return (
    <PageFrame
      button={
        <ExportMenu
          items={["consent", "consents"]}
          file={filter === "all" ? "consents" : `consents-${filter}`}
          total={counts[filter]}
          columns={consentColumns}
          read={async (client, first, count) => {
            const found = await readConsents(client, filter, first, count);
            return { rows: found.rows, total: found.counts[filter] };
          }}
        />
      }
    >
      <Toolbar
        filters={
          <FilterLinks
            label="Filters of consents"
            filters={consentFilters}
            current={filter}
            counts={counts}
            pathOf={pathOf}
          />
        }
      />
      <PagedList
        items="consents"
        path={pathOf(filter)}
        list={list}
        empty={
          <EmptyList
            title={filter === "withdrawn" ? "No consent was withdrawn" : "No consents yet"}
            text="What visitors agree to when they write to you or leave a review appears here."
          />
        }
      >
        {(rows) => (
          <ul
            aria-label={`${consentFilters[filter]}, newest first`}
            className={`mt-4 ${listClass}`}
          >
            {rows.map((consent) => (
              <ConsentItem key={consent.id} consent={consent} />
            ))}
          </ul>
        )}
      </PagedList>
    </PageFrame>
  );
}

function ConsentItem({ consent }: { consent: ConsentRecord }) {
  const { id, kind, name, email, phone, wording, given_at, withdrawal, is_public } = consent;
  const { timeZone } = useSite().contact;
  const reload = useReload();
  const isCall = kind === "calls";
  return (
    <li className="px-4 py-3 wrap-anywhere">
      <article aria-label={`${isCall ? "Calls and texts" : "Testimonial"}: ${name}`}>
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h2 className="text-base">{name}</h2>
          <time dateTime={given_at} className="text-sm text-muted">
            {formatMoment(given_at, timeZone)}
          </time>
        </div>
        <p className="text-sm text-muted">
          {[isCall ? "Calls and texts" : "Testimonial", phone, email].filter(Boolean).join(", ")}
        </p>
        <p className="mt-2 max-w-prose whitespace-pre-line">{`“${wording.trim()}”`}</p>
        {withdrawal ? (
          <WithdrawalNote title="Withdrawn." withdrawal={withdrawal}>
            {is_public && (
              <>
                <span>Visitors can still read the testimonial. </span>
                <TextLink to="/manage/testimonials/approved">
                  Take it off the site
                  <span className="sr-only">{`: the testimonial by ${name}`}</span>
                </TextLink>
              </>
            )}
          </WithdrawalNote>
        ) : (
          <WithdrawalForm
            consent={id}
            summary="Record a withdrawal"
            of={`of the consent by ${name}`}
            help={
              isCall
                ? "It applies to all earlier consents of this number or address."
                : "The testimonial stays as it is until you take it off the site or refuse it."
            }
            sent={{
              title: "Withdrawal recorded",
              description: is_public
                ? "Visitors can still read the testimonial. Take it off the site."
                : "The consent stays in this list.",
            }}
            onRecorded={reload}
          />
        )}
      </article>
    </li>
  );
}
