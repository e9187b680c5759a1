import { type ServiceLink, siteOf, useSite } from "../config/use-site.ts";
import { type About, breadcrumbs, service } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import type { Route } from "./+types/services-page";
import { ServiceGrid } from "./service-grid.tsx";

export function meta({ matches }: Route.MetaArgs) {
  const { firm, services } = siteOf(matches);
  return pageMeta(
    { matches },
    {
      title: `Our Financial Services | ${firm.name}`,
      description: describe(firm.name, services),
      path: "/services",
    },
  );
}

export function structuredData(about: About) {
  return [
    ...about.site.services.map((entry) => service(about, entry)),
    breadcrumbs(about, ["Services", "/services"]),
  ];
}

/** The names of as many services as search results show. */
function describe(firm: string, services: readonly ServiceLink[]): string {
  const titles = services.map(({ cardTitle }) => cardTitle);
  const sentence = (count: number) =>
    `What ${firm} offers: ${[...titles.slice(0, count), ...(count < titles.length ? ["and more"] : [])].join(", ")}.`;
  let count = titles.length;
  while (count > 1 && sentence(count).length > 155) count -= 1;
  return count > 0 ? sentence(count) : `The services of ${firm}.`;
}

export default function ServicesPage() {
  const { services, servicesLead } = useSite();
  return (
    <div className="wrap section">
      <PageHeading title="My Services" lead={servicesLead} />
      <div className="mt-12">
        <ServiceGrid services={services} headingLevel={2} />
      </div>
    </div>
  );
}
