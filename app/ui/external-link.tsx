import type { ComponentProps } from "react";
import { useSite } from "../config/use-site.ts";

/** A link to another site. Opens in a new tab, which it announces to screen readers. */
export function ExternalLink({ children, ...props }: ComponentProps<"a">) {
  return (
    <a {...props} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** Beside each profile of the adviser: in FINRA's view, a link in the footer is not readily apparent (2210(d)(8)). */
export function BrokerCheckLink({ className }: { className: string }) {
  const { crd } = useSite().licenses;
  if (!crd) return null;
  return (
    <p className={className}>
      <ExternalLink
        href={`https://brokercheck.finra.org/individual/summary/${crd}`}
        className="text-evergreen underline underline-offset-4"
      >
        Check my background on FINRA's BrokerCheck
      </ExternalLink>
    </p>
  );
}
