// What the settings pages show before their code and data are loaded.
import type { ReactNode } from "react";
import { Link } from "react-router";
import { buttonClass } from "../../ui/button.ts";
import { TakingLonger } from "../../ui/load-state.tsx";

export function SettingsFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">{title}</h1>
      {children}
    </div>
  );
}

/** Widths of the rows in the skeleton. */
const rows = ["w-1/4", "w-2/5", "w-1/3", "w-1/5", "w-3/10", "w-2/6"];

/** The loading line and skeleton rows of the same size as the sections. */
export function SettingsLoading({ title }: { title: string }) {
  return (
    <SettingsFrame title={title}>
      <p role="status" className="mt-4 text-lg text-muted">
        Loading settings...
      </p>
      <div
        aria-hidden="true"
        className="mt-8 divide-y divide-line rounded-lg border border-line bg-surface"
      >
        {rows.map((width) => (
          <div key={width} className="space-y-2.5 p-5">
            <div className={`skeleton h-5 ${width}`} />
            <div className="skeleton h-4" />
          </div>
        ))}
      </div>
      <TakingLonger />
    </SettingsFrame>
  );
}

/** For accounts that do not own the site. Policies give them nothing, whatever this page shows. */
export function Forbidden() {
  return (
    <SettingsFrame title="Settings">
      <div className="mt-8 rounded-lg border border-line bg-surface px-6 py-12 text-center">
        <p className="text-lg">Only an owner of this site can change its settings.</p>
        <p className="mt-2 text-muted">Ask an owner, or sign in with another account.</p>
        <Link to="/" className={`${buttonClass("secondary")} mt-6`}>
          Return to Home
        </Link>
      </div>
    </SettingsFrame>
  );
}
