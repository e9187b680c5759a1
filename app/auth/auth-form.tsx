// Parts that the login and password pages share.
import { type ReactNode, useSyncExternalStore } from "react";
import { data } from "react-router";
import { keepsSiteData } from "../browser/site-data.ts";

interface AuthCardProps {
  title: string;
  lead: ReactNode;
  className?: string;
  children?: ReactNode;
}

export function AuthCard({ title, lead, className = "", children }: AuthCardProps) {
  return (
    <div className={`wrap section ${className}`}>
      <div className="mx-auto max-w-md rounded-lg border border-line/80 bg-surface p-6 shadow-card sm:p-10">
        <h1 className="text-3xl">{title}</h1>
        <p className="mt-3 text-muted">{lead}</p>
        {children}
      </div>
    </div>
  );
}

/** The placeholder for content that needs the session, which exists only in the browser. */
export function NeedsScripts({ what }: { what: string }) {
  return (
    <noscript>
      <p className="mt-4 font-medium">{`${what} needs JavaScript.`}</p>
    </noscript>
  );
}

/** Says why a login does not last, where the browser keeps no session. */
export function ShortLoginNote() {
  const isKept = useSyncExternalStore(subscribeToNothing, keepsSiteData, () => true);
  if (isKept) return null;
  return (
    <p className="mt-4 font-medium">
      This browser blocks cookies and site data, so it forgets a login as soon as you reload or
      leave this site: allow them for this site to stay logged in.
    </p>
  );
}

/** For `useSyncExternalStore`, with values that only the browser knows and that send no event when they change. */
export function subscribeToNothing(): () => void {
  return () => {};
}

/** Replaces an owner's page until the session is read. */
export function LoadingSession() {
  return (
    <div className="wrap min-h-[60vh] pt-8 pb-16 md:pt-12">
      <p role="status" className="text-muted noscript:hidden">
        Loading session...
      </p>
      <NeedsScripts what="This page" />
    </div>
  );
}

/**
 * The action of forms that need JavaScript, for when the browser submits them. Does not read the body: the
 * server must not process passwords.
 */
export function rejectPost() {
  return data("This form needs JavaScript, which was not loaded. Please try again.", {
    status: 400,
  });
}
