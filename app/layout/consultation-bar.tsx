import { Phone } from "lucide";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { useSite } from "../config/use-site.ts";
import { buttonClass } from "../ui/button-class.ts";
import { ConsultationLink } from "../ui/consultation-link.tsx";
import { Icon } from "../ui/icon.ts";

/**
 * The phone and a link to the scheduling page at the bottom of phone screens, visible only while no other one, no form and not the
 * footer is in view. app.css hides it while the keyboard focus is in the page.
 */
export function ConsultationBar() {
  const { pathname } = useLocation();
  const { user } = useAuth();
  const { phoneUrl } = useSite().contact;
  const [needed, setNeeded] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other elements to observe.
  useEffect(() => {
    const inView = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inView.add(target);
          else inView.delete(target);
        }
        setNeeded(inView.size === 0);
      },
      // The card around a link appears before it does.
      { rootMargin: "0px 0px 200px" },
    );
    function observeAll() {
      observer.disconnect();
      inView.clear();
      const alternatives = "main [data-consultation], main form, body > footer";
      for (const element of document.querySelectorAll(alternatives)) observer.observe(element);
    }
    // Parts of the page may be rendered later.
    const mutations = new MutationObserver(observeAll);
    const main = document.querySelector("main");
    if (main) mutations.observe(main, { childList: true, subtree: true });
    observeAll();
    return () => {
      observer.disconnect();
      mutations.disconnect();
    };
  }, [pathname]);

  // The owner needs no consultation, so the bar is hidden.
  if (user) return null;
  return (
    <aside
      data-screen
      aria-label="Consultation"
      className={`bar fixed inset-x-0 bottom-0 z-30 border-t border-line bg-paper flex gap-3 px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] transition-transform duration-200 sm:hidden ${needed ? "" : "invisible translate-y-full"}`}
    >
      {phoneUrl && (
        <a href={phoneUrl} className={`${buttonClass("secondary", "small")} shrink-0`}>
          <Icon drawing={Phone} className="size-4" />
          Call
        </a>
      )}
      <ConsultationLink className={`${buttonClass("primary", "small")} grow`}>
        Book a consultation
      </ConsultationLink>
    </aside>
  );
}
