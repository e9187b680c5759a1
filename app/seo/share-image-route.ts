import { siteContext } from "../config/request-context.ts";
import { clientContext } from "../supabase/client-context.ts";
import type { Route } from "./+types/share-image-route";
import { findPublicPage } from "./public-pages.ts";
import { pageOfImage, shareImageResponse } from "./share-image.ts";

/** `/share/home.png`, `/share/services/life-insurance.png`: the images of the pages in public-pages.ts. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const name = pageOfImage(params["*"]);
  const { site } = context.get(siteContext);
  const page = findPublicPage(site, name === "home" ? "/" : `/${name}`);
  if (!page || !name) return new Response("Not found", { status: 404 });
  return shareImageResponse({
    client: context.get(clientContext),
    site,
    text: page.share,
    cacheControl: "public, max-age=86400",
  });
}
