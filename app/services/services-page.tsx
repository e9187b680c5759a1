import { siteOf, useSite } from "../config/use-site.ts";
import { type About, breadcrumbs, service } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import type { Route } from "./+types/services-page";
import { ServiceGrid } from "./service-grid.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches }, { ...siteOf(matches).pages.services, path: "/services" });
}

export function structuredData(about: About) {
  return [
    ...about.site.services.map((entry) => service(about, entry)),
    breadcrumbs(about, ["Services", "/services"]),
  ];
}

export default function ServicesPage() {
  const { home, services, servicesLead } = useSite();
  return (
    <div className="wrap section">
      <PageHeading title={home.servicesHeading} lead={servicesLead} />
      <div className="mt-12">
        <ServiceGrid services={services} headingLevel={2} />
      </div>
    </div>
  );
}
