import type { IconNode } from "lucide";
import sharp from "sharp";
import { expect, test } from "vitest";
import { z } from "zod";
import { adviser } from "../seo/json-ld.ts";
import { initialsOf, joinPaths, toPublicSite } from "./public-site.ts";
import { serviceIcons } from "./service-icons.ts";
import { completeSettings, defaultSettings, isFictional, isPublicAddress } from "./site.ts";
import { type SiteSettings, sectionSchemas } from "./site-schema.ts";

/** A firm with a name and these sections only. */
function publicSite(sections: Partial<SiteSettings> = {}) {
  const firm = sectionSchemas.firm.parse({ name: "Marlow & Crane Financial" });
  return toPublicSite(completeSettings({ firm, ...sections }));
}

const contact = (fields: object) => sectionSchemas.contact.parse(fields);

test("the default site has its own mark, no colors and no license lines", () => {
  expect(toPublicSite(defaultSettings)).toMatchObject({
    isDefault: true,
    visible: true,
    monogram: null,
    colors: null,
    licenseLines: [],
  });
  expect(toPublicSite(defaultSettings).home.hidden).toEqual([]);
});

test("a firm that has published only its name shows nothing of the fictional firm", () => {
  const site = publicSite();
  const text = JSON.stringify(site);
  expect(isFictional(text)).toBe(false);
  expect(text).not.toMatch(/seven|no insurer employs me|take the page home|plain words/i);
  expect(site).toMatchObject({ isDefault: false, monogram: "MC", licenseLines: [] });
  expect(site.contact).toMatchObject({ addressLine: "", phoneUrl: "" });
});

test("a new firm starts with a complete home page, and visitors do not see what its owner has not read", () => {
  const site = publicSite();
  expect(site.home).toMatchObject({
    headline: "Welcome to Your Financial Future",
    hidden: [],
    hero: { src: "/images/neutral/hero.svg" },
  });
  expect(site.adviser.bullets).toEqual([
    "Personalized Financial Strategies",
    "Dedicated Client-First Approach",
    "Long-Term Security & Growth Planning",
  ]);
  expect(site.home.approachSteps.length).toBe(3);
  expect(JSON.stringify(site)).not.toContain("starter");
});

test("at a public address the samples show in a demonstration only, whatever the setting", () => {
  const samples = (published: object, isPublic: boolean) => {
    const testimonials = sectionSchemas.testimonials.parse(published);
    return completeSettings({ testimonials }, true, isPublic).testimonials.samples;
  };
  expect(completeSettings({}, true, true).testimonials.samples).toBe(false);
  expect(completeSettings({}).testimonials.samples).toBe(true);
  expect(samples({ samples: true }, true)).toBe(false);
  expect(samples({ samples: true }, false)).toBe(true);
  expect(samples({ samples: true, demonstration: true }, true)).toBe(true);
  expect(samples({ samples: false, demonstration: true }, true)).toBe(false);
});

test.each([
  ...["https://adviser.com", "http://8.8.8.8", "https://[2606:4700::1111]", "https://a.co.:1"],
  ...["https://example.com.au", "https://172.32.0.1", "https://10.adviser.com"],
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ...["http://localhost:3000", "http://127.0.0.1", "http://2130706433", "http://[::1]:3000"],
  ...["http://10.0.0.4", "http://172.16.1.1", "http://192.168.1.5", "http://169.254.1.1"],
  ...[
    "http://[fd00::1]",
    "http://[fe80::1]",
    "http://nas",
    "http://nas.local",
    "http://a.internal",
  ],
  ...[
    "https://adviser.test",
    "https://www.example.com",
    "https://a.example",
    "https://b.localhost.",
  ],
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ["Marlow & Crane Financial", "MC"],
  ["The House of Crane", "HC"],
  ["QX", "QX"],
  ["Crane", "C"],
  ["Núñez-O'Connor", "NO"],
  ["ångström de vries", "ÅV"],
  ["The", "T"],
  ["2 Rivers", "2R"],
  ["退職 計画", "退計"],
  ["***", ""],
])("the monogram of %s is %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("sections without content are hidden like those that are switched off", () => {
  const site = publicSite({
    adviser: sectionSchemas.adviser.parse({ name: "Jo", bullets: [] }),
    home: sectionSchemas.home.parse({ hidden: ["blog", "services"] }),
    services: sectionSchemas.services.parse({
      items: [{ slug: "a", title: "A", hidden: true }],
    }),
  });
  expect([...site.home.hidden].sort()).toEqual(["about", "approach", "blog", "services"]);
  expect(site.services).toEqual([]);
});

test("titles stay beside names, and numbers beside the words before them", () => {
  const site = publicSite({
    adviser: sectionSchemas.adviser.parse({ name: "Dr. Ada Byron", credentials: "CFP®" }),
    contact: contact({
      street: "9 Court, Suite 4",
      city: "Salem",
      region: "OR",
      postalCode: "97301",
    }),
  });
  expect(site.adviser.shownName).toBe("Dr.\u00a0Ada Byron");
  expect(site.adviser.fullName).toBe("Dr.\u00a0Ada Byron, CFP®");
  expect(site.contact.addressLine).toBe("9 Court, Suite\u00a04, Salem, OR\u00a097301");
  expect(site.contact.mapUrl).toContain("Suite%204");
});

test("the footer names licenses with their registers, the filed name, states served and affiliation", () => {
  const licenses = sectionSchemas.licenses.parse({
    licenses: [
      { state: "Oregon", type: "Life & Health", number: "123", link: "https://register.example/1" },
      { state: "Idaho", type: "Life" },
      { state: "CA", type: "Life", number: "0A12345" },
    ],
    npn: "456",
    crd: "789",
    filedName: "Ada B. Byron",
    domicile: "Oregon",
    statesServed: ["Oregon", "Idaho"],
    affiliation: "Affiliated with A.\n\nNot with B.",
  });
  expect(publicSite({ licenses }).licenseLines).toEqual([
    [
      "Licensed in ",
      { text: "Oregon (Life & Health, no. 123)", link: "https://register.example/1" },
      "; ",
      "Idaho (Life)",
      "; ",
      "CA (Life, Insurance License #0A12345)",
      ", ",
      "NPN 456",
      ", ",
      { text: "CRD 789", link: "https://brokercheck.finra.org/individual/summary/789" },
      ".",
    ],
    ["Name as filed with the insurance department: Ada B. Byron."],
    ["State of domicile: Oregon."],
    ["Serving clients in Oregon, Idaho."],
    [licenses.notOffered],
    ["Affiliated with A."],
    ["Not with B."],
  ]);
});

test("a license is shown until the end of its last day, and a state that is served with it alone", () => {
  const licenses = sectionSchemas.licenses.parse({
    licenses: [
      { state: "Ohio", type: "Life", expires: "2027-03-31" },
      { state: "CA", type: "Life", number: "1", expires: "2027-03-31" },
      { state: "California", type: "Health", number: "2" },
    ],
    statesServed: ["ohio", "California", "Utah"],
  });
  const firm = sectionSchemas.firm.parse({ name: "Marlow & Crane Financial" });
  const siteOn = (day: string) =>
    toPublicSite(completeSettings({ firm, licenses }), undefined, undefined, day);
  const lines = (day: string) => siteOn(day).licenseLines.map((line) => line.join(""));
  expect(lines("2027-03-31")).toEqual([
    "Licensed in Ohio (Life); CA (Life, Insurance License #1); California (Health, Insurance License #2).",
    "Serving clients in ohio, California, Utah.",
    licenses.notOffered,
  ]);
  expect(lines("2027-04-01")).toEqual([
    "Licensed in California (Health, Insurance License #2).",
    "Serving clients in California, Utah.",
    licenses.notOffered,
  ]);
  const site = siteOn("2027-04-01");
  expect(site.licenses.statesServed).toEqual(["California", "Utah"]);
  expect(adviser({ siteUrl: "https://site.example", site })).toMatchObject({
    hasCredential: [{ identifier: "2" }],
  });
});

test.each([
  ["states served", { statesServed: ["Oregon"] }, "Serving clients in Oregon."],
  ["a CRD number", { crd: "789" }, "CRD 789."],
])("without a license, the footer of a firm with %s says only that", (_what, fields, text) => {
  const { licenseLines } = publicSite({ licenses: sectionSchemas.licenses.parse(fields) });
  const texts = licenseLines.map((line) =>
    line.map((part) => (typeof part === "string" ? part : part.text)).join(""),
  );
  expect(texts).toEqual([text]);
});

test("the site has no setting that is private in the schema", () => {
  const site: Record<string, unknown> = publicSite();
  expect(site).not.toHaveProperty("mail");
  for (const [section, { shape }] of Object.entries(sectionSchemas)) {
    for (const [name, schema] of Object.entries(shape)) {
      if (z.globalRegistry.get(schema)?.private)
        expect(site[section] ?? {}).not.toHaveProperty(name);
    }
  }
});

test("a hidden street is nowhere on the site, and the city stays", () => {
  const site = publicSite({
    contact: contact({
      street: "1 Hidden Way",
      city: "Boise",
      region: "ID",
      postalCode: "83702",
      showStreet: false,
    }),
  });
  expect(site.contact.addressLine).toBe("Boise, ID");
  expect(JSON.stringify(site)).not.toMatch(/Hidden Way|83702/);
});

test("a phone link has the country code and the extension", () => {
  const site = publicSite({ contact: contact({ phone: "(503) 555-0142 ext. 12" }) });
  expect(site.contact.phoneUrl).toBe("tel:+15035550142;ext=12");
});

test("an unknown time zone does not break the dates of posts", () => {
  expect(publicSite({ contact: contact({ timeZone: "Mars/Olympus" }) }).contact.timeZone).toBe(
    "America/New_York",
  );
});

test("a firm's colors become custom properties for both schemes", () => {
  const look = sectionSchemas.look.parse({ mainColor: "#1f3a8a", darkVersion: "device" });
  const { colors, hasDark } = publicSite({ look });
  expect(colors?.properties).toMatchObject({ "--light-evergreen": "#1f3a8a" });
  expect(colors?.properties).toHaveProperty("--dark-evergreen");
  expect(colors?.papers.dark).toMatch(/^#[0-9a-f]{6}$/);
  expect(hasDark).toBe(true);
});

test("without a dark version a page has no dark colors, and a background alone is a color", () => {
  const look = sectionSchemas.look.parse({ background: "white" });
  const { colors, hasDark } = publicSite({ look });
  expect(hasDark).toBe(false);
  expect(colors?.properties).toMatchObject({ "--light-paper": "#ffffff" });
  expect(Object.keys(colors?.properties ?? {}).join()).not.toContain("--dark");
  expect(publicSite({ look: sectionSchemas.look.parse({}) }).colors).toBeNull();
});

test.each([
  [["Oregon"], "Licensed in Oregon"],
  [["Oregon", "oregon", "Washington"], "Licensed in Oregon, Washington"],
  [["Oregon", "Washington", "Idaho", "CA", "California"], "Licensed in 4 states"],
  [[], ""],
])("the states of the licenses %j are said as %j", (states, said) => {
  const licenses = sectionSchemas.licenses.parse({
    licenses: states.map((state) => ({ state, type: "Life", number: "1" })),
  });
  expect(publicSite({ licenses }).licensedIn).toBe(said);
});

test("an icon with joined paths looks the same", async () => {
  const render = (icon: IconNode) => {
    const shapes = icon.map(([shape, attributes]) => {
      const text = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
      return `<${shape} ${text.join(" ")}/>`;
    });
    return sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 24 24" fill="none" stroke="#000" stroke-width="2">${shapes.join("")}</svg>`,
      ),
    )
      .extractChannel("alpha")
      .raw()
      .toBuffer();
  };
  for (const [name, { shape: icon }] of Object.entries(serviceIcons)) {
    const [separate, joined] = await Promise.all([render(icon), render(joinPaths(icon))]);
    // Where two paths meet, their antialiased edges are blended once instead of twice.
    const different = separate.filter(
      (alpha, pixel) => Math.abs(alpha - (joined[pixel] ?? 0)) > 80,
    );
    expect([name, different.length]).toEqual([name, 0]);
  }
});

test("a notice without days shows until it is removed", () => {
  const notice = { text: "Closed", link: "/contact", firstDay: "", lastDay: "" };
  expect(publicSite({ notice }).notice).toEqual({ text: "Closed", link: "/contact" });
  expect(publicSite({ notice: { ...notice, text: "" } }).notice).toBeNull();
});

test.each(["javascript:alert(1)", "//evil.example", "contact", "mailto:a@b.example"])(
  "a notice cannot lead to %s",
  (link) => {
    expect(sectionSchemas.notice.safeParse({ link }).success).toBe(false);
    expect(sectionSchemas.notice.safeParse({ link: "/contact" }).success).toBe(true);
  },
);
