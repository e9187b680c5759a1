import { Download } from "lucide";
import { type FormEvent, useState } from "react";
import { useSite } from "../../config/use-site.ts";
import { fieldText } from "../../forms/field-text.ts";
import { loadModule } from "../../loading/load-module.ts";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { download } from "../csv-export.tsx";
import { Section } from "../page-parts.tsx";
import { dateAndTimeOf, startOfDay } from "../posts/zoned-time.ts";
import { useAction } from "../use-action.ts";

/** Exports a period as a file. The export goes on when the owner opens another page. */
export function ExportPanel({ began }: { began: string }) {
  const { timeZone } = useSite().contact;
  const { isRunning, run } = useAction();
  const [progress, setProgress] = useState("");
  const [message, setMessage] = useState("");
  const dayOf = (iso: string) => dateAndTimeOf(iso, timeZone).date;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [from, to] = [fieldText(form, "from"), fieldText(form, "to")];
    const [starts, ends] = [startOfDay(from, timeZone), startOfDay(to, timeZone, 1)];
    if (!starts || !ends || starts >= ends) return setMessage("Choose a first day and a last day.");
    // Without https, browsers compute no hashes.
    if (!window.isSecureContext)
      return setMessage(
        "Open the site at its address with https:// first. The export does not work without.",
      );
    run(
      async (client) => {
        setMessage("");
        setProgress("Exporting...");
        const { exportArchive } = await loadModule(() => import("./export-archive.ts"));
        const onProgress = (done: number, total: number) =>
          setProgress(`Exporting ${done} of ${total}...`);
        const options = { client, starts, ends, timeZone, onProgress };
        const { file, incomplete } = await exportArchive(options);
        download(`archive-${from}-${to}.zip`, file);
        setMessage(
          incomplete === 0
            ? "The file is complete."
            : `${incomplete === 1 ? "1 copy is" : `${incomplete} copies are`} missing or incomplete, because the archive no longer keeps everything of that time. The list in the file says which.`,
        );
      },
      null,
      {
        title: "Export Failed",
        description: "The export failed, so nothing was saved. Please try again.",
      },
    );
  }

  return (
    <Section
      title="Export a period"
      className="mt-6 rounded-lg border border-line bg-surface p-5 shadow-card"
      headingClass="text-lg"
    >
      <p className="mt-1 max-w-2xl text-sm text-muted">
        One zip file for an examiner: each copy of each page with its images and with who published
        and approved it, and all changes, testimonials, decisions and consents as tables. It opens
        in a browser without the site, and anyone can check that nothing in it was changed.
      </p>
      <form noValidate onSubmit={submit} className="mt-4 flex flex-wrap items-end gap-3">
        <TextField label="First day" type="date" name="from" defaultValue={dayOf(began)} />
        <TextField
          label="Last day"
          type="date"
          name="to"
          defaultValue={dayOf(new Date().toISOString())}
        />
        <Button type="submit" size="normal" aria-disabled={isRunning}>
          <Icon drawing={Download} className="size-4" />
          <span>{isRunning ? progress : "Export"}</span>
        </Button>
      </form>
      <p role="status" className="mt-3 min-h-[1lh] max-w-2xl">
        {message}
      </p>
    </Section>
  );
}
