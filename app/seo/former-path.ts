// The addresses that imported posts had on the site before. They redirect once the post is public.
import { redirect } from "react-router";
import type { Client } from "../supabase/client-context.ts";

/** The maximum length, as in the CHECK of the column. */
const maxLength = 600;

/** A former address as it is stored and found: a path in lower case, or '/?p=12' of WordPress. Null for a home page. */
export function formerPathOf({ pathname, searchParams }: URL): string | null {
  const path = pathname.replace(/\/+$/, "").toLowerCase();
  const post = searchParams.get("p") ?? "";
  if (path) return path.length <= maxLength ? path : null;
  return /^\d{1,9}$/.test(post) ? `/?p=${post}` : null;
}

/**
 * The redirect of an address that has no page, if an imported post had it.
 * @returns null when none had it, or when it is not known now
 */
export async function findFormerPath(client: Client, request: Request): Promise<Response | null> {
  const path = formerPathOf(new URL(request.url));
  // Most requests without a page look for weaknesses, in files.
  if (!path || /\.(?!html?$)\w+$/.test(path)) return null;
  const origins = client.from("imported_posts").select("id").eq("former_path", path);
  const { data: origin } = await origins.order("id").limit(1).maybeSingle();
  if (!origin) return null;
  const { data: post } = await client
    .from("posts")
    .select("slug")
    .eq("id", origin.id)
    .maybeSingle();
  return post && movedPermanently(`/blog/${post.slug}`);
}

/** Limits how long browsers cache the 301: another page may take the address later. */
export function movedPermanently(path: string): Response {
  const headers = { "cache-control": "public, max-age=3600" };
  return redirect(path, { status: 301, headers });
}
