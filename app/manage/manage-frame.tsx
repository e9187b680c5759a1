// The frame of the pages in manage-pages.ts, and their placeholders while they load.
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { useSite } from "../config/use-site.ts";
import { type Failed, type Loadable, Loaded } from "../loading/loaded.tsx";
import { ReadFailure, TakingLonger } from "../ui/load-state.tsx";
import { type ManagePage, pageAt } from "./manage-pages.ts";

/** The classes of a page below the navigation. */
export const pageClass = "wrap min-h-[60vh] pt-8 pb-16 md:pt-12";

/** @param path of the open page, or of the page of which it shows a part */
function useManagePage(path?: string): ManagePage {
  const { pathname } = useLocation();
  const page = pageAt(path ?? pathname);
  if (!page) throw new Error("Not a page of manage-pages.ts");
  return page;
}

interface PageFrameProps {
  children: ReactNode;
  /** Content beside the heading. */
  button?: ReactNode;
}

export function PageFrame({ button, children }: PageFrameProps) {
  const { heading, lead, shownOn } = useManagePage();
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

/** Says that visitors do not see what a page manages. */
function SwitchedOff({ path, name }: NonNullable<ManagePage["shownOn"]>) {
  const { closed } = useSite();
  const { tasks } = useAuth();
  if (!closed.includes(path)) return null;
  return (
    <p role="note" className="mt-6 max-w-2xl rounded-md bg-clay-soft p-4">
      {name} is switched off, so visitors see none of this until{" "}
      {tasks.includes("manage the site") ? (
        <Link to="/manage/settings/pages" className="font-medium underline underline-offset-4">
          you switch it on
        </Link>
      ) : (
        "an owner of the site switches it on"
      )}
      .
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

/** Moves the focus from a control that is removed. */
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

/** The loading line of a page, above placeholders of about the size of its content. */
export function Loading({ path }: { path?: string }) {
  const { loading, skeleton = [] } = useManagePage(path);
  return (
    <>
      <p role="status" className="text-muted">
        {loading}
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

/** Shown when the data of a page could not be read. */
export function Failure({ failed, path }: { failed: Failed; path?: string }) {
  const { failure = "" } = useManagePage(path);
  return <ReadFailure failed={failed} text={failure} />;
}

interface PageDataProps<Value> {
  data: Loadable<Value>;
  /** Identifies the data if the page has several sets, such as pages of a list. */
  of?: string | number;
  children: (value: Value) => ReactNode;
}

/** A page that shows only its heading until its data is loaded. */
export function PageData<Value>({ data, of = "", children }: PageDataProps<Value>) {
  return (
    <Loaded
      data={data}
      of={of}
      fallback={<LoadingPage />}
      failure={(failed) => (
        <PageFrame>
          <Failure failed={failed} />
        </PageFrame>
      )}
    >
      {children}
    </Loaded>
  );
}
