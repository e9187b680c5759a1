import { useEffect, useRef } from "react";
import { useSite } from "../../config/use-site.ts";
import { Button } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { focusHeading } from "../manage-frame.tsx";
import { describeChanges } from "./describe-changes.ts";
import type { SectionDraft } from "./use-section-draft.ts";

/** Lets the owner choose a version after another window changed the draft. */
export function Conflict({ draft }: { draft: SectionDraft }) {
  const { section, session, start } = draft;
  const { document, other } = draft.state;
  const { timeZone } = useSite().contact;
  const panel = useRef<HTMLDivElement>(null);
  const differences = describeChanges(section, document, other?.document ?? start);

  function choose(end: () => void) {
    end();
    // Moves the focus, because the pressed button is removed.
    focusHeading();
  }

  useEffect(() => {
    panel.current?.scrollIntoView({ block: "center" });
  }, []);

  return (
    <div ref={panel} role="alert" className="mb-10 rounded-lg bg-clay-soft p-5">
      <h2 className="text-xl">
        {other ? "Another window changed this section" : "The draft is gone"}
      </h2>
      <p className="mt-2">
        {other
          ? `It was saved there ${formatMoment(other.savedAt, timeZone)}. Yours is still in this form and is not saved.`
          : "It was published or discarded in another window. Yours is still in this form and is not saved."}
      </p>
      {differences.length > 0 && (
        <>
          <p className="mt-3 font-semibold">From yours to the other version:</p>
          <ul className="mt-1 list-disc space-y-1 pl-5">
            {differences.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button onClick={() => choose(draft.takeOther)}>
          {other ? "Use the other version" : "Show what is published"}
        </Button>
        <Button look="danger" onClick={() => choose(() => session.keepMine())}>
          {other ? "Replace it with mine" : "Save mine as a new draft"}
        </Button>
      </div>
    </div>
  );
}
