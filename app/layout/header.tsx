import { Menu } from "lucide";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { site } from "../config/site.ts";
import { buttonClass } from "../ui/button.ts";
import { ExternalLink } from "../ui/external-link.tsx";
import { Icon } from "../ui/icon.ts";
import { Brand } from "./brand.tsx";
import { isActiveTab, navigation } from "./navigation.ts";
import { NavigationProgress } from "./navigation-progress.tsx";
import { OfflineNotice } from "./offline-notice.tsx";

export function Header() {
  const { pathname } = useLocation();
  return (
    <header data-site className="sticky top-0 z-40 border-b border-line bg-paper">
      <div className="wrap flex h-18 items-center gap-4">
        <Link to="/" className="mr-auto flex text-evergreen">
          <Brand />
        </Link>
        <nav aria-label="Main" className="hidden lg:block">
          <ul className="flex items-center xl:gap-2">
            {navigation.map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  aria-current={isActiveTab(to, pathname) ? "page" : undefined}
                  className="block px-2 py-2 text-sm font-medium whitespace-nowrap text-muted decoration-clay decoration-2 underline-offset-8 transition-colors hover:text-evergreen aria-[current]:text-evergreen aria-[current]:underline"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <ExternalLink
          href={site.schedulingUrl}
          className={`${buttonClass("primary", "small")} max-sm:hidden`}
        >
          Book a consultation
        </ExternalLink>
        <Dropdown pathname={pathname} />
      </div>
      <OfflineNotice />
      <NavigationProgress />
    </header>
  );
}

/** The menu of small screens. A native disclosure: it opens before, and without, any script. */
function Dropdown({ pathname }: { pathname: string }) {
  const details = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    function close(event: Event) {
      const menu = details.current;
      if (!menu?.open) return;
      const escaped = event instanceof KeyboardEvent && event.key === "Escape";
      const outside = event.type === "pointerdown" && !menu.contains(event.target as Node);
      if (escaped || outside) menu.open = false;
      if (escaped) menu.querySelector("summary")?.focus();
    }
    document.addEventListener("keydown", close);
    document.addEventListener("pointerdown", close);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("pointerdown", close);
    };
  }, []);

  return (
    <details ref={details} className="lg:hidden">
      <summary className="flex size-11 list-none items-center justify-center rounded-md border border-edge bg-surface">
        <Icon drawing={Menu} className="size-5" />
        <span className="sr-only">Menu</span>
      </summary>
      <nav
        aria-label="Main"
        className="absolute inset-x-0 top-full max-h-[calc(100dvh-4.5rem)] overflow-y-auto border-b border-line bg-paper px-5 pt-2 pb-5 shadow-lift"
      >
        <ul>
          {navigation.map(({ to, label }) => (
            <li key={to} className="border-b border-line/60 last:border-0">
              <Link
                to={to}
                aria-current={isActiveTab(to, pathname) ? "page" : undefined}
                onClick={() => {
                  if (details.current) details.current.open = false;
                }}
                className="block py-3.5 font-medium aria-[current]:text-clay"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
        <ExternalLink
          href={site.schedulingUrl}
          className={`${buttonClass("primary")} mt-3 w-full sm:hidden`}
        >
          Book a consultation
        </ExternalLink>
      </nav>
    </details>
  );
}
