import { siteContext } from "../config/request-context.ts";
import { pageOfImage, shareImageResponse } from "../seo/share-image.ts";
import { clientContext } from "../supabase/client-context.ts";
import type { Route } from "./+types/category-share-image-route";
import { listCategories } from "./categories.ts";

/** `/share/blog/category/taxes.png`: the share image of a category's page. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const slug = pageOfImage(params.file);
  const client = context.get(clientContext);
  const category = (await listCategories(client)).find((each) => each.slug === slug);
  if (!category) return new Response("Not found", { status: 404 });
  return shareImageResponse({
    client,
    site: context.get(siteContext).site,
    text: { label: "Blog", headline: category.name },
    cacheControl: "public, max-age=86400",
  });
}
