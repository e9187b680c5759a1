// The rules for the list of services: their addresses, order and the redirects of former addresses.

import {
  type FieldInfo,
  type SectionName,
  type Service,
  type SiteSettings,
  sectionSchemas,
} from "../../config/site-schema.ts";
import { describeEmptyServices, unreadFields, unreadTexts } from "../../config/unfinished-texts.ts";
import { elementOf, fieldsOf, fitDocument, limitOf, shapeLike } from "./fields.ts";

export type Services = SiteSettings["services"];

const schemas = sectionSchemas.services.shape;
const maxRedirects = limitOf(schemas.redirects) ?? 0;
const maxSlugLength = 80;

/** Reserved slugs: the site may add pages with these addresses below /services. */
const reservedSlugs = new Set(["all", "edit", "new"]);

/** The last part of a service's address, made from its title: "service" when no letter remains. */
export function slugOf(title: string): string {
  const slug = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f'’]/g, "")
    .replace(/&/g, " and ")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxSlugLength)
    .replace(/^-+|-+$/g, "");
  return slug || "service";
}

export function freeSlug(services: Services, title: string): string {
  const slug = slugOf(title);
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : `-${number}`;
    const candidate = `${slug.slice(0, maxSlugLength - suffix.length).replace(/-+$/, "")}${suffix}`;
    if (findSlugProblem(services, candidate) === null) return candidate;
  }
}

/** The reason why a new service cannot have this address; null when it can. */
export function findSlugProblem({ items }: Services, slug: string): string | null {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
    return "Use lower-case letters, digits and single hyphens, such as life-insurance.";
  }
  if (slug.length > maxSlugLength) return `Use at most ${maxSlugLength} characters.`;
  if (reservedSlugs.has(slug)) return "The site itself needs this address. Choose another one.";
  const owner = items.find((service) => service.slug === slug);
  return owner ? `“${owner.title}” has this address already. Choose another one.` : null;
}

/**
 * The address to offer for a service whose title has changed, or no longer has the words of its address.
 * @param publishedTitle undefined for an address that was never published
 */
export function suggestSlug(
  services: Services,
  { slug, title }: Service,
  publishedTitle: string | undefined,
): string | null {
  const others = services.items.filter((other) => other.slug !== slug);
  const suggested = freeSlug({ ...services, items: others }, title);
  // Titles in other scripts make no address.
  if (suggested === slug || slugOf(title) === "service") return null;
  const words = slugOf(title).split("-");
  const fits = slug.split("-").every((word) => words.includes(word));
  const isChanged = publishedTitle !== undefined && publishedTitle !== title;
  return fits && !isChanged ? null : suggested;
}

export function newService(slug: string, title: string): Service {
  // The value has the type that the schema requires.
  return shapeLike(elementOf(schemas.items), { slug, title }) as Service;
}

/** Adds a service at the end. A redirect from its address is removed. */
export function addService(services: Services, service: Service): Services {
  return {
    ...services,
    items: [...services.items, service],
    redirects: services.redirects.filter(({ from }) => from !== service.slug),
  };
}

/** @param to where its page leads to: the slug of another service, "" for /services, null for nowhere */
export function removeService(services: Services, slug: string, to: string | null): Services {
  return {
    ...services,
    items: services.items.filter((service) => service.slug !== slug),
    redirects: leadOn(services, slug, to ?? "", to !== null),
  };
}

/**
 * The redirects once an address has no service: those to it get its own target.
 * @param isKnown whether it leads there itself
 */
function leadOn({ redirects }: Services, slug: string, to: string, isKnown: boolean) {
  const others = redirects
    .filter(({ from }) => from !== slug && from !== to)
    .map((redirect) => (redirect.to === slug ? { ...redirect, to } : redirect));
  return isKnown ? [...others.slice(-(maxRedirects - 1)), { from: slug, to }] : others;
}

/** @param isKnown whether visitors may know the old one, which leads to the new one then */
export function changeSlug(
  services: Services,
  slug: string,
  to: string,
  isKnown: boolean,
): Services {
  return {
    ...services,
    items: services.items.map((service) =>
      service.slug === slug ? { ...service, slug: to } : service,
    ),
    redirects: leadOn(services, slug, to, isKnown),
  };
}

export function redirectTargets({ items }: Services, slug: string): Service[] {
  return items.filter((service) => service.slug !== slug && !service.hidden);
}

export function changeService(
  services: Services,
  slug: string,
  changes: Partial<Omit<Service, "slug">>,
): Services {
  const change = (service: Service) =>
    service.slug === slug ? { ...service, ...changes } : service;
  return { ...services, items: services.items.map(change) };
}

/**
 * What the owner has not read in a document of the settings, and what visitors would miss. It can be published all the same.
 * @param step of the setup: only of the fields that it shows
 */
export function findWarnings(
  section: SectionName,
  document: object,
  step?: FieldInfo["first"],
): string[] {
  const fitted = fitDocument(section, document);
  const shown = fieldsOf(sectionSchemas[section]).filter(({ info }) => info.first === step);
  const unread = step
    ? shown.flatMap(({ name }) => unreadFields(section, fitted).get(name) ?? [])
    : unreadTexts(section, fitted);
  return [
    ...(unread.length > 0
      ? [`You have not read what came with your site: ${unread.join(", ")}`]
      : []),
    ...("items" in fitted ? describeEmptyServices(fitted) : []),
  ];
}
