import { Download } from "lucide";
import { type FormEvent, useEffect, useRef, useState } from "react";
import appStyles from "../../app.css?url";
import { useSite } from "../../config/use-site.ts";
import { loadModule } from "../../loading/load-module.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { download } from "../csv-export.tsx";
import { isOffline } from "../describe-failure.ts";
import { dateAndTimeOf, startOfDay } from "../posts/zoned-time.ts";
import { readSummary, type Summary } from "./archive.ts";

type Status =
  | { state: "idle" }
  | { state: "running"; done: number; total: number }
  | { state: "done"; missing: number }
  | { state: "failed"; reason: string };

/** Writes a period to a file, with progress. */
export function ExportPanel({ summary }: { summary: Summary }) {
  const { timeZone } = useSite().contact;
  const dayOf = (iso: string) => dateAndTimeOf(iso, timeZone).date;
  const [from, setFrom] = useState(() => dayOf(summary.first_at ?? new Date().toISOString()));
  const [to, setTo] = useState(() => dayOf(new Date().toISOString()));
  const [status, setStatus] = useState<Status>({ state: "idle" });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const isRunning = status.state === "running";

  async function submit(event: FormEvent) {
    event.preventDefault();
    const [starts, ends] = [startOfDay(from, timeZone), startOfDay(to, timeZone, 1)];
    if (!starts || !ends || starts >= ends) {
      return setStatus({ state: "failed", reason: "Choose a first day and a last day." });
    }
    if (!globalThis.crypto?.subtle) {
      return setStatus({ state: "failed", reason: "The export needs https: open the site there." });
    }
    const stop = new AbortController();
    running.current = stop;
    const name = `archive-${from}-${to}.zip`;
    try {
      const file = await openFile(name);
      setStatus({ state: "running", done: 0, total: summary.last_number ?? 0 });
      const client = await getBrowserClient();
      const now = await readSummary(client);
      const total = now.last_number ?? 0;
      const { exportArchive } = await loadModule(() => import("./export-archive.ts"));
      const { missing } = await exportArchive({
        ...{
          client,
          summary: now,
          timeZone,
          stylesheet: new URL(appStyles, window.location.href).href,
          signal: stop.signal,
        },
        ...{ starts, ends, target: file.target },
        onProgress: (done) => setStatus({ state: "running", done, total }),
      });
      await file.save();
      setStatus({ state: "done", missing: missing.length });
    } catch (error) {
      if (stop.signal.aborted) {
        return setStatus({ state: "failed", reason: "Cancelled. Nothing was saved." });
      }
      // The owner closed the dialog for the file.
      if (isAbort(error)) return setStatus({ state: "idle" });
      console.error("The export failed", error);
      const reason = isOffline(error)
        ? "The connection was interrupted, so the file is incomplete and was not saved. Export again when you are online."
        : "The file is incomplete and was not saved. Try again.";
      setStatus({ state: "failed", reason });
    }
  }

  return (
    <section aria-labelledby="export" className="mt-12 border-t border-line pt-10">
      <h2 id="export" className="text-2xl">
        Export a period
      </h2>
      <p className="mt-2 max-w-2xl text-muted">
        One zip file for an examiner: each version of the pages with its images, testimonials,
        decisions and approvals as tables, and a list of hashes. It opens in a browser without the
        site.
      </p>
      <form noValidate onSubmit={submit} className="mt-4 flex flex-wrap items-end gap-3">
        <TextField
          label="First day"
          type="date"
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <TextField
          label="Last day"
          type="date"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
        {isRunning ? (
          <Button onClick={() => running.current?.abort()}>Cancel the export</Button>
        ) : (
          <Button type="submit">
            <Icon drawing={Download} className="size-4" />
            Export
          </Button>
        )}
      </form>
      <p role="status" className="mt-3 min-h-[1lh] max-w-2xl">
        {textOf(status)}
      </p>
      {/* Not announced with each entry. */}
      {status.state === "running" && (
        <p className="tabular-nums">
          {status.done.toLocaleString("en-US")} of {status.total.toLocaleString("en-US")} entries
        </p>
      )}
    </section>
  );
}

function textOf(status: Status): string {
  if (status.state === "running") return "Exporting. Keep this page open.";
  if (status.state === "failed") return status.reason;
  if (status.state === "idle") return "";
  const { missing } = status;
  return missing === 0
    ? "The file is complete."
    : `The file is written. ${missing === 1 ? "1 image" : `${missing} images`} could not be read; its index names them.`;
}

interface TargetFile {
  target: WritableStream<Uint8Array>;
  save: () => Promise<void>;
}

/** A file that the owner chooses, written in pieces; in other browsers, a download at the end. */
async function openFile(name: string): Promise<TargetFile> {
  const { showSaveFilePicker } = window;
  if (showSaveFilePicker) {
    const handle = await showSaveFilePicker({ suggestedName: name });
    // Closing it saves the file.
    return { target: await handle.createWritable(), save: async () => {} };
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const blob = new Response(readable).blob();
  blob.catch(() => {});
  return { target: writable, save: async () => download(name, await blob) };
}

// Chromium's, which TypeScript does not declare.
declare global {
  interface Window {
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
