import { countPostPages } from "../posts/load-posts.ts";
import { listPostAddresses } from "../posts/posts.ts";
import { publicPages } from "../seo/public-pages.ts";
import type { Client } from "../supabase/client-context.ts";
import { countTestimonialPages } from "../testimonials/load-testimonials.ts";
import { countTestimonials } from "../testimonials/testimonials.ts";
import { pagePath } from "../ui/pager.tsx";
import type { SitemapEntry } from "./sitemap-xml.ts";

/** Every page that may be found: the fixed ones, the pages of the lists, the posts, oldest first. */
export async function listEntries(client: Client): Promise<SitemapEntry[]> {
  const [posts, reviews] = await Promise.all([
    listPostAddresses(client),
    countTestimonials(client),
  ]);
  const postsChangedAt = posts.map(({ updated_at }) => updated_at).reduce(later, "");
  const reviewsChangedAt = reviews.newest ?? "";
  // The other pages change with the code, which does not know when it did.
  const changes: Record<string, string> = {
    "/": later(postsChangedAt, reviewsChangedAt),
    "/blog": postsChangedAt,
    "/testimonials": reviewsChangedAt,
  };
  const known = (time: string | undefined) => time || undefined;
  return [
    ...publicPages.map(({ path }) => ({ path, changedAt: known(changes[path]) })),
    ...followingPages("/blog", countPostPages(posts.length), known(postsChangedAt)),
    ...followingPages(
      "/testimonials",
      countTestimonialPages(reviews.count),
      known(reviewsChangedAt),
    ),
    ...posts.map(({ slug, updated_at }) => ({ path: `/blog/${slug}`, changedAt: updated_at })),
  ];
}

function followingPages(path: string, pages: number, changedAt: string | undefined) {
  return Array.from({ length: pages - 1 }, (_, index) => ({
    path: pagePath(path, index + 2),
    changedAt,
  }));
}

function later(one: string, other: string): string {
  if (!one || !other) return one || other;
  return Date.parse(other) > Date.parse(one) ? other : one;
}
