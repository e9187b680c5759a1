// 2026-11-22: not the package `sitemap`. It takes 296 ms for 5,000 addresses, our writer 29 ms for the same XML.
import { settingsContext } from "../config/settings-context.ts";
import { countPostPages, listPostAddresses } from "../posts/posts.ts";
import { publicPages } from "../seo/public-pages.ts";
import { xmlResponse } from "../seo/xml.ts";
import { type Client, clientContext } from "../supabase/client-context.ts";
import { countTestimonialPages } from "../testimonials/load-testimonials.ts";
import { countTestimonials } from "../testimonials/testimonials.ts";
import { pagePath } from "../ui/page-number.ts";
import type { Route } from "./+types/sitemap-route";
import { type SitemapEntry, writeSitemap, writeSitemapPart } from "./sitemap-xml.ts";

/** `/sitemap.xml`, and `/sitemap/2.xml` for a part of a sitemap that is too large for one file. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const client = context.get(clientContext);
  const { siteUrl } = context.get(settingsContext);
  if (params.file === undefined) {
    return xmlResponse(writeSitemap(siteUrl, await listEntries(client)), "application/xml");
  }
  const [, number] = params.file.match(/^(\d{1,4})\.xml$/) ?? [];
  const entries = number ? await listEntries(client) : [];
  const part = writeSitemapPart(siteUrl, entries, Number(number));
  return part === null
    ? new Response("Not found", { status: 404 })
    : xmlResponse(part, "application/xml");
}

/** Every page that search engines may list: the fixed pages, the pages of the lists, the posts. */
async function listEntries(client: Client): Promise<SitemapEntry[]> {
  const [posts, testimonials] = await Promise.all([
    listPostAddresses(client),
    countTestimonials(client),
  ]);
  const postsChangedAt = posts.map(({ updated_at }) => updated_at).reduce(later, "");
  const testimonialsChangedAt = testimonials.newest ?? "";
  // The other pages change only with a release, whose time is unknown here.
  const changes: Record<string, string> = {
    "/": later(postsChangedAt, testimonialsChangedAt),
    "/blog": postsChangedAt,
    "/testimonials": testimonialsChangedAt,
  };
  const testimonialPages = countTestimonialPages(testimonials.count);
  return [
    ...publicPages.map(({ path }) => ({ path, changedAt: changes[path] })),
    ...followingPages("/blog", countPostPages(posts.length), postsChangedAt),
    ...followingPages("/testimonials", testimonialPages, testimonialsChangedAt),
    ...posts.map(({ slug, updated_at }) => ({ path: `/blog/${slug}`, changedAt: updated_at })),
  ];
}

/** The pages of a list after the first. */
function followingPages(path: string, pages: number, changedAt: string): SitemapEntry[] {
  return Array.from({ length: pages - 1 }, (_, index) => ({
    path: pagePath(path, index + 2),
    changedAt,
  }));
}

function later(one: string, other: string): string {
  if (!one || !other) return one || other;
  return Date.parse(other) > Date.parse(one) ? other : one;
}
