import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { serviceCatalogue } from "../config/service-catalogue.ts";
import { ServiceIcon } from "./service-icon.tsx";

/** The seven service cards in 1, 2 or 3 columns, coming in 0.1 s apart (section 2). */
export function ServiceGrid({ headingLevel }: { headingLevel: 2 | 3 }) {
  const Heading = headingLevel === 2 ? "h2" : "h3";
  return (
    <ul className="grid gap-5 md:grid-cols-2 lg:grid-cols-3">
      {serviceCatalogue.map(({ slug, cardTitle, description, icon }, index) => (
        <li key={slug} className="stagger" style={{ "--i": index }}>
          <Link
            to={`/services/${slug}`}
            className="group flex h-full flex-col rounded-lg border border-line/80 bg-surface p-7 shadow-card transition-shadow hover:shadow-lift"
          >
            <span className="flex size-13 items-center justify-center rounded-md bg-sage text-evergreen">
              <ServiceIcon name={icon} className="size-7" />
            </span>
            <Heading className="mt-5 text-xl">{cardTitle}</Heading>
            <p className="mt-2 mb-5 text-muted">{description}</p>
            <ArrowRight
              aria-hidden="true"
              className="mt-auto size-5 text-clay transition-transform group-hover:translate-x-1"
            />
          </Link>
        </li>
      ))}
    </ul>
  );
}
