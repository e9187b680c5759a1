import { ChevronDown } from "lucide";
import { useEffect, useRef } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { Icon } from "../ui/icon.ts";
import { pageAt, pagesOf } from "./manage-pages.ts";

/** The links between the pages that manage the site, above each of them. */
export default function ManageLayout() {
  const { role = null } = useAuth();
  const { pathname } = useLocation();
  const phoneMenu = useRef<HTMLDetailsElement>(null);
  const current = pageAt(pathname);
  const links = pagesOf(role).map(({ to, label }) => (
    <li key={to}>
      <Link
        to={to}
        aria-current={to === pathname ? "page" : to === current?.to ? "true" : undefined}
        className="flex min-h-11 items-center px-3 text-sm font-medium text-muted decoration-clay decoration-2 underline-offset-8 hover:text-evergreen aria-[current]:text-evergreen aria-[current]:underline"
      >
        {label}
      </Link>
    </li>
  ));

  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the menu on the next page.
  useEffect(() => {
    if (phoneMenu.current) phoneMenu.current.open = false;
  }, [pathname]);

  return (
    <>
      <nav
        data-screen
        aria-label="Manage"
        // As tall as its links while the role is loading, so that the page below does not move.
        className="min-h-11 border-b border-line bg-sand"
      >
        <div className="wrap hidden md:block">
          <ul className="-ml-3 flex flex-wrap gap-x-2">{links}</ul>
        </div>
        <details ref={phoneMenu} className="group md:hidden">
          <summary className="wrap flex min-h-11 items-center justify-between gap-3 text-sm font-medium focus-visible:-outline-offset-3">
            <span>
              <span className="text-muted">Manage: </span>
              {current?.label ?? "Overview"}
            </span>
            <Icon
              drawing={ChevronDown}
              className="size-5 text-muted transition-transform group-open:rotate-180"
            />
          </summary>
          <div className="wrap border-t border-line py-1">
            <ul className="-ml-3 grid grid-cols-2">{links}</ul>
          </div>
        </details>
      </nav>
      <Outlet />
    </>
  );
}
