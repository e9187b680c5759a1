// What a page for signed-in users is, its frame, and its placeholders while it loads.
import type { IconNode } from "lucide";
import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { Params } from "react-router";
import type { Task } from "../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../auth/auth-provider.tsx";
import { useSite } from "../config/use-site.ts";
import { ReadFailure, TakingLonger } from "../ui/load-state.tsx";
import { TextLink } from "./button.tsx";
import { type LiveQuery, type LiveValue, useLiveQuery } from "./live-query.ts";

/** The classes of a page below the navigation. */
export const pageClass = "wrap min-h-[60vh] pt-8 pb-16 md:pt-12";

export interface PageFile {
  /** Throws a response for an address that has no page. */
  check?(params: Params): void;
  /** The document's title, if it depends on the address. */
  titleAt?(search: string): string;
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
  /** The page's name in the navigation. Pages without one are reached from other pages. */
  label?: string;
  card?: {
    icon: IconNode;
    text: string;
    create?: { to: string; label: string };
  };
  /** What the page shows, in its sentences: 'Loading messages...', 'The messages can't be shown right now.' */
  noun: string;
  /** The placeholders while the page loads: a number of list rows, or the heights of blocks. */
  skeleton?: "rows" | readonly string[];
  /** The code is loaded separately, so that visitors who open the address do not load it. */
  file: () => Promise<PageFile>;
}

export interface PageLink extends ManagePage {
  label: string;
  to: string;
}

interface Open {
  page: ManagePage | undefined;
  /** The pages that this account may open, in the order of the navigation. */
  links: readonly PageLink[];
}

/** The layout provides it, so that no page imports the list of all pages. */
export const PageContext = createContext<Open>({ page: undefined, links: [] });

function usePage(): ManagePage {
  const { page } = useContext(PageContext);
  if (!page) throw new Error("Not a page of manage-pages.ts");
  return page;
}

interface PageFrameProps {
  children: ReactNode;
  button?: ReactNode;
}

export function PageFrame({ button, children }: PageFrameProps) {
  const { heading, lead, shownOn } = usePage();
  return (
    <div className={pageClass}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 id="page-heading" tabIndex={-1} className="text-3xl outline-none">
          {heading}
        </h1>
        {button}
      </div>
      {lead && <p className="mt-4 max-w-2xl text-lg text-muted">{lead}</p>}
      {shownOn && <SwitchedOff {...shownOn} />}
      {children}
    </div>
  );
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
