import { expect, test } from "vitest";
import { searchResults } from "./search-results.ts";
import { completeSettings, defaultSettings } from "./site.ts";
import { type SiteSettings, sectionSchemas } from "./site-schema.ts";

/** Of a firm that gave nothing but its name, and these sections. */
function resultsOf(sections: Partial<SiteSettings> = {}) {
  const firm = sectionSchemas.firm.parse({ name: "Marlow & Crane" });
  return searchResults(completeSettings({ firm, ...sections }));
}

test("the fictional firm has the titles of the specification", () => {
  const pages = searchResults(defaultSettings);
  expect(pages).toMatchObject({
    ...{ home: { title: "Life Insurance & Financial Planning | Secure Your Family's Future" } },
    ...{ services: { title: `Our Financial Services | ${defaultSettings.firm.name}` } },
    ...{ blog: { title: "Blog | Financial Insights & Strategies" } },
    serviceEnding: "My Expert Financial Services",
  });
  expect(pages.contact.description).toContain("free consultation");
});

test("empty titles and descriptions are made from a firm's name alone", () => {
  const {
    hidden: _hidden,
    menuOrder: _order,
    menuNames: _names,
    calculatorsButton,
    serviceEnding,
    ...pages
  } = resultsOf({
    services: sectionSchemas.services.parse({}),
  });
  expect([calculatorsButton, serviceEnding]).toEqual(["Schedule a Consultation", "Marlow & Crane"]);
  expect(pages).toEqual({
    home: { title: "Marlow & Crane", description: "Marlow & Crane." },
    services: {
      title: "My Services | Marlow & Crane",
      description: "The services of Marlow & Crane.",
    },
    testimonials: {
      title: "Testimonials | Marlow & Crane",
      description: "Reviews of Marlow & Crane. Read them, or leave your own.",
    },
    blog: { title: "Blog | Marlow & Crane", description: "Articles from Marlow & Crane." },
    calculators: {
      title: "Savings Calculator | Marlow & Crane",
      description:
        "The savings calculator of Marlow & Crane, for rough estimates. Nothing you enter is stored.",
    },
    contact: {
      title: "Contact | Marlow & Crane",
      description: "How to reach Marlow & Crane, and a form to send a message.",
    },
  });
});

test("they name the adviser, the city and the services when these are given", () => {
  const pages = resultsOf({
    adviser: sectionSchemas.adviser.parse({ name: "Jo Crane", title: "Insurance counsellor" }),
    contact: sectionSchemas.contact.parse({ city: "Boise" }),
    services: sectionSchemas.services.parse({
      items: [
        { slug: "a", title: "Farm Succession" },
        { slug: "b", title: "B", hidden: true },
      ],
    }),
  });
  expect(pages).toMatchObject({
    home: {
      title: "Marlow & Crane | Insurance counsellor",
      description: "Marlow & Crane in Boise. Jo Crane, Insurance counsellor.",
    },
    services: { description: "What Marlow & Crane offers: Farm Succession." },
    contact: {
      title: "Contact Jo Crane | Marlow & Crane",
      description:
        "How to reach Jo Crane of Marlow & Crane in Boise, and a form to send a message.",
    },
  });
});

test("a name that ends with a full stop gets no second one", () => {
  const firm = sectionSchemas.firm.parse({ name: "Marlow, Inc." });
  const services = sectionSchemas.services.parse({});
  expect(JSON.stringify(resultsOf({ firm, services }))).not.toContain("..");
});

test("what the owner wrote is used as it is", () => {
  const home = { title: "Counsel in Boise", description: "" };
  const pages = resultsOf({ pages: sectionSchemas.pages.parse({ home, serviceEnding: "Crane" }) });
  expect(pages.home).toEqual({ title: "Counsel in Boise", description: "Marlow & Crane." });
  expect(pages.serviceEnding).toBe("Crane");
});
