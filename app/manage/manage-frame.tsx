// What a page for signed-in users is, its frame, and its placeholders while it loads.
import type { IconNode } from "lucide";
import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
} from "react";
import { Link, type Params, useLocation } from "react-router";
import type { Task } from "../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../auth/auth-provider.tsx";
import { useSite } from "../config/use-site.ts";
import { ReadFailure, TakingLonger } from "../ui/load-state.tsx";
import { TextLink } from "./button.tsx";
import { type LiveQuery, type LiveValue, useLiveQuery } from "./live-query.ts";

/** The classes of a page in the frame. */
export const pageClass = "mx-auto min-h-[60vh] w-full max-w-5xl px-4 pt-6 pb-16 sm:px-8 sm:pt-8";

export interface PageFile {
  /** Throws a response for an address that has no page. */
  check?(params: Params): void;
  /** The document's title, if it depends on the address. */
  titleAt?(search: string, params: Params): string;
  default: ComponentType;
}

export interface ManagePage {
  /** The pattern of its route. */
  path: string;
  heading: string;
  lead?: string;
  /** The page that shows to visitors what this one manages. It can be switched off. */
  shownOn?: { path: string; name: string };
  /** The document's title; the heading by default. */
  title?: string;
  /** The roles that may open the page; undefined for all accounts. The database enforces this; the page only explains it. */
  access?: {
    task: Task;
    /** Completes the sentence 'Your account may not'. */
    action: string;
  };
  /** What the page shows, in its sentences: 'Loading messages...', 'The messages can't be shown right now.' */
  noun: string;
  /** The placeholders while the page loads: a number of list rows, or the heights of blocks. */
  skeleton?: "rows" | readonly string[];
  /** The code is loaded separately, so that visitors who open the address do not load it. */
  file: () => Promise<PageFile>;
}

/** A place of the navigation, with the pages that the account may open. */
export interface Place {
  name: string;
  icon: IconNode;
  /** Whether it is below the heading 'Content'. */
  isContent?: boolean;
  to: string;
  tabs: readonly Tab[];
}

/** A page of a place. */
export interface Tab {
  to: string;
  label: string;
}

interface Open {
  page: ManagePage | undefined;
  place?: Place | undefined;
  tab?: Tab | undefined;
}

/** The layout provides it, so that no page imports the list of all pages. */
export const PageContext = createContext<Open>({ page: undefined });

function usePage(): ManagePage {
  const { page } = useContext(PageContext);
  if (!page) throw new Error("Not a page of manage-pages.ts");
  return page;
}

interface PageFrameProps {
  children: ReactNode;
  /** In place of the page's own. */
  heading?: string;
  lead?: string;
  button?: ReactNode;
  /** Whether the page has the width of the window. */
  isWide?: boolean;
}

export function PageFrame({ button, children, isWide = false, ...texts }: PageFrameProps) {
  const page = usePage();
  const { heading, lead } = { ...page, ...texts };
  const { shownOn } = page;
  return (
    <div className={`${pageClass} ${isWide ? "max-w-none" : ""}`}>
      <Tabs />
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h1 id="page-heading" tabIndex={-1} className="text-3xl wrap-anywhere outline-none">
          {heading}
        </h1>
        {button}
      </div>
      {lead && <p className="mt-1 max-w-2xl text-muted">{lead}</p>}
      {shownOn && <SwitchedOff {...shownOn} />}
      {children}
    </div>
  );
}

/** The pages of the place, if it has several. On phones they scroll sideways. */
function Tabs() {
  const { pathname } = useLocation();
  const { place, tab } = useContext(PageContext);
  const current = useScrolledToMiddle<HTMLLIElement>(tab?.to);
  if (!place || place.tabs.length < 2) return null;
  return (
    <nav aria-label={place.name} className="-mx-4 -mt-2 mb-6 sm:mx-0 sm:-mt-4">
      <ul className="relative flex overflow-x-auto px-2 shadow-[inset_0_-1px_var(--color-line)] [scrollbar-width:none] sm:-mx-2 sm:px-0">
        {place.tabs.map(({ to, label }) => (
          <li key={to} ref={to === tab?.to ? current : undefined}>
            <Link
              to={to}
              aria-current={to === tab?.to ? (to === pathname ? "page" : "true") : undefined}
              className="block border-b-2 border-transparent px-2 pt-2 pb-2.5 text-sm font-medium whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-3 aria-[current]:border-clay aria-[current]:text-ink sm:px-3"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls a list sideways to its current item. @param current identifies the item, which has the ref */
export function useScrolledToMiddle<Item extends HTMLElement>(current: unknown) {
  const item = useRef<Item>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: with another value, the ref is at another item.
  useEffect(() => {
    const list = item.current?.parentElement;
    if (!item.current || !list) return;
    list.scrollLeft = item.current.offsetLeft - (list.clientWidth - item.current.clientWidth) / 2;
  }, [current]);
  return item;
}

function SwitchedOff({ path, name }: NonNullable<ManagePage["shownOn"]>) {
  const { closed } = useSite();
  const { tasks } = useAuth();
  if (!closed.includes(path)) return null;
  return (
    <p role="note" className="mt-6 max-w-2xl rounded-md bg-clay-soft p-4">
      <span>{`${name} is switched off, so visitors see none of this until `}</span>
      {tasks.includes("manage the site") ? (
        <TextLink to="/manage/settings/pages">you switch it on</TextLink>
      ) : (
        <span>an owner of the site switches it on</span>
      )}
      <span>.</span>
    </p>
  );
}

/** A button of the row after another one, else of the row before: for the focus of a row that is removed. */
export function neighborOf(row: HTMLElement | null, button = "button"): HTMLElement | null {
  const neighbor = row?.nextElementSibling ?? row?.previousElementSibling;
  return neighbor?.querySelector<HTMLElement>(button) ?? null;
}

/** Moves the focus from a row that is removed to its neighbor, or to the heading of the page. */
export function leaveRow(neighbor: HTMLElement | null): void {
  if (neighbor) neighbor.focus();
  else focusHeading();
}

export function focusHeading(): void {
  document.getElementById("page-heading")?.focus();
}

export function LoadingPage() {
  return (
    <PageFrame>
      <div className="mt-4 text-lg">
        <Loading />
      </div>
    </PageFrame>
  );
}

/** The widths, in a skeleton, of the bars that stand for the rows' names. */
const widths = ["w-1/4", "w-2/5", "w-1/3", "w-1/5", "w-3/10"];

type LoadingProps = Partial<Pick<ManagePage, "noun" | "skeleton">>;

/** The loading line of a page, or of a part with a noun of its own, above placeholders of about the size of its content. */
export function Loading(props: LoadingProps) {
  const { noun, skeleton = [] } = { ...usePage(), ...props };
  return (
    <>
      <p role="status" className="text-muted">
        {`Loading ${noun}...`}
      </p>
      {skeleton === "rows" ? (
        <SkeletonRows />
      ) : (
        <div aria-hidden="true" className="mt-6 space-y-6">
          {skeleton.map((height) => (
            <div key={height} className={`skeleton rounded-lg ${height}`} />
          ))}
        </div>
      )}
      <TakingLonger />
    </>
  );
}

export function SkeletonRows() {
  return (
    <div
      aria-hidden="true"
      className="mt-8 divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {widths.map((width) => (
        <div key={width} className="space-y-2.5 py-5 pr-14 pl-9 sm:pl-13">
          <div className={`skeleton h-5 ${width}`} />
          <div className="skeleton h-4" />
        </div>
      ))}
    </div>
  );
}

interface FailureProps extends Pick<LiveValue<unknown>, "failures" | "retry"> {
  noun?: string;
}

export function Failure({ failures, retry, noun }: FailureProps) {
  const { noun: ofPage } = usePage();
  return (
    <ReadFailure
      failed={failures}
      text={`The ${noun ?? ofPage} can't be shown right now. Nothing is lost.`}
      onRetry={retry}
    />
  );
}

interface PageDataProps<Value> {
  query: LiveQuery<Value>;
  children: (value: Value) => ReactNode;
}

/** A page that shows only its heading until its data is read. While another set is read, such as a page of a list, the last one stays. */
export function PageData<Value>({ query, children }: PageDataProps<Value>) {
  const { value, failures, retry } = useLiveQuery(query);
  if (value !== undefined) return children(value);
  if (failures === 0) return <LoadingPage />;
  return (
    <PageFrame>
      <Failure failures={failures} retry={retry} />
    </PageFrame>
  );
}
