import { serviceCatalogue, serviceCount } from "../config/service-catalogue.ts";
import { site } from "../config/site.ts";
import { breadcrumbs, service } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import type { Route } from "./+types/services-page";
import { ServiceGrid } from "./service-grid.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(
    { matches },
    {
      title: `Our Financial Services | ${site.brand}`,
      description: `${serviceCount} ways ${site.adviser.name} helps families and business owners: life insurance, retirement, tax-aware growth and estate planning.`,
      path: "/services",
      jsonLd: (siteUrl) => [
        ...serviceCatalogue.map((entry) => service(siteUrl, entry)),
        breadcrumbs(siteUrl, ["Services", "/services"]),
      ],
    },
  );
}

export default function ServicesPage() {
  return (
    <div className="wrap section">
      <PageHeading
        title="My Services"
        lead="Most people need two or three of these, and never all of them. Each page says who should skip it."
      />
      <div className="mt-12">
        <ServiceGrid headingLevel={2} />
      </div>
    </div>
  );
}
