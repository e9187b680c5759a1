import { expect, test } from "vitest";
import { findPublicPage, publicPages } from "../seo/public-pages.ts";
import { toPublicSite } from "./public-site.ts";
import { defaultSettings } from "./site.ts";
import { type SiteSettings, settingsSchema } from "./site-schema.ts";
import { isClosed } from "./use-site.ts";

type Hidden = SiteSettings["pages"]["hidden"];

function siteWithout(hidden: Hidden, sections: object = {}) {
  return toPublicSite(settingsSchema.parse({ ...defaultSettings, pages: { hidden }, ...sections }));
}

const paths = (links: readonly { path: string }[]) => links.map(({ path }) => path);

test.each<[Hidden, string[]]>([
  [["blog"], ["/blog"]],
  [["testimonials"], ["/testimonials"]],
  [["lifeInsuranceCalculator"], []],
  [["retirementCalculator"], []],
  [["lifeInsuranceCalculator", "retirementCalculator"], ["/savings-calculator"]],
])("without %j, the addresses %j are closed and nothing leads to them", (hidden, closed) => {
  const site = siteWithout(hidden);
  expect(site.closed).toEqual(closed);
  const all = siteWithout([]);
  const isOpen = (path: string) => !closed.includes(path);
  expect(paths(site.menu)).toEqual(paths(all.menu).filter(isOpen));
  expect(paths(publicPages(site))).toEqual(paths(publicPages(all)).filter(isOpen));
  expect(paths(site.quickLinks)).toEqual(
    paths(all.quickLinks).filter((path) => isOpen(path.replace("/#", "/"))),
  );
  for (const section of ["blog", "testimonials"] as const) {
    expect(site.home.hidden.includes(section)).toBe(hidden.includes(section));
  }
});

test("the texts of other pages speak of no page that can be switched off", () => {
  const { pages, services, home, contact } = defaultSettings;
  const texts = JSON.stringify([pages.home, pages.contact, services, home, contact]);
  expect(texts).not.toMatch(/the (calculator|blog|testimonials)/i);
});

test("the footer links to the page of a section that the home page does not show", () => {
  const without = (section: object) => paths(siteWithout([], section).quickLinks);
  expect(without({ home: { hidden: ["about", "services"] } })).toEqual([
    ...["/services", "/#testimonials", "/blog", "/contact"],
  ]);
});

test("sections of the home page that have no place in the order come last, and the footer follows", () => {
  const site = siteWithout([], { home: { order: ["contact", "testimonials"] } });
  expect(site.home.order).toEqual([
    ...["contact", "testimonials", "about", "services", "approach", "blog"],
  ]);
  expect(paths(site.quickLinks)).toEqual([
    ...["/contact", "/#testimonials", "/#about", "/#services", "/blog"],
  ]);
  expect(siteWithout([], {}).home.order[0]).toBe("about");
});

test("the owner names and orders the pages of the menu, and the footer follows", () => {
  const usual = siteWithout([]);
  expect(usual.menu.map(({ label }) => label)).toEqual([
    ...["Home", "Services", "Testimonials", "Blog", "Savings Calculator", "Contact"],
  ]);
  expect(usual.quickLinks.map(({ label }) => label)).toEqual([
    ...["Services", "About", "Testimonials", "Blog", "Contact"],
  ]);
  const menuNames = { ...defaultSettings.pages.menuNames, blog: "Articles", home: "Start" };
  const { menu, quickLinks } = siteWithout([], {
    home: { order: ["testimonials"] },
    pages: { menuOrder: ["home", "contact", "blog"], menuNames, hidden: ["testimonials"] },
  });
  expect(menu.map(({ label }) => label)).toEqual([
    ...["Start", "Contact", "Articles", "Services", "Savings Calculator"],
  ]);
  expect(quickLinks.map(({ label }) => label)).toEqual([
    ...["Contact", "Articles", "Services", "About"],
  ]);
});

test("a list without content is left out of menu, footer, home page and sitemap, and its address works", () => {
  const settings = settingsSchema.parse({ ...defaultSettings, testimonials: { samples: false } });
  const site = toPublicSite(settings, { posts: false, testimonials: false });
  expect(paths(site.menu)).toEqual(["/", "/services", "/savings-calculator", "/contact"]);
  expect(paths(site.quickLinks)).toEqual(["/#services", "/#about", "/contact"]);
  expect(site.home.hidden).toEqual(expect.arrayContaining(["blog", "testimonials"]));
  expect(paths(publicPages(site))).not.toContain("/blog");
  expect(isClosed(site, "/blog")).toBe(false);
  expect(findPublicPage(site, "/testimonials")).toBeDefined();

  const blog = toPublicSite(settings, { posts: true, testimonials: false });
  expect(paths(blog.menu)).toContain("/blog");
  expect(paths(blog.menu)).not.toContain("/testimonials");
  const samples = toPublicSite(defaultSettings, { posts: false, testimonials: false });
  expect(paths(samples.quickLinks)).toContain("/#testimonials");
});

test.each([
  ["/blog", true],
  ["/BLOG/", true],
  ["/blog/a-post", true],
  ["/blog/category/taxes", true],
  ["/blog/preview/0b7e9f5c-5a55-4c0e-9d6c-000000000001", false],
  ["/blog/new", false],
  ["/blog/a-post/edit", false],
  ["/blogging", false],
  ["/testimonials", false],
  ["/", false],
])("while the blog is switched off, %s is closed: %s", (address, closed) => {
  expect(isClosed({ closed: ["/blog"] }, address)).toBe(closed);
});
