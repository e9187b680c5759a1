import { expect, test } from "vitest";
import { writeSitemap } from "./sitemap-route.ts";

const site = "https://example.com";

test("the sitemap has the addresses of the pages with the known times of change", () => {
  const xml = writeSitemap(site, [{ path: "/" }, { path: "/a?b=1&c", changedAt: "2026-01-02" }]);
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
  },
);
