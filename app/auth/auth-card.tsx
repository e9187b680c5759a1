import type { ReactNode } from "react";

/** The frame of the pages around signing in. */
export function AuthCard({
  title,
  lead,
  children,
}: {
  title: string;
  lead: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="wrap section">
      <div className="mx-auto max-w-md rounded-lg border border-line/80 bg-surface p-6 shadow-card sm:p-10">
        <h1 className="text-3xl">{title}</h1>
        <p className="mt-3 text-muted">{lead}</p>
        {children}
      </div>
    </div>
  );
}
