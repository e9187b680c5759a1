import { ExportButton } from "../csv-export.tsx";
import { PageData, PageFrame } from "../manage-frame.tsx";
import { decisionColumns, loadDecisions, readDecisions } from "./decisions.ts";

export const load = loadDecisions;

/** The columns of the table, in the order of a testimonial's life. */
const labels = {
  waiting: "Waiting",
  approved: "On the site",
  refused: "Refused",
  deleted: "Deleted",
} as const;
const states = ["waiting", "approved", "refused", "deleted"] as const;

export default function DecisionsPage({ data }: { data: ReturnType<typeof load> }) {
  return (
    <PageData data={data}>
      {({ counts, total }) => (
        <PageFrame
          button={
            <ExportButton
              label="Export decisions"
              items={["decision", "decisions"]}
              file="decisions"
              total={total}
              columns={decisionColumns}
              read={readDecisions}
            />
          }
        >
          <table className="mt-8 w-full max-w-3xl text-right tabular-nums">
            <caption className="sr-only">Reviews by stars and decision</caption>
            <thead className="text-sm">
              <tr className="border-b border-edge">
                <th scope="col" className="py-3 text-left">
                  Stars
                </th>
                {states.map((state) => (
                  <th key={state} scope="col" className="py-3 pl-3">
                    {labels[state]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {[5, 4, 3, 2, 1, null].map((stars) => {
                const row = counts.find(({ rating }) => rating === stars);
                if (!row && stars === null) return null;
                return (
                  <tr key={stars}>
                    <th scope="row" className="py-3 text-left font-medium">
                      {stars ?? "Erased"}
                    </th>
                    {states.map((state) => (
                      <td key={state} className="py-3 pl-3">
                        {row?.[state] ?? 0}
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
          <p className="mt-4 max-w-3xl text-sm text-muted">
            Samples are not counted. The file has every decision since the first one, with the
            reason and the text.
          </p>
        </PageFrame>
      )}
    </PageData>
  );
}
