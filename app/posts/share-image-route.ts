import { redirect } from "react-router";
import { siteContext } from "../config/request-context.ts";
import { shareImagePath } from "../seo/page-meta.ts";
import { pageOfImage, shareImageResponse } from "../seo/share-image.ts";
import { clientContext } from "../supabase/client-context.ts";
import type { Route } from "./+types/share-image-route";
import { findPost } from "./posts.ts";

/** `/share/blog/a-post.png?t=…`: the share image of a post. */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const slug = pageOfImage(params.file);
  const client = context.get(clientContext);
  const post = slug === null ? null : await findPost(client, slug);
  if (!post) return new Response("Not found", { status: 404 });
  if ("movedTo" in post) return redirect(shareImagePath(`/blog/${post.movedTo}`), 301);
  const { pathname, search } = new URL(request.url);
  const newest = shareImagePath(`/blog/${post.slug}`, post.updated_at) === pathname + search;
  return shareImageResponse({
    client,
    site: context.get(siteContext).site,
    text: { label: post.category, headline: post.title },
    cacheControl: newest ? "public, max-age=31536000, immutable" : "public, max-age=300",
  });
}
