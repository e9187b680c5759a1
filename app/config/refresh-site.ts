// Updates open windows after settings are published. A page with a Realtime connection receives the change and tells the
// other windows of this browser. All others compare the version when the visitor opens another page or returns, which costs less
// than a connection.
import { useEffect, useRef } from "react";
import { useLocation, useRevalidator } from "react-router";
import { openChannel } from "../browser/site-data.ts";

const requested = "site:refresh";

let isOutdated = false;

/** Makes the root route reload the settings when there is a newer version. */
export function refreshSite(): void {
  window.dispatchEvent(new Event(requested));
}

/** Whether the next revalidation loads the settings again. */
export function setSiteOutdated(outdated: boolean): void {
  isOutdated = outdated;
}

/** For the root route's `shouldRevalidate`, which the router may call more than once. */
export function isSiteOutdated(): boolean {
  return isOutdated;
}

/** @param version of the settings that the page shows */
export function useSiteRefresh(version: number): void {
  const { revalidate } = useRevalidator();
  const { pathname } = useLocation();
  const comparedOn = useRef(pathname);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const windows = openChannel("site-version");
    windows?.postMessage(version);
    windows?.addEventListener("message", ({ data }) => data > version && load());
    function load() {
      isOutdated = true;
      return revalidate();
    }
    async function compare() {
      if (document.visibilityState === "hidden" || !navigator.onLine) return;
      try {
        const response = await fetch("/site-version", { cache: "no-store", signal });
        if (!response.ok || Number(await response.text()) === version) return;
      } catch {
        // A failure is ignored, because the next comparison tries again.
        return;
      }
      await load();
    }
    window.addEventListener(requested, compare, { signal });
    document.addEventListener("visibilitychange", compare, { signal });
    window.addEventListener("focus", compare, { signal });
    return () => {
      stop.abort();
      windows?.close();
    };
  }, [version, revalidate]);
  useEffect(() => {
    // The first page came from the server.
    if (comparedOn.current !== pathname) refreshSite();
    comparedOn.current = pathname;
  }, [pathname]);
}
