import { useEffect, useState, useSyncExternalStore } from "react";
import type { DraftSession } from "./draft-session.ts";

/**
 * The session of a draft while its form is shown. Saves at once when the connection returns and when the page is hidden.
 * @param open called once
 */
export function useDraftSession<Document>(open: () => DraftSession<Document>) {
  const [session] = useState(open);
  const state = useSyncExternalStore(session.subscribe, session.getState);

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const save = () => void session.flush();
    const onHidden = () => document.visibilityState === "hidden" && save();
    window.addEventListener("online", save, { signal });
    window.addEventListener("pagehide", save, { signal });
    document.addEventListener("visibilitychange", onHidden, { signal });
    return () => {
      listening.abort();
      session.close();
    };
  }, [session]);

  return { session, state };
}
