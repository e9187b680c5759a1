import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Scrolls to the top on every path change and to the element that a hash names (section 2). The
 * hash wins over the top. A link to the page that is open scrolls to its top. The focus moves with the
 * scroll position. The first view is left to the browser unless it has a hash.
 */
export function useScrollBehavior(): void {
  const { pathname, search, hash, key } = useLocation();
  // Another page of a list is another place to be read from its top.
  const path = pathname + search;
  const previousPath = useRef<string>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: key repeats the scroll when the same hash is followed again.
  useEffect(() => {
    const pathChanged = previousPath.current !== undefined && previousPath.current !== path;
    previousPath.current = path;
    const target = hash && document.getElementById(decodeHash(hash));
    if (target) {
      focusOn(target);
      target.scrollIntoView({ behavior: motionAllowed() ? "smooth" : "auto" });
    } else if (pathChanged) {
      goToTop("auto");
    }
    if (!pathChanged) return;
    if (motionAllowed()) settleIn();
    if (target) return;
    // A browser that goes back puts the page where it was last, now and then only after this.
    const frame = requestAnimationFrame(() => window.scrollTo(0, 0));
    return () => cancelAnimationFrame(frame);
  }, [path, hash, key]);

  useEffect(() => {
    // On the click: the new location is not rendered before the page's data have been loaded again.
    function followLinkToOpenPage({ target, defaultPrevented }: MouseEvent) {
      const link = target instanceof Element ? target.closest("a") : null;
      // The router prevents the default of the links that it follows itself.
      if (!link || !defaultPrevented || link.hash) return;
      const { origin, pathname, search } = window.location;
      if (link.href === origin + pathname + search) goToTop(motionAllowed() ? "smooth" : "auto");
    }
    window.addEventListener("click", followLinkToOpenPage);
    return () => window.removeEventListener("click", followLinkToOpenPage);
  }, []);
}

function goToTop(behavior: ScrollBehavior): void {
  document.getElementById("content")?.focus({ preventScroll: true });
  window.scrollTo({ top: 0, behavior });
}

/** A hash comes from anyone: `#%` is not decodable and names nothing. */
function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

/** A section takes the focus only for this: a press inside of it must not bring it back. */
function focusOn(target: HTMLElement): void {
  if (!target.hasAttribute("tabindex")) {
    target.tabIndex = -1;
    target.addEventListener("blur", () => target.removeAttribute("tabindex"), { once: true });
  }
  target.focus({ preventScroll: true });
}

/** The next page comes up in place of the last one. */
function settleIn(): void {
  document
    .getElementById("content")
    ?.animate(
      { opacity: [0, 1], transform: ["translateY(0.5rem)", "none"] },
      { duration: 220, easing: "ease-out" },
    );
}

function motionAllowed(): boolean {
  return !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
