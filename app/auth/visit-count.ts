import { useEffect } from "react";
import { useLocation, useMatches } from "react-router";
import { useSite } from "../config/use-site.ts";
import { mayHaveSession } from "../supabase/browser-client.ts";

/** Reports what a visitor does on the open page to the site (server/visits/). Whoever is signed in is no visitor. */
export function reportVisit(query: string): void {
  if (mayHaveSession() || !navigator.onLine) return;
  // The time keeps caches from answering.
  const address = `${location.pathname}?${query}&at=${Date.now()}`;
  fetch(address, { method: "HEAD", keepalive: true }).catch(() => {});
}

/** Where the visitor of the next page comes from: `/` within the site, undefined at first. */
let from: string | undefined;

/** Reports each page once it is visible: one that is prerendered, or in another tab, may never be. */
export function useVisitCount(): void {
  const { countsVisits } = useSite();
  const { pathname } = useLocation();
  const exists = useMatches().at(-1)?.id !== "layout/not-found-page";
  // biome-ignore lint/correctness/useExhaustiveDependencies: each path is a page.
  useEffect(() => {
    function report() {
      if (document.hidden) return;
      stop();
      from ??= isReload() ? "/" : document.referrer;
      reportVisit(`from=${encodeURIComponent(from)}`);
      from = "/";
    }
    const stop = () => document.removeEventListener("visibilitychange", report);
    if (!countsVisits || !exists) return;
    document.addEventListener("visibilitychange", report);
    report();
    return stop;
  }, [pathname, exists, countsVisits]);
}

/** Whether the document was opened before: its referrer is that of the first time. */
function isReload(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return (navigation as PerformanceNavigationTiming | undefined)?.type !== "navigate";
}
