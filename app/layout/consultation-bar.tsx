import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { site } from "../config/site.ts";
import { buttonClass } from "../ui/button.ts";
import { ExternalLink } from "../ui/external-link.tsx";

/**
 * Keeps the consultation within reach on phones, quietly: it stands at the lower edge only while no
 * other way to it (a link to the calendar, a form, the footer) is in view, and app.css takes it away
 * from whatever the keyboard is at.
 */
export function ConsultationBar() {
  const { pathname } = useLocation();
  const { user } = useAuth();
  const [needed, setNeeded] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other ways.
  useEffect(() => {
    const inView = new Set<Element>();
    const watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) inView.add(target);
        else inView.delete(target);
      }
      setNeeded(inView.size === 0);
    });
    function look() {
      watch.disconnect();
      inView.clear();
      const ways = `main a[href="${site.schedulingUrl}"], main form, body > footer`;
      for (const way of document.querySelectorAll(ways)) watch.observe(way);
    }
    // What is still loading when a page opens brings its ways along later.
    const arrivals = new MutationObserver(look);
    const main = document.querySelector("main");
    if (main) arrivals.observe(main, { childList: true, subtree: true });
    look();
    return () => {
      watch.disconnect();
      arrivals.disconnect();
    };
  }, [pathname]);

  // The owner has no consultation to book, and an inbox to read.
  if (user) return null;
  return (
    <aside
      data-screen
      aria-label="Consultation"
      className={`bar fixed inset-x-0 bottom-0 z-30 border-t border-line bg-paper px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] transition-transform duration-200 sm:hidden ${needed ? "" : "invisible translate-y-full"}`}
    >
      <ExternalLink
        href={site.schedulingUrl}
        className={`${buttonClass("primary", "small")} w-full`}
      >
        Book a consultation
      </ExternalLink>
    </aside>
  );
}
