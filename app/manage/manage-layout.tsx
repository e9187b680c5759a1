import { ChevronDown } from "lucide";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { may } from "../../supabase/functions/_shared/roles.ts";
import { LoadingSession } from "../auth/auth-form.tsx";
import { useAuth } from "../auth/auth-provider.tsx";
import { Icon } from "../ui/icon.ts";
import { ButtonLink } from "./button.tsx";
import { type ManagePage, PageContext, type PageLink, pageClass } from "./manage-frame.tsx";
import { linksOf, linkTo } from "./manage-pages.ts";

interface ManageLayoutProps {
  page: ManagePage;
  children: ReactNode;
}

/** The frame of a page, once the account's role is known: the navigation above the page, or above why access is denied. */
export function ManageLayout({ page, children }: ManageLayoutProps) {
  const { role } = useAuth();
  const { access } = page;
  const links = linksOf(role ?? null);
  if (access && role === undefined) return <LoadingSession />;
  return (
    <>
      <Navigation page={page} links={links} />
      {access && !may(role, access.task) ? (
        <NotAllowed {...access} />
      ) : (
        <PageContext value={{ page, links }}>{children}</PageContext>
      )}
    </>
  );
}

function NotAllowed({ action }: { action: string }) {
  return (
    <div className={pageClass}>
      <h1 className="text-3xl">{`Your account may not ${action}`}</h1>
      <p className="mt-4 max-w-xl text-lg text-muted">
        An owner of the site decides what each account may do. If you need this page, ask an owner
        to change your role.
      </p>
      <ButtonLink to="/" size="normal" className="mt-8">
        Return to Home
      </ButtonLink>
    </div>
  );
}

interface NavigationProps {
  page: ManagePage;
  links: readonly PageLink[];
}

function Navigation({ page, links }: NavigationProps) {
  const { signOut } = useAuth();
  const { pathname } = useLocation();
  const phoneMenu = useRef<HTMLDetailsElement>(null);
  const current = linkTo(page);
  const items = links.map(({ to, label }) => (
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path closes the menu.
  useEffect(() => {
    if (phoneMenu.current) phoneMenu.current.open = false;
  }, [pathname]);

  if (!current) return null;
  return (
    <nav
      data-screen
      aria-label="Manage"
      // As tall as the links while the role is loading, so that the page below does not move.
      className="min-h-11 border-b border-line bg-sand"
    >
      <div className="wrap relative flex items-start justify-between gap-4">
        <ul className="-ml-3 flex flex-wrap max-md:hidden">{items}</ul>
        <details ref={phoneMenu} className="group grow md:hidden">
          <summary className="flex min-h-11 items-center justify-between gap-3 text-sm font-medium focus-visible:-outline-offset-3">
            <span>
              <span className="text-muted">Manage: </span>
              <span>{current.label}</span>
            </span>
            <Icon
              drawing={ChevronDown}
              className="size-5 text-muted transition-transform group-open:rotate-180"
            />
          </summary>
          <ul className="-ml-3 grid grid-cols-2 border-t border-line py-1">{items}</ul>
        </details>
        {/* The blog's pages have Logout in the footer (root.tsx). */}
        {!pathname.startsWith("/blog/") && (
          <button
            type="button"
            onClick={signOut}
            className="-mr-3 min-h-11 shrink-0 px-3 text-sm font-medium text-muted underline-offset-8 hover:text-evergreen hover:underline"
          >
            Logout
          </button>
        )}
      </div>
    </nav>
  );
}
