import { ChevronDown } from "lucide";
import { Icon } from "../../ui/icon.ts";
import { CopyButton } from "../button.tsx";
import { type Check, isForServer, textForServer } from "./run-checks.ts";

/** What the owner cannot do herself: one line, and behind it one text to send. Nothing when there is none. */
export function ServerNotes({ checks }: { checks: readonly Check[] }) {
  const notes = checks.filter(isForServer);
  if (notes.length === 0) return null;
  const things = notes.length === 1 ? "1 thing" : `${notes.length} things`;
  return (
    <details className="group mt-10 rounded-lg border border-line bg-surface">
      <summary className="flex min-h-12 items-center gap-3 px-4 py-2 text-sm text-muted hover:text-ink focus-visible:-outline-offset-3 sm:px-5">
        <Icon
          drawing={ChevronDown}
          className="size-5 shrink-0 -rotate-90 transition-transform group-open:rotate-0"
        />
        <span>{`${things} for the person who runs your server`}</span>
      </summary>
      <div className="border-t border-line p-4 sm:px-5">
        <p className="text-sm text-muted">
          They cannot be done in the browser. Send them to the person who installed your site.
        </p>
        <ul className="mt-3 list-disc space-y-1.5 pl-5 text-sm wrap-anywhere">
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
    </details>
  );
}
