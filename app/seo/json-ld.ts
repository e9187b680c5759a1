// Structured data (schema.org). Without AggregateRating: search engines show no stars for reviews that a
// business publishes about itself.
import type {
  BreadcrumbList,
  InsuranceAgency,
  ListItem,
  Person,
  Service,
  WebSite,
} from "schema-dts";
import type { ServiceCatalogueEntry } from "../config/service-catalogue.ts";
import { mapUrl, phoneUrl, site } from "../config/site.ts";
import { shareImagePath } from "./page-meta.ts";

/** All data of the firm. Other pages use `businessReference`. */
export function business(siteUrl: string): InsuranceAgency {
  const { street, city, region, postalCode, country } = site.address;
  return {
    "@type": "InsuranceAgency",
    ...reference(businessId(siteUrl), site.brand, siteUrl),
    description: site.tagline,
    telephone: phoneUrl.replace("tel:", ""),
    email: site.email,
    image: siteUrl + shareImagePath("/"),
    logo: `${siteUrl}/favicon.svg`,
    address: {
      "@type": "PostalAddress",
      streetAddress: street,
      addressLocality: city,
      addressRegion: region,
      postalCode,
      addressCountry: country,
    },
    hasMap: mapUrl,
    areaServed: area(),
    founder: { "@id": adviserId(siteUrl) },
    sameAs: site.socials.map(({ url }) => url),
  };
}

export function adviser(siteUrl: string): Person {
  return {
    "@type": "Person",
    ...reference(adviserId(siteUrl), site.adviser.name, siteUrl),
    jobTitle: site.adviser.title,
    image: siteUrl + site.adviser.portrait.src,
    worksFor: { "@id": businessId(siteUrl) },
  };
}

export function website(siteUrl: string): WebSite {
  return {
    "@type": "WebSite",
    ...reference(`${siteUrl}/#website`, site.brand, siteUrl),
    publisher: { "@id": businessId(siteUrl) },
    inLanguage: "en-US",
  };
}

export function service(
  siteUrl: string,
  entry: Pick<ServiceCatalogueEntry, "slug" | "title" | "description">,
): Service {
  return {
    "@type": "Service",
    name: entry.title,
    description: entry.description,
    serviceType: entry.title,
    url: `${siteUrl}/services/${entry.slug}`,
    provider: businessReference(siteUrl),
    areaServed: area(),
  };
}

export function businessReference(siteUrl: string): InsuranceAgency {
  return {
    "@type": "InsuranceAgency",
    ...reference(businessId(siteUrl), site.brand, siteUrl),
  };
}

export function authorReference(siteUrl: string, name: string): Person {
  // Nothing but the name is known about an author who is not the adviser.
  return name === site.adviser.name
    ? { "@type": "Person", ...reference(adviserId(siteUrl), name, siteUrl) }
    : { "@type": "Person", name };
}

/** @param steps name and site-relative URL of each page below the home page */
export function breadcrumbs(siteUrl: string, ...steps: [name: string, path: string][]) {
  const items = [["Home", "/"], ...steps].map(
    ([name, path], index): ListItem => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: `${siteUrl}${path}`,
    }),
  );
  return { "@type": "BreadcrumbList", itemListElement: items } satisfies BreadcrumbList;
}

function reference(id: string, name: string, siteUrl: string) {
  return { "@id": id, name, url: `${siteUrl}/` };
}

const businessId = (siteUrl: string) => `${siteUrl}/#business`;
const adviserId = (siteUrl: string) => `${siteUrl}/#adviser`;

function area() {
  return { "@type": "State", name: site.areaServed } as const;
}
