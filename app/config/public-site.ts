// What visitors' pages show of the settings. Runs on the server; pages receive the result from the root loader.

import type { IconNode } from "lucide";
import {
  dayIn,
  describeLicenses,
  isCurrentLicense,
  isSameState,
  knownTimeZone,
  type LinePart,
} from "../../supabase/functions/_shared/licenses.ts";
import { dialUrl } from "./dial-url.ts";
import { homeOrder } from "./home-order.ts";
import { derivePalette, type SchemeColors } from "./palette.ts";
import { searchResults } from "./search-results.ts";
import { serviceIcons } from "./service-icons.ts";
import { defaultSettings } from "./site.ts";
import {
  emptyPaths,
  type HomeSection,
  linksToPages,
  type OwnPageLink,
  type StoredContent,
} from "./site-pages.ts";
import type { Service, SiteSettings } from "./site-schema.ts";

export interface ServiceCard {
  slug: string;
  /** The title on the service's own page and on the post forms. */
  title: string;
  cardTitle: string;
  description: string;
  icon: IconNode;
  /** Former slugs, and those of deleted services that lead here. */
  formerSlugs?: string[];
}

export type ServiceLink = Pick<ServiceCard, "slug" | "title" | "cardTitle" | "formerSlugs">;

/** The site as every page may show it. Texts, images and links are empty or null when the owner gave none. */
export type Site = ReturnType<typeof toPublicSite> & {
  /** In the preview of /manage/settings: the draft that the page of a service shows. */
  editedService?: Service;
};

/** @param day of the site's time zone: a notice and licenses end without a change of the settings */
export function toPublicSite(
  settings: SiteSettings,
  stored: StoredContent = { posts: true, testimonials: true },
  ownPages: OwnPageLink[] = [],
  day = dayIn(settings.contact.timeZone, Date.now()),
) {
  const { services, blog, testimonials } = settings;
  const { logo, logoDark, icon, shareImage, darkVersion } = settings.look;
  const firm = { ...settings.firm, ...{ logo, logoDark, icon, shareImage } };
  const licenses = currentLicenses(settings.licenses, day);
  const { starter: _adviser, ...adviser } = settings.adviser;
  const { starter: _home, ...home } = settings.home;
  const { showStreet, timeZone } = settings.contact;
  const contact = {
    ...settings.contact,
    ...(!showStreet && { street: "", postalCode: "" }),
    timeZone: knownTimeZone(timeZone),
  };
  const { mails: _mails, ...disclosures } = settings.disclosures;
  const { filedName: _name, domicile: _state, ...rest } = licenses;
  const { notOffered: _not, affiliation: _affiliation, ...numbers } = rest;
  const { menuOrder: _order, menuNames: _names, ...pages } = searchResults(settings);
  const isDefault = firm.name === defaultSettings.firm.name;
  const empty = emptyPaths(settings, stored);
  const hidden = hiddenSections(settings, empty);
  return {
    /** Whether this is still the fictional firm of a new site. */
    isDefault,
    visible: settings.site.visible,
    firm,
    /** Up to two initials that replace a logo; null for the default firm, which has its own mark. */
    monogram: isDefault ? null : initialsOf(firm.name),
    colors: toColors(settings.look),
    /** Whether visitors whose device is set to dark colors see a dark version. */
    hasDark: darkVersion === "device",
    adviser: {
      ...adviser,
      /** The name as headings show it. */
      shownName: keepTogether(adviser.name),
      /** The name with credentials. */
      fullName: keepTogether([adviser.name, adviser.credentials].filter(Boolean).join(", ")),
    },
    /** The address without the street and the postal code when they are hidden. */
    contact: {
      ...contact,
      /** A `tel:` link with the country code and the extension. */
      phoneUrl: dialUrl(contact.phone, contact.country) ?? "",
      addressLine: keepTogether(formatAddress(contact)),
      /** A map search for the address. */
      mapUrl: `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(formatAddress(contact))}`,
    },
    licenses: numbers,
    /** "Licensed in Oregon, Washington" or "Licensed in 12 states"; empty without licenses. */
    licensedIn: licensedIn(licenses.licenses.map(({ state }) => state)),
    /** The sentences of the footer about licenses, states and affiliation. */
    licenseLines: licenseLines(settings.licenses, day, isDefault),
    disclosures,
    /** Without empty texts. */
    pages,
    ...linksToPages(settings, hidden, empty),
    /** Those that are not hidden, in order. */
    ownPages,
    /** `hidden` includes the sections without content or without their page. */
    home: { ...home, hidden, order: [...new Set([...home.order, ...homeOrder])] },
    services: visibleServices(settings).map((service) => toCard(service, settings)),
    servicesLead: services.lead,
    /** After the last service; without a title there is none. */
    servicesPanel: { title: services.panelTitle, text: services.panelText },
    calculators: settings.calculators,
    blog: {
      ...{ heading: blog.heading, lead: blog.lead },
      /** The end of the titles of posts, categories and searches. */
      titleEnding: isDefault ? "Blog" : firm.name,
    },
    notice: shownNotice(settings, day),
    testimonials,
    countsVisits: settings.site.countVisits,
    stored,
  };
}

function shownNotice({ notice }: SiteSettings, day: string) {
  const { text, link, firstDay, lastDay } = notice;
  return text && firstDay <= day && (lastDay === "" || day <= lastDay) ? { text, link } : null;
}

/** Without licenses that expired before the day, and without served states that only such licenses name. */
function currentLicenses(settings: SiteSettings["licenses"], day: string) {
  const licenses = settings.licenses.filter((license) => isCurrentLicense(license, day));
  const names = (list: typeof licenses, state: string) =>
    list.some((license) => isSameState(license.state, state));
  const statesServed = settings.statesServed.filter(
    (state) => names(licenses, state) || !names(settings.licenses, state),
  );
  return { ...settings, licenses, statesServed };
}

function visibleServices({ services }: SiteSettings): Service[] {
  return services.items.filter(({ hidden }) => !hidden);
}

/** A service as its own page shows it. */
export type ShownService = Omit<Service, "hidden" | "starter">;

/** A visible service with its full text, where a former address leads to, or null. */
export function findService(
  settings: SiteSettings,
  slug: string,
): ShownService | { movedTo: string } | null {
  const visible = visibleServices(settings);
  const service = visible.find((candidate) => candidate.slug === slug);
  if (service) {
    const { hidden: _hidden, starter: _starter, ...shown } = service;
    return shown;
  }
  const redirect = settings.services.redirects.find(({ from }) => from === slug);
  if (!redirect) return null;
  // The service that the redirect leads to may have been hidden since.
  const exists = visible.some((candidate) => candidate.slug === redirect.to);
  return { movedTo: exists ? `/services/${redirect.to}` : "/services" };
}

function toCard(service: Service, { services }: SiteSettings): ServiceCard {
  const { slug, title, cardTitle, description, icon } = service;
  const formerSlugs = services.redirects.filter(({ to }) => to === slug).map(({ from }) => from);
  return {
    slug,
    title,
    cardTitle: cardTitle || title,
    description,
    icon: joinPaths(serviceIcons[icon].shape),
    ...(formerSlugs.length > 0 && { formerSlugs }),
  };
}

function hiddenSections(
  { home, adviser, services, pages }: SiteSettings,
  emptyPaths: readonly string[],
): HomeSection[] {
  const { lead, paragraphs, bullets, portrait } = adviser;
  const empty: [HomeSection, boolean][] = [
    ["about", !lead && !portrait && paragraphs.length + bullets.length === 0],
    ["services", services.items.every(({ hidden }) => hidden)],
    ["approach", home.approachSteps.length === 0],
    ["testimonials", pages.hidden.includes("testimonials") || emptyPaths.includes("/testimonials")],
    ["blog", pages.hidden.includes("blog") || emptyPaths.includes("/blog")],
  ];
  const added = empty.flatMap(([section, isEmpty]) => (isEmpty ? section : []));
  return [...new Set([...home.hidden, ...added])];
}

/** "MC" for "Marlow & Crane Financial"; small words count only when there are no others. */
export function initialsOf(name: string): string {
  const words = name.normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const main = words.filter((word) => !/^(and|the|of|de|la|del|y|e)$/i.test(word));
  // A name of two letters is its own monogram.
  const [first = "", second] = main.length > 0 ? main : words;
  if (!second) return first.length === 2 ? first : initial(first);
  return initial(first) + initial(second);
}

function initial(word: string): string {
  return [...word].slice(0, 1).join("").toUpperCase();
}

function licenseLines(
  settings: SiteSettings["licenses"],
  day: string,
  isDefault: boolean,
): LinePart[][] {
  const { licenses, filedName, domicile, notOffered, affiliation } = settings;
  const { statesServed } = currentLicenses(settings, day);
  const licensed = describeLicenses(settings, day);
  // Without licenses, the fictional firm of a new site claims no states.
  const showStates = statesServed.length > 0 && !(isDefault && licensed.length === 0);
  const lines = [
    filedName && `Name as filed with the insurance department: ${filedName}.`,
    domicile && `State of domicile: ${domicile}.`,
    showStates && `Serving clients in ${statesServed.join(", ")}.`,
    licenses.length > 0 && notOffered,
    ...paragraphsOf(affiliation),
  ];
  return [licensed, ...lines.map((line) => (line ? [line] : []))].filter(({ length }) => length);
}

function licensedIn(all: readonly string[]): string {
  const states = all.filter((state, index) => {
    return all.findIndex((other) => isSameState(other, state)) === index;
  });
  if (states.length === 0) return "";
  return `Licensed in ${states.length > 3 ? `${states.length} states` : states.join(", ")}`;
}

function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n/).flatMap((paragraph) => paragraph.trim() || []);
}

function toColors({ mainColor, accentColor, background, darkVersion }: SiteSettings["look"]) {
  const { light, dark } = derivePalette(mainColor, accentColor, background);
  if (!light.paper) return null;
  const named = (scheme: "light" | "dark", colors: SchemeColors) =>
    Object.entries(colors).map(([name, value]) => [`--${scheme}-${name}`, value] as const);
  return {
    /** Custom properties of the root element; tokens.css reads them. */
    properties: Object.fromEntries([
      ...named("light", light),
      ...(darkVersion === "device" ? named("dark", dark) : []),
    ]),
    /** The background of the page in each scheme, for `theme-color`. */
    papers: { light: light.paper, dark: dark.paper ?? "" },
  };
}

/** An icon with all of its paths joined into one, which halves its size. */
export function joinPaths(icon: IconNode): IconNode {
  const paths = icon.flatMap(([shape, { d }]) =>
    shape === "path" && typeof d === "string" ? [absoluteStart(d)] : [],
  );
  const others = icon.filter(([shape]) => shape !== "path");
  return paths.length > 0 ? [["path", { d: paths.join("") }], ...others] : others;
}

/** Makes a leading `m` absolute, as it is in a path of its own. The commands after it stay relative. */
function absoluteStart(path: string): string {
  const [, x, y, rest = ""] = path.match(/^m\s*(-?[\d.]+)[\s,]*(-?\d*\.?\d+)[\s,]*(.*)$/s) ?? [];
  if (x === undefined) return path;
  return `M${x} ${y}${/^[-.\d]/.test(rest) ? "l" : ""}${rest}`;
}

function formatAddress({ street, city, region, postalCode }: SiteSettings["contact"]): string {
  const area = [region, postalCode].filter(Boolean).join(" ");
  return [street, city, area].filter(Boolean).join(", ");
}

/** Prevents line breaks after an abbreviation and before a number: "Dr. Ada Byron", "Suite 4, Salem, OR 97301". */
export function keepTogether(text: string): string {
  return text.replace(/(?<=\.) | (?=\d)/g, "\u00a0");
}
