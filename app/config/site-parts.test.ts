import { expect, test } from "vitest";
import { toPublicSite } from "./public-site.ts";
import { defaultSettings } from "./site.ts";
import { partsOf, selectParts, siteParts } from "./site-parts.ts";

const site = toPublicSite(defaultSettings);

test("the home page and the owner's pages have all settings", () => {
  for (const path of ["/", "/manage", "/manage/settings/home"]) {
    expect(selectParts(site, partsOf(path))).toEqual(site);
  }
});

test("the page of the services has their cards, and no texts of the home page", () => {
  const { services, home } = selectParts(site, partsOf("/services"));
  expect(services).toEqual(site.services);
  expect(home.introduction).toBe("");
});

test("other pages have what header, footer and structured data show", () => {
  for (const path of ["/contact", "/blog", "/services/life-insurance", "/managed"]) {
    expect(partsOf(path)).toBe(siteParts.frame);
  }
  const { firm, contact, home, services, adviser } = selectParts(site, siteParts.frame);
  expect({ firm, contact, hidden: home.hidden, portrait: adviser.portrait }).toEqual({
    firm: site.firm,
    contact: site.contact,
    hidden: site.home.hidden,
    portrait: site.adviser.portrait,
  });
  expect(services.map(({ slug, title, cardTitle }) => [slug, title, cardTitle])).toEqual(
    site.services.map(({ slug, title, cardTitle }) => [slug, title, cardTitle]),
  );
  expect(JSON.stringify({ services, home })).not.toMatch(/explained until you could|Bring nothing/);
});
