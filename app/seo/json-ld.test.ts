import { expect, test } from "vitest";
import { toPublicSite } from "../config/public-site.ts";
import { defaultSettings } from "../config/site.ts";
import { authorReference } from "./json-ld.ts";

test("the adviser's portrait is in the data of an author with her name, and of no other", () => {
  const site = toPublicSite(defaultSettings);
  const about = { siteUrl: "https://www.example.com", site };
  expect(authorReference(about, site.adviser.name)).toMatchObject({
    image: "https://www.example.com/images/portrait.svg",
  });
  const copied = site.adviser.name.replace(" ", "\u00a0");
  expect(authorReference(about, copied)).toHaveProperty("image");
  expect(authorReference(about, "Ada Byron")).toEqual({ "@type": "Person", name: "Ada Byron" });
  const unseen = { ...site, adviser: { ...site.adviser, portrait: null } };
  expect(authorReference({ ...about, site: unseen }, site.adviser.name)).not.toHaveProperty(
    "image",
  );
});
