// The pages that visitors are led to. The menu, the footer, the sitemap, share images and redirects follow from this list.
import type { HomeSection, Site } from "./public-site.ts";
import type { SiteSettings } from "./site-schema.ts";

export interface PageLink {
  path: string;
  label: string;
}

interface SitePage extends PageLink {
  /** A page is switched off when all its switches are. */
  switches?: SiteSettings["pages"]["hidden"];
  /** What the footer links to: the page, or a section of the home page while that is shown. */
  footer?: "page" | HomeSection;
}

/** In the order of the menu. */
const sitePages: readonly SitePage[] = [
  { path: "/", label: "Home" },
  { path: "/services", label: "Services", footer: "services" },
  {
    path: "/testimonials",
    label: "Testimonials",
    footer: "testimonials",
    switches: ["testimonials"],
  },
  { path: "/blog", label: "Blog", footer: "page", switches: ["blog"] },
  {
    path: "/savings-calculator",
    label: "Savings Calculator",
    switches: ["lifeInsuranceCalculator", "retirementCalculator"],
  },
  { path: "/contact", label: "Contact", footer: "page" },
];

/** @param hidden the sections that the home page does not show */
export function linksToPages(
  { pages, testimonials }: SiteSettings,
  hidden: readonly HomeSection[],
): Pick<Site, "menu" | "quickLinks" | "closed"> {
  const isOff = ({ switches = [] }: SitePage) =>
    switches.length > 0 && switches.every((name) => pages.hidden.includes(name));
  const shown = sitePages.filter((page) => !isOff(page));
  const quickLinks = shown.flatMap(({ path, label, footer }) => {
    if (!footer) return [];
    // Without samples, the home page may have no testimonials to show.
    const mayBeEmpty = footer === "testimonials" && !testimonials.samples;
    const hasSection = footer !== "page" && !hidden.includes(footer) && !mayBeEmpty;
    return { path: hasSection ? `/#${footer}` : path, label };
  });
  if (!hidden.includes("about")) quickLinks.splice(1, 0, { path: "/#about", label: "About" });
  return {
    menu: shown.map(({ path, label }) => ({ path, label })),
    quickLinks,
    closed: sitePages.filter(isOff).map(({ path }) => path),
  };
}

/** Whether an address belongs to a page that is switched off. Those of the editor stay. */
export function isClosed({ closed }: Pick<Site, "closed">, pathname: string): boolean {
  const address = `${pathname.toLowerCase()}/`;
  return (
    closed.some((path) => address.startsWith(`${path}/`)) &&
    !/^\/blog\/(new|[^/]+\/edit)\/+$/.test(address)
  );
}
