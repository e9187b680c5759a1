import { CopyButton } from "../button.tsx";
import { Section } from "../page-parts.tsx";
import { type Check, isForServer, textForServer } from "./run-checks.ts";

/** What the owner cannot fix herself, as one text to send. Nothing when there is none. */
export function ServerNotes({ checks }: { checks: readonly Check[] }) {
  const notes = checks.filter(isForServer);
  if (notes.length === 0) return null;

  return (
    <Section title="For whoever runs your server" className="mt-10">
      <div className="mt-4 rounded-lg border border-line bg-surface p-4 sm:p-5">
        <p className="text-muted">
          You cannot do these in the browser. Send them to the person who installed your site.
        </p>
        <ul className="mt-3 list-disc space-y-2 pl-5 wrap-anywhere">
          {notes.map(({ id, text }) => (
            <li key={id}>{text}</li>
          ))}
        </ul>
        <CopyButton
          className="mt-4"
          text={textForServer(window.location.origin, notes)}
          copied="Copied"
          advice="Select the list and copy it by keyboard instead."
        >
          Copy as one text
        </CopyButton>
      </div>
    </Section>
  );
}
