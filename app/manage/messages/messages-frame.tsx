import type { ReactNode } from "react";

/** The page's heading and margins, while there is no inbox. */
export function MessagesFrame({ children }: { children: ReactNode }) {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">Messages</h1>
      {children}
    </div>
  );
}

/** Widths of the names in the skeleton. */
const rows = ["w-1/4", "w-2/5", "w-1/3", "w-1/5", "w-3/10"];

/** Rows of the same size as the messages. */
export function MessagesSkeleton() {
  return (
    <div
      aria-hidden="true"
      className="mt-8 divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {rows.map((width) => (
        <div key={width} className="space-y-2.5 py-5 pr-14 pl-9 sm:pl-13">
          <div className={`skeleton h-5 ${width}`} />
          <div className="skeleton h-4" />
        </div>
      ))}
    </div>
  );
}
