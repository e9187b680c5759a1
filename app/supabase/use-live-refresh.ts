import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { type LiveTable, subscribeToChanges } from "./live.ts";

/** Fetches the page's data again when one of the tables changes, wherever the change was made. */
export function useLiveRefresh(...tables: LiveTable[]): void {
  const { revalidate } = useRevalidator();
  const refresh = useRef(revalidate);
  refresh.current = revalidate;
  const names = tables.join();

  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    // Both tables speak up when the page becomes visible or is connected again: that is one refresh.
    function refreshSoon() {
      clearTimeout(due);
      due = setTimeout(() => refresh.current(), 50);
    }
    const ends = (names.split(",") as LiveTable[]).map((table) =>
      subscribeToChanges(table, refreshSoon),
    );
    return () => {
      clearTimeout(due);
      for (const end of ends) end();
    };
  }, [names]);
}
