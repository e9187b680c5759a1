import { Download } from "lucide";
import { useState } from "react";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { Icon } from "../../ui/icon.ts";
import { showToast } from "../../ui/toast.ts";
import { Button } from "../button.tsx";
import { useAction } from "../use-action.ts";
import type { MessageSearch } from "./message-search.ts";
import { searchMessages } from "./messages.ts";
import { csvFileName, readAllMessages, toCsv } from "./messages-csv.ts";

/** Downloads all messages of the search as a CSV file. */
export function ExportButton({ search, total }: { search: MessageSearch; total: number }) {
  const { timeZone } = useSite().contact;
  const { isRunning, run } = useAction();
  const [done, setDone] = useState(0);

  async function exportAll(client: Client) {
    setDone(0);
    const messages = await readAllMessages(
      (first, count) => searchMessages(client, search, first, count),
      search.filter,
      setDone,
    );
    download(csvFileName(search.filter, timeZone), toCsv(messages, timeZone));
    const what = messages.length === 1 ? "1 message is" : `${messages.length} messages are`;
    showToast({
      tone: "success",
      title: "Messages Exported",
      description: `${what} in the file.`,
    });
  }

  return (
    <Button
      className="aria-disabled:opacity-60"
      // A disabled button would lose the keyboard focus.
      aria-disabled={isRunning || total === 0}
      onClick={() =>
        total > 0 &&
        run(exportAll, null, {
          title: "Export Failed",
          description: "Could not export the messages. Please try again.",
        })
      }
    >
      <Icon drawing={Download} className="size-4" />
      {isRunning ? `Exporting ${done} of ${total}...` : "Export as CSV"}
    </Button>
  );
}

function download(name: string, csv: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers start the download after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
