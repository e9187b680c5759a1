// Reads the content that visitors see, reduced to what the checks need.
import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import type { ContentFacts } from "../../app/config/checks/facts.ts";
import { isFictional } from "../../app/config/site.ts";
import { ownPagesSchema } from "../../app/config/site-pages.ts";
import type { SiteSettings } from "../../app/config/site-schema.ts";

const rowSchema = z.looseObject({ is_sample: z.boolean() });
export const storedContentSchema = z.object({
  settings: z.array(z.object({ section: z.string(), document: z.unknown() })),
  posts: z.array(rowSchema.extend({ title: z.string(), image_url: z.string().nullable() })),
  testimonials: z.array(rowSchema.extend({ name: z.string() })),
});
type StoredContent = z.infer<typeof storedContentSchema>;

/** The maximum number of rows, the newest first, of samples and of other rows. */
const maxRows = 200;

/** Reads what server/embedded/live-facts.ts reads of the embedded database. @throws the project's error */
export async function readStoredContent(client: SupabaseClient): Promise<StoredContent> {
  const newest = async (table: string, columns: string, isSample: boolean) => {
    const rows = client.from(table).select(`is_sample, ${columns}`).is("is_sample", isSample);
    const sorted = rows.order("created_at", { ascending: false }).limit(maxRows);
    return (await sorted.throwOnError()).data;
  };
  const rowsOf = async (table: string, columns: string) => [
    ...(await newest(table, columns, true)),
    ...(await newest(table, columns, false)),
  ];
  const settings = client.from("public_site_settings").select("section, document");
  return storedContentSchema.parse({
    settings: (await settings.throwOnError()).data,
    posts: await rowsOf("posts", "title, author, tagline, content, image_url"),
    testimonials: await rowsOf("testimonials", "name, role, content"),
  });
}

/** Leaves out what visitors do not see because its page is switched off. */
export function contentFacts(
  stored: StoredContent,
  { look, adviser, home, pages, testimonials: options }: SiteSettings,
): Omit<ContentFacts, "unreadableSections"> {
  const posts = pages.hidden.includes("blog") ? [] : stored.posts;
  const testimonials = pages.hidden.includes("testimonials") ? [] : stored.testimonials;
  const own = posts.filter((post) => !post.is_sample);
  const ownTestimonials = testimonials.filter((testimonial) => !testimonial.is_sample);
  const settings = [
    look.logo,
    look.logoDark,
    look.icon,
    look.shareImage,
    adviser.portrait,
    home.hero,
  ];
  const pageLinks = stored.settings.find(({ section }) => section === "ownPages")?.document;
  const shown = [...settings.map((image) => image?.src), ...own.map(({ image_url: src }) => src)];
  return {
    samplePosts: posts.length - own.length,
    sampleTestimonials: options.samples ? testimonials.length - ownTestimonials.length : 0,
    fictionalPosts: own
      // The image of a sample may carry the adviser's name.
      .filter(({ image_url: _, ...post }) => isFictional(JSON.stringify(post)))
      .map(({ title }) => title),
    fictionalTestimonials: ownTestimonials
      .filter((testimonial) => isFictional(JSON.stringify(testimonial)))
      .map(({ name }) => name),
    hasPrivacyPage:
      ownPagesSchema.safeParse(pageLinks).data?.items.some(({ slug }) => slug === "privacy") ??
      false,
    localPosts: own.filter(hasLocalAddress).map(({ title }) => title),
    localSections: stored.settings.filter(hasLocalAddress).map(({ section }) => section),
    shippedImages: [...new Set(shown)].flatMap((src) => (src && isShipped(src) ? [src] : [])),
  };
}

/** Whether a text has an address of this machine, or of a bucket, which changes with the site's address. */
function hasLocalAddress(row: unknown): boolean {
  return /\/\/(localhost|127(\.\d+){3}|\[::1])(?![.\w])|\/storage\/v1\/(object|render)\//i.test(
    JSON.stringify(row),
  );
}

/** Uploads have other paths. The neutral images suit any firm. */
function isShipped(src: string): boolean {
  return src.startsWith("/images/") && !src.startsWith("/images/neutral/");
}
