import { expect, test } from "vitest";
import { partLength, type SitemapEntry, writeSitemap, writeSitemapPart } from "./sitemap-route.ts";

const site = "https://example.com";
const entries = (count: number): SitemapEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    path: `/blog/${index}`,
    changedAt: `2026-01-01T00:00:${String(index % 60).padStart(2, "0")}Z`,
  }));
const addresses = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);

test("a small site has one sitemap with the known times of change", () => {
  const xml = writeSitemap(site, [{ path: "/" }, { path: "/a?b=1&c", changedAt: "2026-01-02" }]);
  expect(xml).toContain("<urlset ");
  expect(xml).toContain("<url><loc>https://example.com/</loc></url>");
  expect(xml).toContain(
    "<loc>https://example.com/a?b=1&amp;c</loc><lastmod>2026-01-02T00:00:00.000Z</lastmod>",
  );
});

test.each(["-infinity", "infinity", "0044-03-15T00:00:00+00:00 BC"])(
  "a time of change that cannot be read, such as %s, is left out",
  (changedAt) => {
    const xml = writeSitemap(site, [{ path: "/a", changedAt }]);
    expect(xml).toContain("<url><loc>https://example.com/a</loc></url>");
    const index = writeSitemap(site, [{ path: "/a", changedAt }, ...entries(partLength)]);
    expect(index).toContain("<lastmod>2026-01-01T00:00:59.000Z</lastmod>");
  },
);

test("a large site has an index whose parts contain every address once", () => {
  const all = entries(2 * partLength + 1);
  const index = writeSitemap(site, all);
  expect(index).toContain("<sitemapindex ");
  expect(addresses(index)).toEqual([1, 2, 3].map((part) => `${site}/sitemap/${part}.xml`));
  expect(index).toContain("<lastmod>2026-01-01T00:00:59.000Z</lastmod>");

  const parts = [1, 2, 3].map((part) => writeSitemapPart(site, all, part) ?? "");
  expect(parts.map((part) => addresses(part).length)).toEqual([partLength, partLength, 1]);
  expect(new Set(parts.flatMap(addresses)).size).toBe(all.length);
});

test("a part that does not exist is null", () => {
  const all = entries(partLength + 1);
  for (const part of [0, 3]) {
    expect(writeSitemapPart(site, all, part)).toBeNull();
  }
  expect(writeSitemapPart(site, entries(3), 1)).toBeNull();
});
