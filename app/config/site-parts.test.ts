import { expect, test } from "vitest";
import { toPublicSite } from "./public-site.ts";
import { defaultSettings } from "./site.ts";
import { partsOf, selectParts, siteParts } from "./site-parts.ts";

const site = toPublicSite(defaultSettings);
const sentTo = (path: string) => selectParts(site, partsOf(path));

test("the owner's pages have all settings", () => {
  for (const path of ["/manage", "/manage/settings/home"]) {
    expect(sentTo(path)).toEqual(site);
  }
});

test("the home page has its texts and the cards of the services", () => {
  const { home, adviser, services, servicesLead } = site;
  expect(sentTo("/")).toMatchObject({ home, adviser, services, servicesLead });
});

test("the page of the services has their cards, and no texts of the home page", () => {
  const { services, servicesLead } = site;
  expect(sentTo("/services")).toMatchObject({ services, servicesLead });
  expect(sentTo("/services").home).toEqual({ hidden: [] });
});

test("other spellings of a path, which the router matches too, have the same settings", () => {
  for (const [path, parts] of [
    ["//", siteParts.home],
    ["/SERVICES/", siteParts.serviceCards],
    ["/%73ervices//", siteParts.serviceCards],
    ["/Manage/settings", siteParts.whole],
    ["/%", siteParts.frame],
  ] as const) {
    expect(partsOf(path), path).toBe(parts);
  }
});

test("other pages have what header, footer and most pages show", () => {
  for (const path of ["/contact", "/blog", "/services/life-insurance", "/managed"]) {
    expect(partsOf(path)).toBe(siteParts.frame);
  }
  const frame = selectParts(site, siteParts.frame);
  expect(frame).toMatchObject({
    firm: { name: site.firm.name, tagline: site.firm.tagline },
    adviser: { name: site.adviser.name },
    services: site.services.map(({ slug, title, cardTitle }) => ({ slug, title, cardTitle })),
  });
  expect(JSON.stringify(frame)).not.toMatch(/explained until you could|Bring nothing/);
});

test("no visitor's page has empty texts or what only structured data shows", () => {
  for (const path of ["/contact", "/services"]) {
    expect(JSON.stringify(sentTo(path))).not.toMatch(/""|postalCode|npn|countsVisits/);
  }
});
