import type { Site } from "../config/public-site.ts";
import type { ShareText } from "./page-meta.ts";

interface PublicPage {
  path: string;
  /** The text of its share image. */
  share: ShareText;
}

/** Indexed pages that always exist, so without posts. */
export function publicPages({ firm, adviser, home, services, ...site }: Site): PublicPage[] {
  return [
    page("/", adviser.name, firm.tagline || firm.name),
    page("/services", adviser.name, home.servicesHeading),
    ...services.map(({ slug, title }) => page(`/services/${slug}`, "Services", title)),
    page("/blog", adviser.name, site.blog.heading),
    page("/testimonials", adviser.name, site.testimonials.heading),
    page("/savings-calculator", adviser.name, "Calculators"),
    page("/contact", adviser.name, "Get in Touch"),
  ];
}

export function findPublicPage(site: Site, path: string): PublicPage | undefined {
  return publicPages(site).find((candidate) => candidate.path === path);
}

function page(path: string, label: string, headline: string): PublicPage {
  return { path, share: { label, headline } };
}
