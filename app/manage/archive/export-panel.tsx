import { Download } from "lucide";
import { type FormEvent, useEffect, useState } from "react";
import { useSite } from "../../config/use-site.ts";
import { fieldText } from "../../forms/use-form-submit.ts";
import { loadModule } from "../../loading/load-module.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { download } from "../csv-export.tsx";
import { dateAndTimeOf, startOfDay } from "../posts/zoned-time.ts";

/** Writes a period to a file, with progress. Leaving the page ends it. */
export function ExportPanel({ began }: { began: string }) {
  const { timeZone } = useSite().contact;
  const dayOf = (iso: string) => dateAndTimeOf(iso, timeZone).date;
  const [message, setMessage] = useState("");
  const [running, setRunning] = useState<AbortController>();
  useEffect(() => () => running?.abort(), [running]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (running) {
      setMessage("Cancelled. Nothing was saved.");
      return setRunning(undefined);
    }
    const form = new FormData(event.currentTarget);
    const [from, to] = [fieldText(form, "from"), fieldText(form, "to")];
    const [starts, ends] = [startOfDay(from, timeZone), startOfDay(to, timeZone, 1)];
    if (!starts || !ends || starts >= ends) return setMessage("Choose a first day and a last day.");
    // Without https, browsers compute no hashes.
    if (!window.isSecureContext) return setMessage("The export needs https. Open the site there.");
    const stop = new AbortController();
    const { signal } = stop;
    setRunning(stop);
    const report = (text: string) => signal.aborted || setMessage(text);
    report("Exporting. Keep this page open.");
    try {
      const client = await getBrowserClient();
      const { exportArchive } = await loadModule(() => import("./export-archive.ts"));
      const { file, incomplete } = await exportArchive({
        ...{ client, starts, ends, timeZone, signal },
        onProgress: (done, total) => report(`Exporting: ${done} of ${total}. Keep this page open.`),
      });
      signal.throwIfAborted();
      download(`archive-${from}-${to}.zip`, file);
      report(
        incomplete === 0
          ? "The file is complete."
          : `The file is written. Copies that are no longer kept, or not completely: ${incomplete}. Its index names them.`,
      );
    } catch (error) {
      if (!signal.aborted) console.error("The export failed", error);
      report("The export failed, so nothing was saved. Try again.");
    } finally {
      setRunning((current) => (current === stop ? undefined : current));
    }
  }

  return (
    <section aria-labelledby="export" className="mt-12 border-t border-line pt-10">
      <h2 id="export" className="text-2xl">
        Export a period
      </h2>
      <p className="mt-2 max-w-2xl text-muted">
        One zip file for an examiner: each copy of each page with its images, all changes, reviews
        and approvals as tables, and hashes with which anyone can check that nothing was changed. It
        opens in a browser without the site.
      </p>
      <form noValidate onSubmit={submit} className="mt-4 flex flex-wrap items-end gap-3">
        <TextField label="First day" type="date" name="from" defaultValue={dayOf(began)} />
        <TextField
          label="Last day"
          type="date"
          name="to"
          defaultValue={dayOf(new Date().toISOString())}
        />
        {/* One button: if it was replaced, the click that cancels could also start again. */}
        <Button type="submit" size="normal">
          {!running && <Icon drawing={Download} className="size-4" />}
          {running ? "Cancel the export" : "Export"}
        </Button>
      </form>
      <p role="status" className="mt-3 min-h-[1lh] max-w-2xl">
        {message}
      </p>
    </section>
  );
}
