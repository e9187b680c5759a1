import { ArrowRight } from "lucide";
import { Link } from "react-router";
import { serviceCatalogue } from "../config/service-catalogue.ts";
import { site } from "../config/site.ts";
import { ExternalLink } from "../ui/external-link.tsx";
import { Icon } from "../ui/icon.ts";
import { ServiceIcon } from "./service-icon.tsx";

/**
 * The seven service cards in 1, 2 or 3 columns, coming in 0.1 s apart (section 2). What seven leave
 * free of the last row belongs to those who don't know which one they need.
 */
export function ServiceGrid({ headingLevel }: { headingLevel: 2 | 3 }) {
  const Heading = headingLevel === 2 ? "h2" : "h3";
  return (
    <div className="grid gap-px overflow-hidden rounded-lg border border-line md:grid-cols-2 lg:grid-cols-3">
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari forgets a list that has no box of its own. */}
      <ul role="list" className="contents">
        {serviceCatalogue.map(({ slug, cardTitle, description, icon }, index) => (
          <li
            key={slug}
            className="stagger group relative grid grid-cols-[auto_1fr] items-start gap-x-5 bg-surface p-6 ring-1 ring-line transition-colors hover:bg-sand md:flex md:flex-col md:p-9"
            style={{ "--i": index }}
          >
            <ServiceIcon name={icon} className="row-span-2 size-8 text-clay md:size-9" />
            <Heading className="text-xl md:mt-6">
              {/* The whole card leads on; the link is called by its title alone. */}
              <Link to={`/services/${slug}`} className="card-link">
                {cardTitle}
              </Link>
            </Heading>
            <p className="mt-1.5 text-muted md:mt-2 md:mb-6">{description}</p>
            <Icon
              drawing={ArrowRight}
              className="mt-auto size-5 text-evergreen transition-transform group-hover:translate-x-1 max-md:hidden"
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-col justify-center bg-sage p-7 ring-1 ring-line sm:p-9 lg:col-span-2">
        <Heading className="text-2xl">Not sure which of these you need?</Heading>
        <p className="mt-3 max-w-xl text-muted">
          Few people are. Tell me who depends on you and what worries you, and I will tell you which
          of the seven apply. Sometimes it is none of them.
        </p>
        <p className="mt-5">
          <ExternalLink
            href={site.schedulingUrl}
            className="inline-block py-1 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-6 hover:text-pine"
          >
            Ask in a free conversation
          </ExternalLink>
        </p>
      </div>
    </div>
  );
}
