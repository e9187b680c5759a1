// Reads what the checks need of the database, over REST with the public key, and reduces it to facts.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import type { ContentFacts } from "../../app/config/checks/check.ts";
import { shippedImages } from "../../app/config/checks/shipped-images.ts";
import { completeSettings, isFictional } from "../../app/config/site.ts";
import type { SiteSettings } from "../../app/config/site-schema.ts";
import { parseSections } from "../site-settings.ts";

export const storedContentSchema = z.object({
  settings: z.array(z.object({ section: z.string(), document: z.unknown() })),
  posts: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      author: z.string(),
      tagline: z.string(),
      content: z.unknown(),
      image_url: z.string().nullable(),
      is_sample: z.boolean(),
    }),
  ),
  testimonials: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      role: z.string().nullable(),
      content: z.string(),
      is_sample: z.boolean(),
    }),
  ),
});
export type StoredContent = z.infer<typeof storedContentSchema>;

/** Of newest rows; a site with more of them has its samples among the oldest, which are read by their mark. */
const postPages = { size: 20, count: 10 };
const maxTestimonials = 200;
const postColumns = "id, title, author, tagline, content, image_url, is_sample";

/** @throws the backend's error */
export async function readStoredContent(client: SupabaseClient): Promise<StoredContent> {
  const posts = await rowsOf(client.from("posts").select(postColumns).eq("is_sample", true));
  for (let page = 0; page < postPages.count; page += 1) {
    const first = page * postPages.size;
    const rows = await rowsOf(
      client
        .from("posts")
        .select(postColumns)
        .order("created_at", { ascending: false })
        .order("id")
        .range(first, first + postPages.size - 1),
    );
    posts.push(...rows);
    if (rows.length < postPages.size) break;
  }
  const reviews = () => client.from("testimonials").select("id, name, role, content, is_sample");
  return storedContentSchema.parse({
    settings: await rowsOf(client.from("public_site_settings").select("section, document")),
    posts,
    testimonials: [
      ...(await rowsOf(reviews().eq("is_sample", true))),
      ...(await rowsOf(
        reviews()
          .order("created_at", { ascending: false })
          .range(0, maxTestimonials - 1),
      )),
    ],
  });
}

async function rowsOf(
  query: PromiseLike<{ data: unknown[] | null; error: unknown }>,
): Promise<unknown[]> {
  const { data, error } = await query;
  if (error) throw error;
  return data ?? [];
}

/** The settings that visitors see. An invalid document, of another version of the site, counts as unpublished. */
export function settingsOf({ settings }: StoredContent, sampleContent: boolean): SiteSettings {
  return completeSettings(parseSections(settings).sections, sampleContent);
}

/** @param imageFolder the folder that serves `/images/` */
export async function contentFacts(
  stored: StoredContent,
  settings: SiteSettings,
  imageFolder: string,
): Promise<ContentFacts> {
  const posts = [...new Map(stored.posts.map((post) => [post.id, post])).values()];
  const reviews = [...new Map(stored.testimonials.map((row) => [row.id, row])).values()];
  const own = posts.filter((post) => !post.is_sample);
  const ownReviews = reviews.filter((review) => !review.is_sample);
  return {
    samplePosts: posts.length - own.length,
    sampleTestimonials: reviews.length - ownReviews.length,
    fictionalPosts: own
      .filter(({ image_url: _, ...post }) => isFictional(JSON.stringify(post)))
      .map(({ title }) => title),
    fictionalTestimonials: ownReviews
      .filter((review) => isFictional(JSON.stringify(review)))
      .map(({ name }) => name),
    unreadableSections: [...parseSections(stored.settings).unreadable.keys()],
    shippedImages: await findShippedImages(
      [...imagesOf(settings), ...own.map(({ image_url }) => image_url ?? "")],
      imageFolder,
    ),
  };
}

function imagesOf({ firm, adviser, home }: SiteSettings): string[] {
  const images = [firm.logo, firm.logoDark, firm.icon, firm.shareImage];
  return [...images, adviser.portrait, home.hero].flatMap((image) => (image ? [image.src] : []));
}

/** An owner may have replaced a file by an image of the same name, so its content decides. */
async function findShippedImages(shown: readonly string[], folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const src of new Set(shown)) {
    const hash = shippedImages.get(src);
    if (!hash) continue;
    const bytes = await readFile(join(folder, src)).catch(() => null);
    if (bytes && createHash("sha256").update(bytes).digest("hex") === hash) found.push(src);
  }
  return found;
}
