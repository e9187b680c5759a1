import type { ComponentProps } from "react";

/** A link to another site: opens in a new tab and says so to those who can't see it. */
export function ExternalLink({ children, ...props }: ComponentProps<"a">) {
  return (
    <a {...props} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
