import { serviceCatalogue, serviceCount } from "../config/service-catalogue.ts";
import { site } from "../config/site.ts";
import type { ShareText } from "./page-meta.ts";

export interface PublicPage {
  path: string;
  /** The text of its share image. */
  share: ShareText;
}

/** Indexed pages that always exist, so without posts. */
export const publicPages: readonly PublicPage[] = [
  page("/", site.adviser.name, site.tagline),
  page("/services", "My Services", `${serviceCount} tools, chosen for your situation`),
  ...serviceCatalogue.map(({ slug, title }) => page(`/services/${slug}`, "Services", title)),
  page("/blog", "Blog", "Financial insights and strategies"),
  page("/testimonials", "Testimonials", "Client Success Stories"),
  page("/savings-calculator", "Savings Calculator", "Two rough sums to start a conversation with"),
  page("/contact", "Contact", `Ask ${site.adviser.name} the first question`),
];

export function findPublicPage(path: string): PublicPage | undefined {
  return publicPages.find((candidate) => candidate.path === path);
}

function page(path: string, label: string, headline: string): PublicPage {
  return { path, share: { label, headline } };
}
