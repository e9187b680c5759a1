import { redirect } from "react-router";
import { siteContext } from "../config/request-context.ts";
import { type ShareText, shareImagePath } from "../seo/page-meta.ts";
import { pageOfImage, shareImageResponse } from "../seo/share-image.ts";
import { clientContext } from "../supabase/client-context.ts";
import type { Route } from "./+types/post-share-image-route";
import { listCategories } from "./categories.ts";
import { findPost } from "./find-post.ts";

/** `/share/blog/a-post.png?t=…` and `/share/blog/category/taxes.png`: the share images of posts and categories. */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const client = context.get(clientContext);
  const { site, version } = context.get(siteContext);
  if (site.closed.includes("/blog")) return notFound();
  const image = (text: ShareText, cacheControl: string) =>
    shareImageResponse({ client, site, text, cacheControl });
  const [, categoryFile] = params["*"].match(/^category\/([^/]+)$/) ?? [];
  const slug = pageOfImage(categoryFile ?? params["*"]);
  if (categoryFile) {
    const category = (await listCategories(client)).find((each) => each.slug === slug);
    if (!category) return notFound();
    return image({ label: "Blog", headline: category.name }, "public, max-age=86400");
  }
  const post = slug === null ? null : await findPost(client, slug);
  if (!post) return notFound();
  if ("movedTo" in post) return redirect(shareImagePath(`/blog/${post.movedTo}`), 301);
  const { pathname, search } = new URL(request.url);
  const newest =
    shareImagePath(`/blog/${post.slug}`, post.updated_at, version) === pathname + search;
  return image(
    { label: post.category, headline: post.title },
    newest ? "public, max-age=31536000, immutable" : "public, max-age=300",
  );
}

function notFound(): Response {
  return new Response("Not found", { status: 404 });
}
