import { useEffect } from "react";
import { useLocation, useMatches } from "react-router";
import { useSite } from "../config/use-site.ts";
import { mayHaveSession } from "../supabase/browser-client.ts";

/**
 * Reports to the site (server/visits/) that a page is shown or a calculator is used. Signed-in people are not counted.
 * @param query says which of the two, and where the visitor comes from
 */
export function reportVisit(query: string): void {
  if (mayHaveSession() || !navigator.onLine) return;
  // The time makes each address new, so that no cache answers in place of the site.
  const address = `${location.pathname}?${query}&at=${Date.now()}`;
  fetch(address, { method: "HEAD", keepalive: true }).catch(() => {});
}

/** The referrer of the next report: undefined before the first page, then `/`, which stands for this site. */
let from: string | undefined;

/** Reports each page when it becomes visible. A prerendered page, or one in a background tab, may never do so. */
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

/** Whether the document was opened before, by a reload or Back. Its referrer then is the one of the first time. */
function isReload(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return (navigation as PerformanceNavigationTiming | undefined)?.type !== "navigate";
}
