import { ArrowUpRight, Ellipsis, LogOut, X } from "lucide";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { Link, useLocation } from "react-router";
import { may, roleInfo } from "../../supabase/functions/_shared/roles.ts";
import { LoadingSession } from "../auth/auth-form.tsx";
import { useAuth } from "../auth/auth-provider.tsx";
import { useSite } from "../config/use-site.ts";
import { Icon } from "../ui/icon.ts";
import { ButtonLink } from "./button.tsx";
import "./manage.css";
import { type ManagePage, PageContext, type Place, pageClass } from "./manage-frame.tsx";
import { placeAt, placesOf } from "./manage-pages.ts";
import { useWaiting } from "./start/waiting.ts";

interface ManageLayoutProps {
  page: ManagePage;
  children: ReactNode;
}

/** The frame of a page, once the account's role is known: the navigation beside the page, or beside why access is denied. */
export function ManageLayout({ page, children }: ManageLayoutProps) {
  const { role } = useAuth();
  const { pathname } = useLocation();
  const { access, path } = page;
  const isInBlog = path.startsWith("/blog/");
  const places = useMemo(() => placesOf(role ?? null), [role]);
  const { place, tab } = placeAt(places, pathname);
  const content =
    access && role === undefined ? (
      <LoadingSession />
    ) : access && !may(role, access.task) ? (
      <NotAllowed {...access} />
    ) : (
      <PageContext value={{ page, place, tab }}>{children}</PageContext>
    );
  // The editor of a post is one of the blog's pages, between the header and the footer of the site.
  if (isInBlog) return <div data-manage>{content}</div>;
  return (
    <div className="manage-frame min-h-dvh md:grid md:grid-cols-[14.5rem_minmax(0,1fr)]">
      <Rail places={places} current={place} />
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        {content}
      </main>
      <PhoneBar places={places} current={place} />
    </div>
  );
}

function NotAllowed({ action }: { action: string }) {
  return (
    <div className={pageClass}>
      <h1 className="text-3xl">{`Your account may not ${action}`}</h1>
      <p className="mt-4 max-w-xl text-muted">
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
  places: readonly Place[];
  current: Place | undefined;
}

function Rail({ places, current }: NavigationProps) {
  const { firm } = useSite();
  return (
    <header
      data-screen
      className="sticky top-0 flex h-dvh flex-col overflow-y-auto border-r border-line bg-sand max-md:hidden"
    >
      <div className="px-5 pt-5 pb-4">
        <p className="line-clamp-2 leading-snug font-semibold wrap-anywhere">{firm.name}</p>
        <ViewSite className="-ml-1 px-1" />
      </div>
      <nav aria-label="Manage" className="grow px-3">
        <PlaceList places={places} current={current} />
      </nav>
      <div className="sticky bottom-0 flex items-center gap-1 border-t border-line bg-sand p-3">
        <AccountLink />
        <LogoutButton />
      </div>
    </header>
  );
}

/** The places, those of the site's content below their heading. */
function PlaceList({ places, current }: NavigationProps) {
  const counts = usePlaceCounts();
  return (
    <ul className="space-y-0.5">
      {places.map(({ name, icon, to, isContent }, at) => {
        const isGroupStart = isContent !== places[at - 1]?.isContent;
        return (
          <li key={name} className={at > 0 && isGroupStart ? "pt-4" : ""}>
            {isContent && isGroupStart && <p className="px-3 pb-1 text-sm text-muted">Content</p>}
            <Link
              to={to}
              aria-current={name === current?.name ? "page" : undefined}
              className="flex min-h-10 items-center gap-3 rounded-md px-3 text-sm font-medium text-muted hover:bg-surface/70 hover:text-ink focus-visible:-outline-offset-2 aria-[current]:bg-surface aria-[current]:text-ink aria-[current]:shadow-card"
            >
              <Icon drawing={icon} className="size-4.5 shrink-0" />
              <span>{name}</span>
              <Count of={counts[name]} className="ml-auto" />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** What waits, by the name of its place. */
function usePlaceCounts(): Readonly<Record<string, number | undefined>> {
  const { unread, waitingTestimonials, failedPosts = 0, ...waiting } = useWaiting();
  return {
    ...{ Inbox: unread, Testimonials: waitingTestimonials },
    ...{ Posts: failedPosts + (waiting.waitingPosts ?? 0), Pages: waiting.waitingPages },
    Settings: waiting.waitingSections,
  };
}

function Count({ of: count = 0, className }: { of: number | undefined; className: string }) {
  if (count === 0) return null;
  return (
    <span
      className={`min-w-5 rounded-full bg-clay px-1.5 text-center text-xs leading-5 font-semibold text-paper tabular-nums ${className}`}
    >
      <span>{count > 99 ? "99+" : count}</span>
      <span className="sr-only"> new</span>
    </span>
  );
}

function ViewSite({ className = "" }: { className?: string }) {
  return (
    <Link
      to="/"
      className={`inline-flex min-h-8 items-center gap-1 rounded-sm text-sm text-muted hover:text-ink hover:underline ${className}`}
    >
      <span>View site</span>
      <Icon drawing={ArrowUpRight} className="size-4" />
    </Link>
  );
}

function AccountLink() {
  const { name, user, role } = useAuth();
  const { pathname } = useLocation();
  const shown = name || user?.email || "";
  return (
    <Link
      to="/manage/account"
      aria-current={pathname === "/manage/account" ? "page" : undefined}
      className="flex min-h-11 min-w-0 grow items-center gap-3 rounded-md px-2 hover:bg-surface/70 focus-visible:-outline-offset-2 aria-[current]:bg-surface"
    >
      <span
        aria-hidden="true"
        className="flex size-8 shrink-0 items-center justify-center rounded-full bg-evergreen text-sm font-semibold text-paper uppercase"
      >
        {shown.slice(0, 1)}
      </span>
      <span className="min-w-0 text-sm leading-tight">
        <span className="block truncate font-medium">{shown}</span>
        <span className="block text-muted">
          <span className="sr-only">Your account, </span>
          <span>{role ? roleInfo[role].name : "Account"}</span>
        </span>
      </span>
    </Link>
  );
}

function LogoutButton() {
  const { signOut } = useAuth();
  return (
    <button
      type="button"
      onClick={signOut}
      title="Logout"
      className="flex size-11 shrink-0 items-center justify-center rounded-md text-muted hover:bg-surface/70 hover:text-ink focus-visible:-outline-offset-2"
    >
      <Icon drawing={LogOut} className="size-4.5" />
      <span className="sr-only">Logout</span>
    </button>
  );
}

const barItem =
  "relative flex h-14 w-full flex-col items-center justify-center gap-0.5 text-xs font-medium text-muted focus-visible:-outline-offset-3 aria-[current]:text-clay aria-expanded:text-clay";

/** The first places, and 'More' for all of them. */
function PhoneBar({ places, current }: NavigationProps) {
  const { role } = useAuth();
  const counts = usePlaceCounts();
  const { pathname } = useLocation();
  const sheet = useRef<HTMLDivElement>(null);
  const shown = places.filter(({ name }) => ["Home", "Inbox", "Posts"].includes(name));

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path closes the sheet.
  useEffect(() => {
    if (sheet.current?.matches(":popover-open")) sheet.current.hidePopover();
  }, [pathname]);

  return (
    <div data-screen className="md:hidden">
      <nav
        aria-label="Manage, main places"
        className="manage-bar fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]"
      >
        {/* Hidden until the role says how many there are, so that none moves. */}
        <ul className={`grid auto-cols-fr grid-flow-col ${role === undefined ? "invisible" : ""}`}>
          {shown.map(({ name, icon, to }) => (
            <li key={name}>
              <Link
                to={to}
                aria-current={name === current?.name ? "page" : undefined}
                className={barItem}
              >
                <Icon drawing={icon} className="size-5" />
                <span>{name}</span>
                <Count of={counts[name]} className="absolute top-0.5 left-1/2 ml-2" />
              </Link>
            </li>
          ))}
          <li>
            <button
              type="button"
              popoverTarget="all-places"
              aria-current={current && !shown.includes(current) ? "true" : undefined}
              className={barItem}
            >
              <Icon drawing={Ellipsis} className="size-5" />
              <span>More</span>
            </button>
          </li>
        </ul>
      </nav>
      <div
        ref={sheet}
        id="all-places"
        popover="auto"
        className="fixed inset-x-0 top-auto bottom-0 m-0 max-h-[85dvh] w-full max-w-none overflow-y-auto rounded-t-lg border-t border-line bg-sand p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] text-ink shadow-lift backdrop:bg-[rgb(0_0_0/0.45)]"
      >
        <div className="flex items-center justify-between pl-3">
          <ViewSite />
          <button
            type="button"
            popoverTarget="all-places"
            popoverTargetAction="hide"
            className="flex size-11 items-center justify-center rounded-md text-muted"
          >
            <Icon drawing={X} className="size-5" />
            <span className="sr-only">Close</span>
          </button>
        </div>
        <nav aria-label="Manage">
          <PlaceList places={places} current={current} />
        </nav>
        <div className="mt-3 flex items-center gap-1 border-t border-line pt-3">
          <AccountLink />
          <LogoutButton />
        </div>
      </div>
    </div>
  );
}
