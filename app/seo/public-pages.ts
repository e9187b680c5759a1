import type { Site } from "../config/public-site.ts";
import type { ShareText } from "./page-meta.ts";

interface PublicPage {
  path: string;
  /** The text of its share image. */
  share: ShareText;
}

/** Indexed pages without the posts: those of the menu, and the services. */
export function publicPages({ firm, adviser, home, services, blog, menu }: Site): PublicPage[] {
  const labels: Readonly<Record<string, string>> = {
    "/": adviser.name,
    "/services": home.servicesHeading,
  };
  const headlines: Readonly<Record<string, string>> = {
    "/": firm.tagline || firm.name,
    "/services": "Chosen for your situation",
    "/testimonials": "Client Success Stories",
    "/blog": blog.heading,
    "/savings-calculator": "Rough sums to start a conversation with",
    "/contact": `Ask ${adviser.name} the first question`,
  };
  return [
    ...menu.map(({ path, label }) => page(path, labels[path] ?? label, headlines[path] ?? label)),
    ...services.map(({ slug, title }) => page(`/services/${slug}`, "Services", title)),
  ];
}

export function findPublicPage(site: Site, path: string): PublicPage | undefined {
  return publicPages(site).find((candidate) => candidate.path === path);
}

function page(path: string, label: string, headline: string): PublicPage {
  return { path, share: { label, headline } };
}
