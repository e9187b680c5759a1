// What visitors' pages show of the settings. Runs on the server; pages receive the result from the root loader.

import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { IconNode } from "lucide";
import { defaultSettings } from "./site.ts";
import { iconShapes } from "./site-icons.ts";
import type { Service, SiteSettings } from "./site-schema.ts";

/** A service on cards and in lists. */
export interface ServiceCard {
  slug: string;
  /** On the service's own page and on the post forms. */
  title: string;
  /** On cards and in lists (section 2). */
  cardTitle: string;
  description: string;
  icon: IconNode;
}

/** The site as every page may show it. Texts, images and links are empty or null when the owner gave none. */
export interface Site {
  /** Whether this is still the fictional firm of a new site. */
  isDefault: boolean;
  firm: SiteSettings["firm"];
  adviser: SiteSettings["adviser"] & {
    /** With credentials. */
    fullName: string;
  };
  /** Without the street and the postal code when they are hidden. */
  contact: SiteSettings["contact"] & {
    /** `tel:` with the country code and the extension. */
    phoneUrl: string;
    /** In one line. */
    addressLine: string;
    mapUrl: string;
  };
  licences: SiteSettings["licences"];
  disclosures: Omit<SiteSettings["disclosures"], "mails">;
  home: SiteSettings["home"];
  /** Without hidden ones. */
  services: ServiceCard[];
  servicesLead: string;
  blog: Pick<SiteSettings["blog"], "heading" | "lead">;
  testimonials: SiteSettings["testimonials"];
  /** Whether search engines may list the site. */
  isVisible: boolean;
  countsVisits: boolean;
}

export function toPublicSite(settings: SiteSettings): Site {
  const { firm, adviser, licences, home, services, blog, testimonials } = settings;
  const contact = settings.contact.showStreet
    ? settings.contact
    : { ...settings.contact, street: "", postalCode: "" };
  const { mails: _, ...disclosures } = settings.disclosures;
  const addressLine = formatAddress(contact);
  return {
    isDefault: firm.name === defaultSettings.firm.name,
    firm,
    adviser: {
      ...adviser,
      fullName: [adviser.name, adviser.credentials].filter(Boolean).join(", "),
    },
    contact: {
      ...contact,
      phoneUrl: phoneUrl(contact),
      addressLine,
      mapUrl:
        addressLine &&
        `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(addressLine)}`,
    },
    licences,
    disclosures,
    home,
    services: visibleServices(settings).map(toCard),
    servicesLead: services.lead,
    blog: { heading: blog.heading, lead: blog.lead },
    testimonials,
    isVisible: settings.site.visible,
    countsVisits: settings.site.countVisits,
  };
}

export function visibleServices({ services }: SiteSettings): Service[] {
  return services.items.filter(({ hidden }) => !hidden);
}

/** A visible service with its full text, where a deleted one leads to, or null. */
export function findService(
  settings: SiteSettings,
  slug: string,
): Service | { movedTo: string } | null {
  const visible = visibleServices(settings);
  const service = visible.find((candidate) => candidate.slug === slug);
  if (service) return service;
  const redirect = settings.services.redirects.find(({ from }) => from === slug);
  if (!redirect) return null;
  // The successor may be hidden meanwhile.
  const exists = visible.some((candidate) => candidate.slug === redirect.to);
  return { movedTo: exists ? `/services/${redirect.to}` : "/services" };
}

function toCard({ slug, title, cardTitle, description, icon }: Service): ServiceCard {
  return { slug, title, cardTitle: cardTitle || title, description, icon: iconShapes[icon] };
}

function formatAddress({ street, city, region, postalCode }: SiteSettings["contact"]): string {
  const area = [region, postalCode].filter(Boolean).join(" ");
  return [street, city, area].filter(Boolean).join(", ");
}

function phoneUrl({ phone, country }: SiteSettings["contact"]): string {
  if (!phone) return "";
  // The schema allows any two letters; the library ignores a country that it does not know.
  const parsed = parsePhoneNumberFromString(phone, { defaultCountry: country as "US" });
  return parsed?.getURI() ?? `tel:${phone.replace(/[^\d+]/g, "")}`;
}
