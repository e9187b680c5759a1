import { escapeXml } from "../seo/xml.ts";

export interface SitemapEntry {
  /** Site-relative. */
  path: string;
  /** ISO 8601; absent or empty when the time of the last change is unknown. */
  changedAt?: string;
}

/** Addresses per file. Search engines accept 50,000, or 50 MB. */
export const partLength = 5000;

/** The sitemap, or an index of its parts when it is too large for one file. */
export function writeSitemap(siteUrl: string, entries: readonly SitemapEntry[]): string {
  if (entries.length <= partLength) return writeAddresses(siteUrl, entries);
  const parts = Array.from(
    { length: Math.ceil(entries.length / partLength) },
    (_, index): SitemapEntry => ({
      path: `/sitemap/${index + 1}.xml`,
      changedAt: newestChange(partOf(entries, index + 1)),
    }),
  );
  return `<sitemapindex xmlns="${namespace}">\n${write("sitemap", siteUrl, parts)}\n</sitemapindex>`;
}

/**
 * One part of a sitemap that has an index.
 * @param number an integer from 1
 * @returns null when there is no such part
 */
export function writeSitemapPart(
  siteUrl: string,
  entries: readonly SitemapEntry[],
  number: number,
): string | null {
  const part = partOf(entries, number);
  return entries.length > partLength && part.length > 0 ? writeAddresses(siteUrl, part) : null;
}

const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

function writeAddresses(siteUrl: string, entries: readonly SitemapEntry[]): string {
  return `<urlset xmlns="${namespace}">\n${write("url", siteUrl, entries)}\n</urlset>`;
}

function write(element: string, siteUrl: string, entries: readonly SitemapEntry[]): string {
  return entries
    .map(({ path, changedAt }) => {
      const lastmod = changedAt ? `<lastmod>${new Date(changedAt).toISOString()}</lastmod>` : "";
      return `<${element}><loc>${escapeXml(siteUrl + path)}</loc>${lastmod}</${element}>`;
    })
    .join("\n");
}

function partOf(entries: readonly SitemapEntry[], number: number): readonly SitemapEntry[] {
  return entries.slice((number - 1) * partLength, number * partLength);
}

function newestChange(entries: readonly SitemapEntry[]): string | undefined {
  const times = entries.flatMap(({ changedAt }) => (changedAt ? [Date.parse(changedAt)] : []));
  // Math.max(...times) could exceed the engine's limit of arguments.
  const newest = times.reduce((latest, time) => Math.max(latest, time), 0);
  return newest > 0 ? new Date(newest).toISOString() : undefined;
}
