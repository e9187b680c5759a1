// Exports of lists as CSV files, which a spreadsheet opens.
import { Download } from "lucide";
import { useState } from "react";
import { useSite } from "../config/use-site.ts";
import type { Client } from "../supabase/client-context.ts";
import { Icon } from "../ui/icon.ts";
import { MenuItem, MoreMenu } from "../ui/menu.tsx";
import { showToast } from "../ui/toast.ts";
import { Button } from "./button.tsx";
import { isoTime } from "./format-moment.ts";
import { useAction } from "./use-action.ts";

export type Columns<Row> = Record<string, (row: Row, timeZone: string) => string | null>;

interface ExportProps<Row> {
  items: [one: string, many: string];
  file: string;
  total: number;
  columns: Columns<Row>;
  read: (client: Client, first: number, count: number) => Promise<ReadRows<Row>>;
}

function useExport<Row extends { id: string | number }>(props: ExportProps<Row>) {
  const { items, file, total, columns, read } = props;
  const { timeZone } = useSite().contact;
  const { isRunning, run } = useAction();
  const [done, setDone] = useState(0);

  async function exportAll(client: Client) {
    setDone(0);
    const rows = await readAllRows((first, count) => read(client, first, count), setDone);
    const csv = new Blob([toCsv(columns, rows, timeZone)], { type: "text/csv;charset=utf-8" });
    download(csvFileName(file, timeZone), csv);
    const description = `${rows.length === 1 ? `1 ${items[0]} is` : `${rows.length} ${items[1]} are`} in the file.`;
    const title = `${items[1].replace(/^./, (first) => first.toUpperCase())} Exported`;
    showToast({ tone: "success", title, description });
  }

  return {
    isIdle: !isRunning && total > 0,
    progress: isRunning ? `Exporting ${done} of ${total}...` : "",
    start() {
      if (total === 0) return;
      void run(exportAll, null, {
        title: "Export Failed",
        description: `Could not export the ${items[1]}. Please try again.`,
      });
    },
  };
}

export function ExportButton<Row extends { id: string | number }>(
  props: ExportProps<Row> & { label: string },
) {
  const { isIdle, progress, start } = useExport(props);
  return (
    <Button
      className="aria-disabled:opacity-60"
      // A disabled button would lose the keyboard focus.
      aria-disabled={!isIdle}
      onClick={start}
    >
      <Icon drawing={Download} className="size-4" />
      <span>{progress || props.label}</span>
    </Button>
  );
}

/** The '⋯' menu of a list, which exports it as CSV. */
export function ExportMenu<Row extends { id: string | number }>(props: ExportProps<Row>) {
  const { isIdle, progress, start } = useExport(props);
  return (
    <div className="flex items-center gap-2">
      <p className="text-sm text-muted empty:hidden">{progress}</p>
      <MoreMenu of={`the ${props.items[1]}`}>
        <MenuItem disabled={!isIdle} onClick={start}>
          Export as CSV
        </MenuItem>
      </MoreMenu>
    </div>
  );
}

export function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers start the download after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

interface ReadRows<Row> {
  rows: readonly Row[];
  /** Of all pages. */
  total: number;
}

/** The maximum number of rows that the database returns. */
const rowsPerRead = 200;

/**
 * Reads all rows, page by page.
 * @throws what `read` throws, or an Error when rows were added or removed meanwhile, because that shifts the pages
 */
export async function readAllRows<Row extends { id: string | number }>(
  read: (first: number, count: number) => Promise<ReadRows<Row>>,
  onProgress: (done: number, total: number) => void,
): Promise<Row[]> {
  const all = new Map<Row["id"], Row>();
  const totals = new Set<number>();
  for (let first = 0; ; first += rowsPerRead) {
    const { rows, total } = await read(first, rowsPerRead);
    for (const row of rows) all.set(row.id, row);
    totals.add(total);
    onProgress(all.size, total);
    if (rows.length < rowsPerRead) break;
  }
  // After a deletion, a page is shifted and lacks a row although the total is right.
  if (totals.size !== 1 || !totals.has(all.size)) {
    throw new Error("The rows changed during the export.");
  }
  return [...all.values()];
}

/**
 * Writes RFC 4180 with a byte order mark, without which Excel does not read UTF-8.
 * @param isFirst whether the file begins with these rows, with headings
 */
export function toCsv<Row>(
  columns: Columns<Row>,
  rows: readonly Row[],
  timeZone: string,
  isFirst = true,
): string {
  const lines = rows.map((row) =>
    Object.values(columns).map((column) => column(row, timeZone) ?? ""),
  );
  if (isFirst) lines.unshift(Object.keys(columns));
  const csv = lines.map((line) => `${line.map(cell).join()}\r\n`).join("");
  return isFirst ? `\uFEFF${csv}` : csv;
}

/**
 * Matches where a spreadsheet could find a formula: at a sign that starts the value or follows a separator or line break,
 * because not every spreadsheet splits the file only at its commas and quotes.
 */
const formulaStart = /(?:^|[,;|\t\r\n])[\s"]*(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

/** Quotes a value. An apostrophe keeps spreadsheets from running a visitor's text as a formula. */
function cell(value: string): string {
  const text = value.replace(formulaStart, "$&'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `messages-unread-2026-11-22.csv`, with the day in the site's time zone. */
export function csvFileName(name: string, timeZone: string, now = new Date()): string {
  return `${name}-${isoTime(now.toISOString(), timeZone).slice(0, 10)}.csv`;
}
