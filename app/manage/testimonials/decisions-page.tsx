import { type Columns, ExportButton } from "../csv-export.tsx";
import { isoTime } from "../format-moment.ts";
import { PageData, PageFrame } from "../manage-frame.tsx";
import { type Decisions, decisionEvents, readDecisions } from "./read-decisions.ts";
import { type RefusalReason, refusalReasons } from "./refusal-reasons.ts";

const columns = [5, 4, 3, 2, 1];

export const decisionColumns: Columns<Decisions["rows"][number]> = {
  Time: ({ at }, zone) => isoTime(at, zone),
  By: ({ by_name }) => by_name,
  Account: ({ by_email }) => by_email,
  Stars: (row) => String(row.rating),
  Decision: ({ event, by_name }) => {
    if (event === "deleted without reason") return "deleted, no reason given";
    return event === "approved" && !by_name ? "published at once" : event;
  },
  // A CHECK allows only these reasons.
  Reason: ({ reason }) => reason && refusalReasons[reason as RefusalReason],
  Name: ({ name }) => name,
  Text: ({ content }) => content,
};

export default function DecisionsPage() {
  return (
    <PageData
      query={{
        key: ["decisions"],
        read: (client) => readDecisions(client, 0, 0),
        tables: ["testimonials"],
      }}
    >
      {({ counts, total }) => (
        <PageFrame
          button={
            <ExportButton
              label="Export as a file"
              items={["decision", "decisions"]}
              file="decisions"
              total={total}
              columns={decisionColumns}
              read={readDecisions}
            />
          }
        >
          <table className="mt-5 w-full max-w-3xl rounded-lg border border-line bg-surface text-right tabular-nums shadow-card [&_td]:px-2 [&_td]:py-2.5 [&_th]:px-2 [&_th]:py-2.5 sm:[&_td]:px-4 sm:[&_th]:px-4">
            <caption className="sr-only">Testimonials by decision and stars</caption>
            <thead className="border-b border-line text-sm text-muted">
              <tr>
                {["Stars", ...columns].map((label) => (
                  <th key={label} scope="col" className="font-medium first:text-left">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {Object.entries(decisionEvents).map(([each, label]) => (
                <tr key={each}>
                  <th scope="row" className="text-left font-medium">
                    {label}
                  </th>
                  {columns.map((stars) => (
                    <td key={stars}>
                      {counts.find((row) => row.rating === stars && row.event === each)?.number ??
                        0}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <p className="mt-4 max-w-3xl text-sm text-muted">
            Without samples. The file has every testimonial with what you decided, when and why.
            Testimonials deleted for a privacy request keep their stars and reasons there.
          </p>
        </PageFrame>
      )}
    </PageData>
  );
}
