// Client-side navigation has to do what a browser does for a new document.
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router";

/**
 * Scrolls to the element with the id of the hash, also when it arrives with the page's data, or to the top when the path has
 * changed. A link to the current page scrolls to its top. The focus moves along. On the first page, only a hash scrolls.
 * A search or a filter keeps scroll position and focus: it navigates to another query of the same path with the state
 * `staysInPlace`. So does Back from there.
 */
export function useScrollBehavior(): void {
  const { pathname, search, hash, key, state } = useLocation();
  // The query is included, because each page of a list starts at its top.
  const path = pathname + search;
  const previousPath = useRef<string>(undefined);
  const isBack = useNavigationType() === "POP";
  const stayed = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key scrolls again for the same hash.
  useEffect(() => {
    const previous = previousPath.current;
    const staysInPlace =
      (state?.staysInPlace || (isBack && stayed.current)) && previous?.split("?")[0] === pathname;
    stayed.current = state?.staysInPlace;
    const pathChanged = previous !== undefined && previous !== path && !staysInPlace;
    previousPath.current = path;
    const target = findTarget(hash);
    // Else the sections above the target would get their height while the page scrolls (app.css).
    if (previous !== undefined) document.documentElement.dataset.layout = "complete";
    if (target) goTo(target);
    else if (pathChanged) goToTop("auto");
    if (pathChanged && motionAllowed()) animateContent();
    if (target) return;
    // After Back, some browsers restore the scroll position only now.
    const frame = pathChanged ? requestAnimationFrame(() => window.scrollTo(0, 0)) : 0;
    const stopWaiting = waitForTarget(hash, (arrived) => {
      cancelAnimationFrame(frame);
      goTo(arrived);
    });
    return () => {
      cancelAnimationFrame(frame);
      stopWaiting();
    };
  }, [path, hash, key]);

  useEffect(() => {
    // On click, because the new location is rendered only after the page's data has been reloaded.
    function followLinkToOpenPage(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link) return;
      // The router calls preventDefault for links that it handles.
      if (!event.defaultPrevented) followLinkWithinPage(link, event);
      if (!event.defaultPrevented || link.hash) return;
      const { origin, pathname, search } = window.location;
      if (link.href === origin + pathname + search) goToTop(motionAllowed() ? "smooth" : "auto");
    }
    window.addEventListener("click", followLinkToOpenPage);
    return () => window.removeEventListener("click", followLinkToOpenPage);
  }, []);
}

function findTarget(hash: string): HTMLElement | null {
  return hash ? document.getElementById(decodeHash(hash)) : null;
}

/** Waits for the element of a hash until the visitor does something. @returns a function that ends it */
function waitForTarget(hash: string, onArrival: (target: HTMLElement) => void): () => void {
  const observer = new MutationObserver(() => {
    const target = findTarget(hash);
    if (!target) return;
    end();
    onArrival(target);
  });
  const inputs = ["wheel", "touchmove", "keydown", "pointerdown"];
  function end() {
    observer.disconnect();
    for (const input of inputs) window.removeEventListener(input, end);
  }
  if (hash) {
    observer.observe(document.body, { childList: true, subtree: true });
    for (const input of inputs) window.addEventListener(input, end, { passive: true });
  }
  return end;
}

function goTo(target: HTMLElement): void {
  focusOn(target);
  target.scrollIntoView({ behavior: motionAllowed() ? "smooth" : "auto" });
}

/**
 * Adds no entry to the history: the router could not return from Back to an entry that it did not add, so a form with unsaved
 * changes would be left without a question.
 */
function followLinkWithinPage(link: HTMLAnchorElement, event: MouseEvent): void {
  const isModified = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (isModified || !link.getAttribute("href")?.startsWith("#")) return;
  const target = findTarget(link.hash);
  if (!target) return;
  event.preventDefault();
  focusOn(target);
  target.scrollIntoView();
}

function goToTop(behavior: ScrollBehavior): void {
  document.getElementById("content")?.focus({ preventScroll: true });
  window.scrollTo({ top: 0, behavior });
}

/** A hash such as `#%` can not be decoded. */
function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

/** Removes the tabindex again on blur: a later click inside a section must not focus the section. */
function focusOn(target: HTMLElement): void {
  if (!target.hasAttribute("tabindex")) {
    target.tabIndex = -1;
    target.addEventListener("blur", () => target.removeAttribute("tabindex"), { once: true });
  }
  target.focus({ preventScroll: true });
}

function animateContent(): void {
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

/** Announces the title of the next page to screen readers: there is no new document that would do so. */
export function PageAnnouncer() {
  const { pathname, search } = useLocation();
  const path = pathname + search;
  const previousPath = useRef(path);
  const [title, setTitle] = useState("");

  useEffect(() => {
    if (previousPath.current === path) return;
    previousPath.current = path;
    setTitle(document.title);
    // It describes the first page only.
    document.querySelector("[type='application/ld+json']")?.remove();
  }, [path]);

  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
