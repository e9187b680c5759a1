import { useSite } from "../../config/use-site.ts";
import { formatDay, formatMoment } from "../format-moment.ts";
import { listClass } from "../list-toolbar.tsx";
import { useLiveQuery } from "../live-query.ts";
import { Section } from "../page-parts.tsx";
import { formatSignature } from "../versions/content-store.ts";
import { isEmpty, listFound, type PrivacyRequest, readRequests } from "./privacy-requests.ts";

/** What people asked for and what was done. It names nobody whose data was erased. */
export function RequestLog() {
  const { value: requests } = useLiveQuery({
    key: ["privacy requests"],
    read: (client) => readRequests(client, 0),
  });
  if (!requests) return null;
  return (
    <Section title="Requests" className="mt-12 border-t border-line pt-10" headingClass="text-2xl">
      <p className="mt-2 max-w-2xl text-sm text-muted">
        What people asked for, and what was done. Nobody can change or delete an entry, and the
        export of the archive has all. A number stands for each email address, so that an erased one
        is not kept here.
      </p>
      {requests.length === 0 ? (
        <p className="mt-4 text-muted">No request was answered yet.</p>
      ) : (
        <ol className={`mt-4 ${listClass}`}>
          {requests.map((request) => (
            <RequestItem key={request.number} request={request} />
          ))}
        </ol>
      )}
    </Section>
  );
}

function RequestItem({ request }: { request: PrivacyRequest }) {
  const { timeZone } = useSite().contact;
  const { number, kind, person, received_on, at, found } = request;
  const done = kind === "erasure" ? "Erased" : isEmpty(found) ? "Nothing found" : "Copy given";
  const by = formatSignature(request);
  return (
    <li className="px-4 py-3 wrap-anywhere">
      <p className="font-semibold">
        {`${number}. ${done} ${formatMoment(at, timeZone)}${by && ` by ${by}`}`}
      </p>
      <p className="mt-1 text-sm text-muted">
        {`Received on ${received_on}, for the address with the number ${person.slice(0, 12)}. There was: ${listFound(found)}.`}
      </p>
      <KeptItems request={request} />
    </li>
  );
}

export function KeptItems({ request: { kept } }: { request: PrivacyRequest }) {
  const { timeZone } = useSite().contact;
  return (
    <ul className="mt-2 space-y-1 text-sm empty:hidden">
      {kept.map(({ what, item, until, why }) => (
        <li key={`${what} ${item}`}>
          {`Kept: ${what}${until ? ` until ${formatDay(until, timeZone)}` : ""}. ${why}`}
        </li>
      ))}
    </ul>
  );
}
