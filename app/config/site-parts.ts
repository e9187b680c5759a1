// Texts that only few pages show are left out of the other pages, which saves each visit 2 to 3 KB.
import type { Site } from "./public-site.ts";

/** How much of the settings a page shows; each part includes those before it. */
export const siteParts = {
  /** What header, footer and most pages show. */
  frame: 0,
  /** And the descriptions and icons of the services. */
  serviceCards: 1,
  /** And the texts of the home page. */
  whole: 2,
} as const;
export type SiteParts = (typeof siteParts)[keyof typeof siteParts];

/** What the page at this path needs. */
export function partsOf(path: string): SiteParts {
  if (path === "/" || /^\/manage(\/|$)/.test(path)) return siteParts.whole;
  return /^\/services\/?$/.test(path) ? siteParts.serviceCards : siteParts.frame;
}

/** The same settings with empty texts in place of those that are left out. */
export function selectParts(site: Site, parts: SiteParts): Site {
  if (parts === siteParts.whole) return site;
  const { home, adviser, services } = site;
  return {
    ...site,
    adviser: { ...adviser, lead: "", paragraphs: [], bullets: [] },
    home: {
      ...home,
      ...{ introduction: "", hero: null, assurances: [], approachHeading: "", approachSteps: [] },
      ...{ servicesLead: "", contactLead: "", servicesHeading: "", testimonialsHeading: "" },
      ...{ blogHeading: "", contactHeading: "" },
    },
    services:
      parts === siteParts.serviceCards
        ? services
        : services.map((card) => ({ ...card, description: "", icon: [] })),
  };
}
