import { useEffect } from "react";
import { useLocation, useMatches } from "react-router";
import { useSite } from "../config/use-site.ts";
import { mayHaveSession } from "../supabase/browser-client.ts";

/**
 * Reports to the site (server/visits/) that a page is shown, a calculator is used, or a link to talk to the adviser is
 * clicked. Signed-in people are not counted.
 * @param query says which of them, and where the visitor comes from
 */
export function reportVisit(query: string): void {
  if (mayHaveSession() || !navigator.onLine) return;
  // The time makes each address new, so that no cache answers in place of the site.
  const address = `${location.pathname}?${query}&at=${Date.now()}`;
  fetch(address, { method: "HEAD", keepalive: true }).catch(() => {});
}

/** The pages that this tab has shown since it was loaded, at most two, the current one last. */
let shown: string[] = [];

/** The current page, or the one before it if this is a certain page. */
export function pageBefore(page: string): string {
  const [before = page, current = before] = shown;
  return current === page ? before : current;
}

/** The referrer of the next report: undefined before the first page, then `/`, which stands for this site. */
let from: string | undefined;

const notFound = "layout/not-found-page";

/** Reports each page when it becomes visible. A prerendered page, or one in a background tab, may never do so. */
export function useVisitCount(): void {
  const { countsVisits } = useSite();
  const { pathname } = useLocation();
  const page = useMatches().at(-1);
  // An address that no page of the owner's own has is that route without data (own-page.tsx).
  const exists = page?.id === "pages/own-page" ? page.loaderData !== null : page?.id !== notFound;
  useEffect(() => {
    shown = [...shown.slice(-1), pathname];
  }, [pathname]);
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
  useEffect(() => {
    if (!countsVisits) return;
    const onClick = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest("a") : null;
      const action = link && actionOf(link);
      if (action) reportVisit(`did=${action}`);
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, [countsVisits]);
}

/** What a click on a link may lead to; null for other links. Without a scheduling page, consultation links stay on the site. */
function actionOf({ href, target, dataset }: HTMLAnchorElement): string | null {
  if (href.startsWith("tel:")) return "phone";
  // A link that shares a page names no recipient.
  if (/^mailto:[^?]/.test(href)) return "mail";
  return target && "consultation" in dataset ? "book" : null;
}

/** Whether the document was opened before, by a reload or Back. Its referrer then is the one of the first time. */
function isReload(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  // The entries of this type are of this class.
  return (navigation as PerformanceNavigationTiming | undefined)?.type !== "navigate";
}
