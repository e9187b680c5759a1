import type { ReactNode } from "react";
import { Link } from "react-router";
import { useSite } from "../config/use-site.ts";
import { ExternalLink } from "./external-link.tsx";

interface ConsultationLinkProps {
  className: string;
  children: ReactNode;
  /** The text when there is no scheduling page and the link leads to the contact form. */
  otherwise?: string;
}

/** A link to the external scheduling page, or to the contact form of a firm without one. */
export function ConsultationLink(props: ConsultationLinkProps) {
  const { className, children, otherwise = "Get in touch" } = props;
  const { schedulingUrl } = useSite().contact;
  // The consultation bar looks for `data-consultation`.
  return schedulingUrl ? (
    <ExternalLink href={schedulingUrl} className={className} data-consultation>
      {children}
    </ExternalLink>
  ) : (
    <Link to="/contact" className={className} data-consultation>
      {otherwise}
    </Link>
  );
}
