import { useEffect, useRef } from "react";
import { Button } from "../button.tsx";
import { focusHeading } from "../manage-frame.tsx";
import type { Difference, DocumentFormat } from "./document-format.ts";
import type { DraftSession, DraftState } from "./draft-session.ts";
import { FieldConflicts } from "./field-conflicts.tsx";
import type { Side } from "./merge-documents.ts";

interface Followed<Document> {
  state: DraftState<Document>;
  format: DocumentFormat<Document>;
}

interface OtherWindowsProps<Document> extends Followed<Document> {
  session: DraftSession<Document>;
}

/** What other windows did to the draft: the changes that were taken over, and those between which the owner must choose. */
export function OtherWindows<Document>(props: OtherWindowsProps<Document>) {
  return (
    <>
      <FollowedChanges {...props} />
      {props.state.status === "conflict" && <Conflict {...props} />}
    </>
  );
}

function Conflict<Document>({ session, state, format }: OtherWindowsProps<Document>) {
  const { conflicts } = state;
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
      className="my-6 rounded-lg bg-clay-soft p-5 outline-none"
    >
      <div role="alert">
        <h2 id="conflict" className="text-xl">
          Another window changed this as well
        </h2>
        <p className="mt-2">Choose what counts. Until then, nothing more is saved.</p>
      </div>
      <FieldConflicts
        conflicts={conflicts}
        nameOf={format.nameOf}
        textOf={(value, path) => (value === undefined ? "Removed" : format.textOf(value, path))}
        onChoose={choose}
      />
    </section>
  );
}

/** What other windows changed that nobody has confirmed here. */
function followedChanges<Document>({ state, format }: Followed<Document>): Difference[] {
  return state.followed.flatMap(({ before, after }) => format.compare(before, after));
}

export function FollowedList<Document>(props: Followed<Document>) {
  return (
    <ul className="mt-2 list-disc space-y-1 pl-5 wrap-anywhere">
      {followedChanges(props).map(({ name, summary }) => (
        <li key={`${name} ${summary}`}>{`${name}: ${summary}`}</li>
      ))}
    </ul>
  );
}

function FollowedChanges<Document>(props: OtherWindowsProps<Document>) {
  const { session } = props;
  return (
    <div role="status">
      {followedChanges(props).length > 0 && (
        <div className="my-6 rounded-lg bg-sage p-5">
          <h2 className="text-xl">Changed in another window</h2>
          <FollowedList {...props} />
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
