import type { Site } from "../config/public-site.ts";
import type { ShareText } from "./page-meta.ts";

interface PublicPage {
  path: string;
  /** The text of its share image. */
  share: ShareText;
}

/** Indexed pages without the posts: those of the menu, the services, and the owner's own. */
export function publicPages({ firm, adviser, home, services, menu, ...site }: Site): PublicPage[] {
  const headlines: Readonly<Record<string, string>> = {
    "/": firm.tagline || firm.name,
    "/services": home.servicesHeading,
    "/testimonials": site.testimonials.heading,
    "/blog": site.blog.heading,
    "/contact": "Get in Touch",
  };
  return [
    ...menu.map(({ path, label }) => page(path, adviser.name, headlines[path] ?? label)),
    ...services.map(({ slug, title }) => page(`/services/${slug}`, "Services", title)),
    ...site.ownPages.map(({ path, label }) => page(path, firm.name, label)),
  ];
}

/** Also finds pages without content, which are not indexed. */
export function findPublicPage(site: Site, path: string): PublicPage | undefined {
  const menu = [...site.menu, ...site.empty];
  return publicPages({ ...site, menu }).find((candidate) => candidate.path === path);
}

function page(path: string, label: string, headline: string): PublicPage {
  return { path, share: { label, headline } };
}
