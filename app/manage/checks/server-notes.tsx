import { showToast } from "../../ui/toast.ts";
import { Button } from "../button.tsx";
import { type Check, isForServer, textForServer } from "./run-checks.ts";

/** What the owner cannot fix herself, as one text to send. Nothing when there is none. */
export function ServerNotes({ checks }: { checks: readonly Check[] }) {
  const notes = checks.filter(isForServer);
  if (notes.length === 0) return null;

  async function copy() {
    try {
      await navigator.clipboard.writeText(textForServer(window.location.origin, notes));
      showToast({ tone: "success", title: "Copied", description: "Paste it into a message." });
    } catch {
      // Outside https browsers offer no clipboard.
      const description = "Select the list and copy it by keyboard instead.";
      showToast({ tone: "error", title: "Copying failed", description });
    }
  }

  return (
    <section aria-labelledby="server-title" className="mt-10">
      <h2 id="server-title" className="text-xl">
        For whoever runs your server
      </h2>
      <div className="mt-4 rounded-lg border border-line bg-surface p-4 sm:p-5">
        <p className="text-muted">
          You cannot do these in the browser. Send them to the person who installed your site.
        </p>
        <ul className="mt-3 list-disc space-y-2 pl-5 [overflow-wrap:anywhere]">
          {notes.map(({ id, text }) => (
            <li key={id}>{text}</li>
          ))}
        </ul>
        <Button className="mt-4" onClick={copy}>
          Copy as one text
        </Button>
      </div>
    </section>
  );
}
