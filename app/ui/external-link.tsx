import type { ComponentProps } from "react";
import { useSite } from "../config/use-site.ts";

/** A link to another site. Opens in a new tab, which it announces to screen readers. */
export function ExternalLink({ children, ...props }: ComponentProps<"a">) {
  return (
    <a {...props} target="_blank" rel="noopener noreferrer">
      <span className="contents">{children}</span>
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/**
 * The public registers of securities professionals, on the first screen of the home page and beside the profile on the contact
 * page: in FINRA's view, a link in the footer is not readily apparent (2210(d)(8)).
 */
export function BackgroundLinks({ className }: { className: string }) {
  const { crd, isAdviser } = useSite().licenses;
  if (!crd) return null;
  const linkClass = "inline-block py-1 text-evergreen underline underline-offset-4";
  return (
    <p className={`flex flex-wrap gap-x-6 ${className}`}>
      <ExternalLink
        href={`https://brokercheck.finra.org/individual/summary/${crd}`}
        className={linkClass}
      >
        Check my background on FINRA's BrokerCheck
      </ExternalLink>
      {isAdviser && (
        <ExternalLink
          href={`https://adviserinfo.sec.gov/individual/summary/${crd}`}
          className={linkClass}
        >
          Check my registration on the SEC's adviser search
        </ExternalLink>
      )}
    </p>
  );
}
