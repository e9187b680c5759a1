import { useState } from "react";
import { messageOf } from "../../supabase/functions/_shared/message-of.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import type { Client } from "../supabase/client-context.ts";
import { type Notice, showToast } from "../ui/toast.ts";

/** Runs one action at a time and shows its outcome as a toast. `failure` stays until the next one. */
export function useAction() {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<string>();

  /**
   * @param success the toast after success; null shows none
   * @param failed the toast after a failure; without a description, it shows the error's own message
   */
  async function run(
    act: (client: Client) => Promise<unknown>,
    success: Notice | null,
    failed: Pick<Notice, "title"> & { description?: string },
  ): Promise<void> {
    if (isRunning) return;
    setRunning(true);
    setFailure(undefined);
    try {
      await act(await getBrowserClient());
      if (success) showToast({ tone: "success", ...success });
    } catch (error) {
      // Logged, because the toast does not show the reason.
      if (failed.description) console.error(failed.title, error);
      const { title, description = messageOf(error) || "Please try again." } = failed;
      setFailure(`${title}. ${description}`);
      showToast({ tone: "error", title, description });
    } finally {
      setRunning(false);
    }
  }

  return { isRunning, failure, run };
}
