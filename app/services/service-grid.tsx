import { ArrowRight } from "lucide";
import { Link } from "react-router";
import type { ServiceCard } from "../config/use-site.ts";
import { ConsultationLink } from "../ui/consultation-link.tsx";
import { Icon } from "../ui/icon.ts";

// Width of the panel by the number of cards in the last row, at 2 and at 3 columns.
const mediumSpans = ["md:col-span-2", "md:col-span-1"];
const largeSpans = ["lg:col-span-3", "lg:col-span-2", "lg:col-span-1"];

/** The classes that make the last row complete for any number of cards. */
export function panelSpans(cards: number): string {
  return `${mediumSpans[cards % 2]} ${largeSpans[cards % 3]}`;
}

interface ServiceGridProps {
  services: ServiceCard[];
  headingLevel: 2 | 3;
}

/** The service cards in 1, 2 or 3 columns. A panel fills the rest of the last row, or a row of its own. */
export function ServiceGrid({ services, headingLevel }: ServiceGridProps) {
  const Heading = headingLevel === 2 ? "h2" : "h3";
  return (
    <div className="grid gap-px overflow-hidden rounded-lg border border-line md:grid-cols-2 lg:grid-cols-3">
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari ignores lists with `display: contents`. */}
      <ul role="list" className="contents">
        {services.map(({ slug, cardTitle, description, icon }, index) => (
          <li
            key={slug}
            className="stagger group relative grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-5 bg-surface p-6 ring-1 ring-line transition-colors hover:bg-sand md:flex md:flex-col md:p-9"
            style={{ "--i": index }}
          >
            <Icon
              drawing={icon}
              strokeWidth={1.5}
              className="row-span-2 size-8 text-clay md:size-9"
            />
            <Heading className="text-xl md:mt-6">
              <Link to={`/services/${slug}`} className="card-link">
                {cardTitle}
              </Link>
            </Heading>
            {/* Rendered even when empty, because it separates the arrow from the title. */}
            <p className="mt-1.5 text-muted md:mt-2 md:mb-6">{description}</p>
            <Icon
              drawing={ArrowRight}
              className="mt-auto size-5 text-evergreen transition-transform group-hover:translate-x-1 max-md:hidden"
            />
          </li>
        ))}
      </ul>
      <div
        className={`flex flex-col justify-center bg-sage p-7 ring-1 ring-line sm:p-9 ${panelSpans(services.length)}`}
      >
        <Heading className="text-2xl">Not sure which of these you need?</Heading>
        <p className="mt-3 max-w-xl text-muted">
          Few people are. Say who depends on you and what worries you, and ask which of these apply.
          Sometimes it is none of them.
        </p>
        <p className="mt-5">
          <ConsultationLink
            otherwise="Ask a question"
            className="inline-block py-1 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-6 hover:text-pine"
          >
            Ask in a free conversation
          </ConsultationLink>
        </p>
      </div>
    </div>
  );
}
