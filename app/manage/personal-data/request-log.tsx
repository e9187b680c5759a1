import { useSite } from "../../config/use-site.ts";
import { formatMoment } from "../format-moment.ts";
import { useLiveQuery } from "../live-query.ts";
import { Section } from "../page-parts.tsx";
import { formatSignature } from "../versions/content-store.ts";
import { listFound, type PrivacyRequest, readRequests } from "./privacy-requests.ts";

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
        export of the archive has all. An address is stored as a number that is computed from it, so
        that the log keeps no address that was erased.
      </p>
      {requests.length === 0 ? (
        <p className="mt-4 text-muted">No copy was given and nothing was erased yet.</p>
      ) : (
        <ol className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface">
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
  const { number, kind, person, received_on, at, found, kept } = request;
  const by = formatSignature(request);
  return (
    <li className="p-4 wrap-anywhere sm:px-6">
      <p className="font-semibold">
        {`${number}. ${kind === "copy" ? "Copy given" : "Erased"} ${formatMoment(at, timeZone)}${by && ` by ${by}`}`}
      </p>
      <p className="mt-1 text-sm text-muted">
        {`Received on ${received_on}, for the address with the number ${person.slice(0, 12)}. There was: ${listFound(found)}.`}
      </p>
      {kept.length > 0 && (
        <ul className="mt-2 space-y-1 text-sm">
          {kept.map(({ what, item, until, why }) => (
            <li key={`${what} ${item}`}>
              {`Kept: ${what}${until ? ` until ${formatMoment(until, timeZone)}` : ""}. ${why}`}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
