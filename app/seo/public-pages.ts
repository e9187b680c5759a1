import type { Site } from "../config/public-site.ts";
import type { ShareText } from "./page-meta.ts";

interface PublicPage {
  path: string;
  /** The text of its share image. */
  share: ShareText;
}

/** Indexed pages that always exist, so without posts. */
export function publicPages({ firm, adviser, home, services, blog }: Site): PublicPage[] {
  return [
    page("/", adviser.name, firm.tagline || firm.name),
    page("/services", home.servicesHeading, "Chosen for your situation"),
    ...services.map(({ slug, title }) => page(`/services/${slug}`, "Services", title)),
    page("/blog", "Blog", blog.heading),
    page("/testimonials", "Testimonials", "Client Success Stories"),
    page(
      "/savings-calculator",
      "Savings Calculator",
      "Two rough sums to start a conversation with",
    ),
    page("/contact", "Contact", `Ask ${adviser.name} the first question`),
  ];
}

export function findPublicPage(site: Site, path: string): PublicPage | undefined {
  return publicPages(site).find((candidate) => candidate.path === path);
}

function page(path: string, label: string, headline: string): PublicPage {
  return { path, share: { label, headline } };
}
