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
    const ends = (names.split(",") as LiveTable[]).map((table) =>
      subscribeToChanges(table, () => refresh.current()),
    );
    return () => {
      for (const end of ends) end();
    };
  }, [names]);
}
