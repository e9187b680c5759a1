import { serviceCatalogue } from "../config/service-catalogue.ts";

/** The services that a post names, in the catalogue's order. What is unknown or malformed is skipped. */
export function findRelatedServices(relatedServices: unknown) {
  if (!Array.isArray(relatedServices)) return [];
  const slugs = new Set(relatedServices.map((related: { slug?: unknown } | null) => related?.slug));
  return serviceCatalogue.filter(({ slug }) => slugs.has(slug));
}
