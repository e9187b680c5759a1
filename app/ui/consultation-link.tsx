import type { ReactNode } from "react";
import { Link } from "react-router";
import { useSite } from "../config/use-site.ts";
import { ExternalLink } from "./external-link.tsx";

interface ConsultationLinkProps {
  className: string;
  children: ReactNode;
}

/** A link to the external scheduling page, or to the contact form of a firm without one. */
export function ConsultationLink({ className, children }: ConsultationLinkProps) {
  const { schedulingUrl } = useSite().contact;
  // The consultation bar looks for `data-consultation`.
  return schedulingUrl ? (
    <ExternalLink href={schedulingUrl} className={className} data-consultation>
      {children}
    </ExternalLink>
  ) : (
    <Link to="/contact" className={className} data-consultation>
      Get in touch
    </Link>
  );
}
