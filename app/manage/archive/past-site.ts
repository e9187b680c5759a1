// What visitors could read at a moment, made from entries of the archive.
import { type Site, toPublicSite } from "../../config/public-site.ts";
import { completeSettings, isPublicAddress } from "../../config/site.ts";
import {
  fields,
  isSectionName,
  type SectionName,
  type SiteSettings,
  sectionSchemas,
} from "../../config/site-schema.ts";
import { type Post, withVersionedImage } from "../../posts/posts.ts";
import type { Testimonial } from "../../testimonials/testimonials.ts";
import { fitDocument } from "../settings/fields.ts";
import type { ArchivedVersion } from "./archive.ts";

/** A post without its content, with the number of its entry. */
export type PastPost = Post & { number: number };

export interface PastSite {
  settings: SiteSettings;
  site: Site;
  /** The published settings. The others are those of this release. */
  documents: Partial<SiteSettings>;
  /** In the order of the blog. */
  posts: readonly PastPost[];
  /** In the order of their page. */
  testimonials: readonly Testimonial[];
}

/** A version that the site showed from now on, or one that left it. */
type Change = Pick<ArchivedVersion, "number" | "item" | "is_public"> & {
  kind: string;
  document?: unknown;
};

export const emptySite: PastSite = { ...toSite({}), posts: [], testimonials: [] };

function toSite(documents: Partial<SiteSettings>) {
  const { href } = globalThis.location ?? { href: "http://localhost" };
  const settings = completeSettings(documents, true, isPublicAddress(href));
  return { documents, settings, site: toPublicSite(settings) };
}

/** The site after these changes. */
export function withEntries(past: PastSite, changes: readonly Change[]): PastSite {
  const documents: Partial<Record<SectionName, unknown>> = {};
  const posts = new Map(past.posts.map((post) => [post.id, post]));
  const testimonials = new Map(past.testimonials.map((each) => [each.id, each]));
  for (const { number, kind, item, document, is_public } of changes) {
    // An erased document has no id.
    const isShown = is_public && Object(document).id !== undefined;
    if (kind === "post") {
      posts.delete(item);
      if (isShown) posts.set(item, { ...toPost(document), content: [], number });
    } else if (kind === "testimonial") {
      testimonials.delete(item);
      // The document has the columns of the testimonial.
      if (isShown) testimonials.set(item, document as Testimonial);
    } else if (is_public && isSectionName(item)) {
      documents[item] = fitDocument(item, document);
    }
  }
  const hasSettings = Object.keys(documents).length > 0;
  return {
    ...past,
    // Each was fitted to its own section.
    ...(hasSettings && toSite({ ...past.documents, ...(documents as Partial<SiteSettings>) })),
    posts: [...posts.values()].sort(newestFirst),
    testimonials: [...testimonials.values()].sort(newestFirst),
  };
}

/** @param document of a post's version, which has the columns of the post */
export function toPost(document: unknown): Post {
  return withVersionedImage(document as Post);
}

type Listed = Pick<Post, "id" | "created_at">;

/** The order of the site's lists. */
function newestFirst(a: Listed, b: Listed): number {
  return Date.parse(b.created_at) - Date.parse(a.created_at) || (a.id < b.id ? -1 : 1);
}

/** The pages of the site without those of posts. */
export function pagesOf({ site }: PastSite): { path: string; label: string }[] {
  const services = site.services.map(({ slug, title }) => ({
    path: `/services/${slug}`,
    label: title,
  }));
  return [
    ...site.menu.flatMap((link) => (link.path === "/services" ? [link, ...services] : [link])),
    ...site.legalLinks,
  ];
}

/** The address of a page that shows an item. */
export function pathOf({ posts, site }: PastSite, kind: string, item: string): string {
  if (kind === "post") return `/blog/${posts.find(({ id }) => id === item)?.slug}`;
  if (item === "legal") return site.legalLinks[0]?.path ?? "/";
  const path = `/${kind === "testimonial" ? "testimonials" : item}`;
  return site.menu.some((link) => link.path === path) ? path : "/";
}

/** What an entry is about, in words. */
export function nameOf({ kind, item }: Pick<ArchivedVersion, "kind" | "item">): string {
  const section = isSectionName(item) && fields.get(sectionSchemas[item]);
  return section ? section.label : kind.replace(/^./, (first) => first.toUpperCase());
}
