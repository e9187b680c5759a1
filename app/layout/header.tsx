import { ChevronDown, Menu } from "lucide";
import { type MouseEvent, useEffect, useRef, useSyncExternalStore } from "react";
import { Link, NavLink, useLocation, useNavigation } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { OwnerPart } from "../auth/owner-part.tsx";
import type { OwnerPartProps } from "../auth/owner-part-props.ts";
import { type Site, useSite } from "../config/use-site.ts";
import { buttonClass } from "../ui/button-class.ts";
import { ConsultationLink } from "../ui/consultation-link.tsx";
import { ExternalLink } from "../ui/external-link.tsx";
import { Icon } from "../ui/icon.ts";
import { Brand, longName } from "./brand.tsx";

export function Header() {
  const { firm, contact, monogram, ownPages, menu } = useSite();
  const { user } = useAuth();
  // Below the brand it takes no space from the tabs, but a name of three lines leaves none for it.
  const isShort = firm.logo !== null || (firm.shortName || firm.name).length <= 40;
  const hasPhone = contact.phone !== "" && isShort;
  // At 1024 px the tabs leave no space for both a long name and the button. The owner's tab and 'More' need its space, too.
  const letters = menu.reduce((sum, { label }) => sum + label.length, 0);
  const crowded =
    user ||
    letters > usualLetters ||
    ownPages.some(({ place }) => place === "menu") ||
    (!firm.logo && !firm.shortName && firm.name.length > longName);
  // The owner's own names may be too long for one line.
  const hasBar = letters <= usualLetters + 12;
  return (
    <header data-site className="sticky top-0 z-40 border-b border-line bg-paper">
      <div className="wrap flex h-18 items-center gap-4">
        <div className="mr-auto flex min-w-0 flex-col items-start">
          <Link to="/" className="flex max-w-full min-w-0 items-center text-evergreen">
            <Brand hasLine={hasPhone} />
          </Link>
          {hasPhone && (
            <a
              href={contact.phoneUrl}
              // In the line that the brand leaves free.
              className={`-mt-6 text-sm leading-6 font-medium whitespace-nowrap text-muted hover:text-evergreen max-lg:hidden print:hidden ${firm.logo || monogram === firm.name ? "" : "ml-12"}`}
            >
              {contact.phone}
            </a>
          )}
        </div>
        {hasBar && (
          <nav aria-label="Main" className="hidden lg:block">
            <ul className="flex items-center xl:gap-2">
              <TabItems className={tabClass} isBar />
            </ul>
          </nav>
        )}
        <ConsultationLink
          className={`${buttonClass("primary", "small")} shrink-0 max-sm:hidden ${crowded ? "lg:max-xl:hidden" : ""}`}
        >
          Book a consultation
        </ConsultationLink>
        <Dropdown className={hasBar ? "lg:hidden" : ""} />
      </div>
      <OfflineNotice />
      <NavigationProgress />
    </header>
  );
}

/** What the header says of the connection, for pages without one. */
export function PageStatus() {
  return (
    <div className="sticky top-0 z-40">
      <OfflineNotice />
      <NavigationProgress />
    </div>
  );
}

/** In the usual names of the menu. */
const usualLetters = 53;

const tabClass =
  "block px-2 py-2 text-sm font-medium whitespace-nowrap text-muted decoration-clay decoration-2 underline-offset-8 transition-colors hover:text-evergreen aria-[current]:text-evergreen aria-[current]:underline";
const entryClass = "block py-3.5 font-medium aria-[current]:text-clay";

interface TabItemsProps extends Pick<OwnerPartProps, "className" | "onClick"> {
  /** Whether the tabs are in one line, which has no space for the owner's own pages. */
  isBar?: boolean;
}

function TabItems({ className, onClick, isBar }: TabItemsProps) {
  const { menu, ownPages } = useSite();
  const own = ownPages.filter(({ place }) => place === "menu");
  const { user } = useAuth();
  return (
    <>
      {[...menu, ...(isBar ? [] : own)].map(({ path, label }) => (
        <li key={path}>
          {/* A function, because React Router adds classes to a string. */}
          <NavLink to={path} end={path === "/"} className={() => className} onClick={onClick}>
            {label}
          </NavLink>
        </li>
      ))}
      {isBar && own.length > 0 && <MorePages pages={own} />}
      {user && (
        // Space for the count of what waits, before the button.
        <li className={isBar ? "pr-6" : ""}>
          <OwnerPart part="manage link" className={className} onClick={onClick} />
        </li>
      )}
    </>
  );
}

/** One line above the header. Screen readers read it in its place, and announce one that appears on an open page. */
export function Notice() {
  const { notice } = useSite();
  return (
    <div role="status">
      {notice && (
        <p className="on-deep bg-deep px-5 py-2.5 text-center text-sm font-medium text-cream wrap-anywhere">
          {!notice.link ? (
            notice.text
          ) : notice.link.startsWith("/") ? (
            <Link to={notice.link} className={noticeLinkClass}>
              {notice.text}
            </Link>
          ) : (
            <ExternalLink href={notice.link} className={noticeLinkClass}>
              {notice.text}
            </ExternalLink>
          )}
        </p>
      )}
    </div>
  );
}

const noticeLinkClass = "inline-block py-0.5 underline underline-offset-4";

/** The owner's own pages in the menu of wide screens. */
function MorePages({ pages }: { pages: Site["ownPages"] }) {
  const details = useDisclosure();
  const { pathname } = useLocation();
  return (
    <li>
      <details ref={details} className="relative">
        <summary
          aria-current={pages.some(({ path }) => path === pathname) ? "true" : undefined}
          className={`${tabClass} flex list-none items-center gap-1`}
        >
          More
          <Icon drawing={ChevronDown} className="size-4" />
        </summary>
        <ul className="absolute top-full right-0 mt-2 w-64 rounded-md border border-line bg-surface py-2 shadow-lift">
          {pages.map(({ path, label }) => (
            <li key={path}>
              <NavLink
                to={path}
                className={() =>
                  "block px-4 py-2.5 text-sm font-medium wrap-anywhere hover:bg-sand aria-[current]:text-clay"
                }
                onClick={closeMenu}
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

/** Closes a native disclosure, which works without JavaScript, by Escape and by a press elsewhere. */
function useDisclosure() {
  const details = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    function close(event: Event) {
      const menu = details.current;
      if (!menu?.open) return;
      const escaped = event instanceof KeyboardEvent && event.key === "Escape";
      const outside =
        event.type === "pointerdown" &&
        !(event.target instanceof Node && menu.contains(event.target));
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
  return details;
}

/** The menu on small screens. */
function Dropdown({ className }: { className: string }) {
  const { user } = useAuth();
  const details = useDisclosure();
  return (
    <details ref={details} className={`shrink-0 ${className}`}>
      <summary className="relative flex size-11 list-none items-center justify-center rounded-md border border-edge bg-surface">
        <Icon drawing={Menu} className="size-5" />
        <span className="sr-only">Menu</span>
        {user && <OwnerPart part="waiting count" className="absolute -top-2 -right-2" />}
      </summary>
      <nav
        aria-label="Main"
        className="absolute inset-x-0 top-full max-h-[calc(100dvh-4.5rem)] overflow-y-auto border-b border-line bg-paper px-5 pt-2 pb-5 shadow-lift"
      >
        <ul className="divide-y divide-line/60">
          <TabItems className={entryClass} onClick={closeMenu} />
        </ul>
        <ConsultationLink className={`${buttonClass("primary")} mt-3 w-full sm:hidden`}>
          Book a consultation
        </ConsultationLink>
      </nav>
    </details>
  );
}

function closeMenu({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.closest("details")?.removeAttribute("open");
}

/** A progress line while the next page loads. Its animation has a delay, so a fast page does not show it. */
function NavigationProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return (
    <div
      data-screen
      aria-hidden="true"
      className="travel absolute inset-x-0 -bottom-px h-0.5 bg-clay"
    />
  );
}

function OfflineNotice() {
  const online = useSyncExternalStore(subscribe, isOnline, () => true);
  return (
    <p role="status">
      {!online && (
        <span className="block border-t border-line bg-clay-soft px-5 py-2 text-center text-sm">
          You are offline. This page stays readable; what changes elsewhere arrives later.
        </span>
      )}
    </p>
  );
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

function isOnline(): boolean {
  return navigator.onLine;
}
