// Structured data (schema.org). A route exports `structuredData`, which the server alone calls: crawlers load every page
// as a document. Without AggregateRating: search engines show no stars for reviews that a business publishes about
// itself.
import type {
  BreadcrumbList,
  Graph,
  InsuranceAgency,
  ListItem,
  Person,
  Service,
  Thing,
  WebSite,
} from "schema-dts";
import { publicImageAddress } from "../config/image-address.ts";
import type { ServiceCard, Site } from "../config/public-site.ts";
import { shareImagePath } from "./page-meta.ts";

/** What structured data is about: the site at its public address. */
export interface About {
  siteUrl: string;
  site: Site;
}

/** What a route exports as `structuredData`. */
export type StructuredData<LoaderData = unknown> = (
  about: About,
  loaderData: LoaderData,
) => Thing[];

/** The element for the page's head. Stored text can't end it. */
export function jsonLdScript(nodes: Thing[]): string {
  const graph: Graph = { "@context": "https://schema.org", "@graph": nodes };
  return `<script type="application/ld+json">${escapeScript(JSON.stringify(graph))}</script>`;
}

/** JSON as the content of a script element, which no text in it can end. */
export function escapeScript(json: string): string {
  return json.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

/** All data of the firm. Other pages use `businessReference`. */
export function business(about: About): InsuranceAgency {
  const { siteUrl, site } = about;
  const { contact, firm } = site;
  return {
    "@type": "InsuranceAgency",
    ...reference(businessId(siteUrl), firm.name, siteUrl),
    ...(firm.tagline && { description: firm.tagline }),
    ...(contact.phoneUrl && { telephone: contact.phoneUrl.replace("tel:", "") }),
    ...(contact.email && { email: contact.email }),
    image: firm.shareImage
      ? publicImageAddress(firm.shareImage.src, siteUrl)
      : siteUrl + shareImagePath("/"),
    logo: firm.logo ? publicImageAddress(firm.logo.src, siteUrl) : `${siteUrl}/favicon.svg`,
    ...(contact.city && {
      address: {
        "@type": "PostalAddress",
        ...(contact.street && { streetAddress: contact.street }),
        addressLocality: contact.city,
        ...(contact.region && { addressRegion: contact.region }),
        ...(contact.postalCode && { postalCode: contact.postalCode }),
        addressCountry: contact.country,
      },
      hasMap: contact.mapUrl,
    }),
    ...area(site),
    employee: { "@id": adviserId(siteUrl) },
    ...(contact.socials.length > 0 && { sameAs: contact.socials.map(({ url }) => url) }),
  };
}

export function adviser({ siteUrl, site }: About): Person {
  return {
    "@type": "Person",
    ...reference(adviserId(siteUrl), site.adviser.name, siteUrl),
    ...(site.adviser.firstName && { givenName: site.adviser.firstName }),
    ...(site.adviser.title && { jobTitle: site.adviser.title }),
    ...portraitOf(site, siteUrl),
    ...(site.adviser.credentials && { honorificSuffix: site.adviser.credentials }),
    ...licenses(site),
    worksFor: { "@id": businessId(siteUrl) },
  };
}

export function website({ siteUrl, site }: About): WebSite {
  return {
    "@type": "WebSite",
    ...reference(`${siteUrl}/#website`, site.firm.name, siteUrl),
    publisher: { "@id": businessId(siteUrl) },
    inLanguage: "en-US",
  };
}

export function service(
  about: About,
  entry: Pick<ServiceCard, "slug" | "title" | "description">,
): Service {
  return {
    "@type": "Service",
    name: entry.title,
    description: entry.description,
    serviceType: entry.title,
    url: `${about.siteUrl}/services/${entry.slug}`,
    provider: businessReference(about),
    ...area(about.site),
  };
}

export function businessReference({ siteUrl, site }: About): InsuranceAgency {
  return {
    "@type": "InsuranceAgency",
    ...reference(businessId(siteUrl), site.firm.name, siteUrl),
  };
}

export function adviserReference({ siteUrl, site }: About): Person {
  return {
    "@type": "Person",
    ...reference(adviserId(siteUrl), site.adviser.name, siteUrl),
    ...portraitOf(site, siteUrl),
  };
}

/** @param steps name and site-relative URL of each page below the home page */
export function breadcrumbs({ siteUrl }: About, ...steps: [name: string, path: string][]) {
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

function portraitOf({ adviser: { portrait } }: Site, siteUrl: string) {
  return portrait && { image: publicImageAddress(portrait.src, siteUrl) };
}

function licenses({ licenses: { licenses: all, npn } }: Site) {
  return {
    ...(npn && {
      identifier: { "@type": "PropertyValue", propertyID: "NPN", value: npn } as const,
    }),
    ...(all.length > 0 && {
      hasCredential: all.map(
        ({ state, type, number, expires }) =>
          ({
            "@type": "EducationalOccupationalCredential",
            credentialCategory: "license",
            name: `${type} license, ${state}`,
            ...(number && { identifier: number }),
            validIn: { "@type": "AdministrativeArea", name: state },
            ...(expires && { expires }),
          }) as const,
      ),
    }),
  };
}

function area({ licenses }: Site) {
  const states = licenses.statesServed;
  return states.length > 0
    ? { areaServed: states.map((name) => ({ "@type": "State", name }) as const) }
    : {};
}
