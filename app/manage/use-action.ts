import { useState } from "react";
import { messageOf } from "../forms/use-form-submit.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import type { Client } from "../supabase/client-context.ts";
import { showToast, type ToastContent } from "../ui/toast.ts";

type Notice = Omit<ToastContent, "tone">;

/** Runs one action at a time and shows its outcome as a toast. */
export function useAction() {
  const [isRunning, setRunning] = useState(false);

  /**
   * @param success the toast after success; null shows none
   * @param failure the toast after a failure; without a description, it shows the error's own message
   */
  async function run(
    act: (client: Client) => Promise<unknown>,
    success: Notice | null,
    failure: Pick<Notice, "title"> & { description?: string },
  ): Promise<void> {
    if (isRunning) return;
    setRunning(true);
    try {
      await act(await getBrowserClient());
      if (success) showToast({ tone: "success", ...success });
    } catch (error) {
      // Logged, because the toast does not show the reason.
      if (failure.description) console.error(failure.title, error);
      const description = messageOf(error) || "Please try again.";
      showToast({ tone: "error", description, ...failure });
    } finally {
      setRunning(false);
    }
  }

  return { isRunning, run };
}
