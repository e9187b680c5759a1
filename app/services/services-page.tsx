import { siteOf, useSite } from "../config/use-site.ts";
import { breadcrumbs, service } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import type { Route } from "./+types/services-page";
import { ServiceGrid } from "./service-grid.tsx";

export function meta({ matches }: Route.MetaArgs) {
  const { firm, adviser, services } = siteOf(matches);
  return pageMeta(
    { matches },
    {
      title: `Our Financial Services | ${firm.name}`,
      description: `How ${adviser.name} helps families and business owners: life insurance, retirement, tax-aware growth and estate planning.`,
      path: "/services",
      jsonLd: (about) => [
        ...services.map((entry) => service(about, entry)),
        breadcrumbs(about, ["Services", "/services"]),
      ],
    },
  );
}

export default function ServicesPage() {
  const { servicesLead } = useSite();
  return (
    <div className="wrap section">
      <PageHeading title="My Services" lead={servicesLead} />
      <div className="mt-12">
        <ServiceGrid headingLevel={2} />
      </div>
    </div>
  );
}
