// Each page receives the settings that it shows and no others, which saves every visit 2 to 4 KB.
import { matchPath } from "react-router";
import type { ServiceCard, Site } from "./public-site.ts";

/** How much of the settings a page receives; each part includes those before it. */
export const siteParts = {
  /** What header, footer and most pages show. */
  frame: 0,
  /** And the cards of the services. */
  serviceCards: 1,
  /** And the texts of the home page. */
  home: 2,
  /** And what only the owner's pages show. */
  whole: 3,
} as const;
export type PartName = keyof typeof siteParts;
export type SiteParts = (typeof siteParts)[PartName];

/** What the page at this path needs. The router matches any case, encoded letters and further slashes, too. */
export function partsOf(path: string): SiteParts {
  const decoded = decode(path);
  if (matchPath("/", decoded)) return siteParts.home;
  if (matchPath("/manage/*", decoded)) return siteParts.whole;
  return matchPath("/services", decoded) ? siteParts.serviceCards : siteParts.frame;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What all pages receive. Optional texts, images and links are absent when the owner gave none. */
export interface FrameSite extends Pick<Site, (typeof frameKeys)[number]> {
  colors?: Site["colors"];
  firm: Pick<Site["firm"], "name"> & Partial<Pick<Site["firm"], (typeof firmKeys)[number]>>;
  adviser: Pick<Site["adviser"], "name">;
  contact: Pick<Site["contact"], "timeZone" | "socials"> &
    Partial<Pick<Site["contact"], (typeof contactKeys)[number]>>;
  disclosures: Pick<Site["disclosures"], "footer"> & Partial<Site["disclosures"]>;
  home: Pick<Site["home"], "hidden">;
  services: ServiceLink[];
}

export type ServiceLink = Pick<ServiceCard, "slug" | "title" | "cardTitle">;

type CardsKeys = "services" | "servicesLead";
type HomeKeys = CardsKeys | "home" | "adviser";

/** What a page receives, by the name of its part. */
export interface SiteWith {
  frame: FrameSite;
  serviceCards: Omit<FrameSite, CardsKeys> & Pick<Site, CardsKeys>;
  home: Omit<FrameSite, HomeKeys> & Pick<Site, HomeKeys>;
  whole: Site;
}

const frameKeys = [
  "isDefault",
  "visible",
  "monogram",
  "licenceLines",
  "blog",
  "testimonials",
] as const;
const firmKeys = ["shortName", "tagline", "logo", "logoDark", "icon", "shareImage"] as const;
const contactKeys = [
  "phone",
  "phoneUrl",
  "email",
  "addressLine",
  "city",
  "schedulingUrl",
  "answerTime",
] as const;

export function selectParts(site: Site, parts: SiteParts): FrameSite {
  if (parts === siteParts.whole) return site;
  const { firm, adviser, contact, disclosures, home, services, servicesLead } = site;
  const frame: FrameSite = {
    ...pick(site, frameKeys),
    ...given(pick(site, ["colors"])),
    firm: { name: firm.name, ...given(pick(firm, firmKeys)) },
    adviser: { name: adviser.name },
    contact: { ...pick(contact, ["timeZone", "socials"]), ...given(pick(contact, contactKeys)) },
    disclosures: { footer: disclosures.footer, ...given(disclosures) },
    home: { hidden: home.hidden },
    services: services.map((card) => pick(card, ["slug", "title", "cardTitle"])),
  };
  if (parts === siteParts.frame) return frame;
  const cards = { ...frame, services, servicesLead } satisfies SiteWith["serviceCards"];
  if (parts === siteParts.serviceCards) return cards;
  return { ...cards, home, adviser } satisfies SiteWith["home"];
}

function pick<Fields extends object, Key extends keyof Fields>(
  fields: Fields,
  keys: readonly Key[],
): Pick<Fields, Key> {
  // Each key is one of the object's.
  return Object.fromEntries(keys.map((key) => [key, fields[key]])) as Pick<Fields, Key>;
}

/** The fields that are not empty. */
function given<Fields extends object>(fields: Fields): Partial<Fields> {
  const filled = Object.entries(fields).filter(([, value]) => value && value.length !== 0);
  // A part of the same object.
  return Object.fromEntries(filled) as Partial<Fields>;
}
