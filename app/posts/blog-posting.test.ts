import { expect, test } from "vitest";
import { toPublicSite } from "../config/public-site.ts";
import { defaultSettings } from "../config/site.ts";
import { blogPosting } from "./blog-posting.ts";
import type { Post } from "./posts.ts";

const site = toPublicSite(defaultSettings);
const { name } = site.adviser;

function authorOf(author: string, shownSite = site) {
  const post = { slug: "a", title: "A", tagline: "", author, content: [], image_url: null };
  return blogPosting(
    { siteUrl: "https://www.example.com", site: shownSite },
    post as unknown as Post,
  ).author;
}

test("the adviser's portrait is in the data of an author with her name, and of no other", () => {
  const adviser = { name, image: "https://www.example.com/images/portrait.svg" };
  expect(authorOf(name)).toMatchObject(adviser);
  expect(authorOf(name.replace(" ", "\u00a0"))).toMatchObject(adviser);
  expect(authorOf("Ada Byron")).toEqual({ "@type": "Person", name: "Ada Byron" });
  const unseen = { ...site, adviser: { ...site.adviser, portrait: null } };
  expect(authorOf(name, unseen)).not.toHaveProperty("image");
});
