import { useEffect, useRef } from "react";
import type { SectionName } from "../../config/site-schema.ts";
import { Button } from "../button.tsx";
import { focusHeading } from "../manage-frame.tsx";
import { FieldConflicts } from "../merge/field-conflicts.tsx";
import type { Side } from "../merge/merge-documents.ts";
import { describeChanges } from "./describe-changes.ts";
import { fieldAt } from "./fields.ts";
import type { SectionDraft } from "./use-section-draft.ts";

export function Conflict({ draft }: { draft: SectionDraft }) {
  const { section, session } = draft;
  const { conflicts } = draft.state;
  const panel = useRef<HTMLDivElement>(null);

  function choose(path: string, side: Side) {
    session.choose(path, side);
    // Moves the focus, because the pressed button is removed.
    if (conflicts.length > 1) panel.current?.focus();
    else focusHeading();
  }

  useEffect(() => {
    panel.current?.scrollIntoView({ block: "center" });
  }, []);

  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby="conflict"
      className="mb-10 rounded-lg bg-clay-soft p-5 outline-none"
    >
      <div role="alert">
        <h2 id="conflict" className="text-xl">
          Another window changed this as well
        </h2>
        <p className="mt-2">Choose what counts. Until then, nothing more is saved.</p>
      </div>
      <FieldConflicts
        conflicts={conflicts}
        nameOf={(path) => fieldAt(section, path)?.name ?? path}
        textOf={(value, path) => textOf(section, path, value)}
        onChoose={choose}
      />
    </section>
  );
}

export function FollowedChanges({ draft }: { draft: SectionDraft }) {
  const { section, session, state } = draft;
  const changes = state.followed.flatMap(({ before, after }) =>
    describeChanges(section, before, after),
  );
  return (
    <div role="status">
      {changes.length > 0 && (
        <div className="mb-10 rounded-lg bg-sage p-5">
          <h2 className="text-xl">Changed in another window</h2>
          <ul className="mt-2 list-disc space-y-1 pl-5 wrap-anywhere">
            {changes.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <Button
            className="mt-4"
            onClick={() => {
              session.dismissFollowed();
              focusHeading();
            }}
          >
            OK
          </Button>
        </div>
      )}
    </div>
  );
}

function textOf(section: SectionName, path: string, value: unknown): string {
  if (value === undefined) return "Removed";
  if (value === null || value === "") return "Empty";
  if (typeof value === "boolean" || typeof value === "string") {
    const chosen = fieldAt(section, path)?.choices?.[String(value)];
    return chosen ?? (value === true ? "On" : value === false ? "Off" : value);
  }
  if (typeof value !== "object") return String(value);
  const parts = Object.values(value).filter((part) => part !== "" && part !== null);
  return parts.map((part) => textOf(section, path, part)).join("\n") || "Empty";
}
