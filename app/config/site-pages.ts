// The public pages that have an entry in the menu. The footer, the sitemap, share images, redirects, the count of visits and
// the reserved addresses also follow from this list.
import { z } from "zod";
import { homeOrder } from "./home-order.ts";
import { menuPages, type SiteSettings } from "./site-schema.ts";

export type HomeSection = SiteSettings["home"]["hidden"][number];

interface PageLink {
  path: string;
  label: string;
}

/** A page of the owner's own, and where it is linked. */
export interface OwnPageLink extends PageLink {
  place: "menu" | "footer" | "none";
}

/** Whether there are posts, and testimonials of clients on the site. */
export interface StoredContent {
  posts: boolean;
  testimonials: boolean;
}
/** The row `ownPages` of the public settings, which private.refresh_page_links writes. */
export const ownPagesSchema = z.object({
  items: z.array(
    z.object({ slug: z.string(), title: z.string(), place: z.enum(["menu", "footer", "none"]) }),
  ),
  /** Where former addresses lead. */
  former: z.record(z.string(), z.string()),
});

interface SitePage {
  name: keyof typeof menuPages;
  path: string;
  /** A page is switched off when all its switches are. */
  switches?: SiteSettings["pages"]["hidden"];
  /** What the footer links to: the page, or a section of the home page while that is shown. */
  footer?: "page" | HomeSection;
  /** What its forms post without scripts. Each answer is shown at the page's address. */
  posts?: readonly string[];
  /** Whether its address with `?sent` thanks for a message. */
  thanks?: true;
}

const sitePages: readonly SitePage[] = [
  { name: "home", path: "/", thanks: true },
  { name: "services", path: "/services", footer: "services" },
  {
    name: "testimonials",
    path: "/testimonials",
    footer: "testimonials",
    switches: ["testimonials"],
  },
  { name: "blog", path: "/blog", footer: "page", switches: ["blog"] },
  {
    name: "calculators",
    path: "/savings-calculator",
    switches: ["lifeInsuranceCalculator", "retirementCalculator"],
    posts: ["calculator=coverage", "calculator=retirement"],
  },
  { name: "contact", path: "/contact", footer: "page", thanks: true },
];

/** Their addresses without the slash, such as `contact`. The home page has none. */
export const menuSegments = sitePages.flatMap(({ path }) => path.slice(1) || []);

/** The answers to forms, as the page's path and what is posted. */
export const postedForms = sitePages.flatMap(({ path, posts = [] }) =>
  posts.map((form) => `${path}?${form}`),
);

/** The addresses of pages after a message was sent. */
export const thanksPaths = sitePages.flatMap(({ path, thanks }) => (thanks ? `${path}?sent` : []));

/** The addresses of lists that have nothing to show. */
export function emptyPaths({ testimonials }: SiteSettings, stored: StoredContent): string[] {
  const hasTestimonials = stored.testimonials || testimonials.samples;
  return [...(stored.posts ? [] : ["/blog"]), ...(hasTestimonials ? [] : ["/testimonials"])];
}

export function linksToPages(
  { pages, home }: SiteSettings,
  hidden: readonly HomeSection[],
  emptyPaths: readonly string[],
) {
  const isOff = ({ switches = [] }: SitePage) =>
    switches.length > 0 && switches.every((name) => pages.hidden.includes(name));
  const { menuOrder, menuNames } = pages;
  const linkTo = ({ name, path }: SitePage): PageLink => ({
    path,
    label: menuNames[name] || menuPages[name],
  });
  // Pages without a place in the order come last.
  const rank = ({ name }: SitePage) => menuOrder.indexOf(name) + 1 || sitePages.length + 1;
  const ordered =
    menuOrder.length > 0 ? sitePages.toSorted((a, b) => rank(a) - rank(b)) : sitePages;
  const open = ordered.filter((page) => !isOff(page));
  const isEmpty = ({ path }: SitePage) => emptyPaths.includes(path);
  const shown = open.filter((page) => !isEmpty(page));
  const quickLinks = shown.flatMap((page) => {
    const { path, label } = linkTo(page);
    const { footer } = page;
    if (!footer) return [];
    const hasSection = footer !== "page" && !hidden.includes(footer);
    const link = { path: hasSection ? `/#${footer}` : path, label };
    const hasAbout = path === "/services" && !hidden.includes("about");
    return hasAbout ? [link, { path: "/#about", label: "About" }] : [link];
  });
  // The menu's own order wins. In the usual order all places are the same.
  const followsHome = home.order.length > 0 && menuOrder.length === 0;
  const order = followsHome ? [...home.order, ...homeOrder] : [];
  const place = ({ path }: PageLink) => order.findIndex((section) => path.endsWith(section));
  quickLinks.sort((a, b) => place(a) - place(b));
  return {
    /** The pages that are not switched off and not empty, in order. */
    menu: shown.map(linkTo),
    /** The pages without content. Their addresses work, and nothing leads to them. */
    empty: open.filter(isEmpty).map(linkTo),
    /** The links of the footer: to pages, and to sections of the home page. */
    quickLinks,
    /** The paths of the pages that are switched off. */
    closed: sitePages.filter(isOff).map(({ path }) => path),
  };
}
