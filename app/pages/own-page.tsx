import { data } from "react-router";
import { siteContext } from "../config/request-context.ts";
import { siteOf } from "../config/use-site.ts";
import NotFoundPage, { meta as notFoundMeta } from "../layout/not-found-page.tsx";
import { tryLoading } from "../loading/loaded.tsx";
import { excerptOf } from "../posts/post-content.ts";
import { PageView } from "../posts/post-view.tsx";
import { findFormerPath, movedPermanently } from "../seo/former-path.ts";
import { type About, breadcrumbs } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { clientContext } from "../supabase/client-context.ts";
import type { Route } from "./+types/own-page";

/** A page of the owner's own, or the redirect of an imported post. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { site, formerPages } = context.get(siteContext);
  const slug = params.slug.toLowerCase();
  if (Object.hasOwn(formerPages, slug)) {
    throw movedPermanently(`/${formerPages[slug]}${new URL(request.url).search}`);
  }
  if (!site.ownPages.some(({ path }) => path === `/${slug}`)) {
    const moved = await findFormerPath(context.get(clientContext), request);
    if (moved) throw moved;
    return data(null, { status: 404 });
  }
  const read = await tryLoading("a page", context.get(clientContext), async (client) => {
    const query = client.from("pages").select("slug, title, tagline, content").eq("slug", slug);
    return (await query.maybeSingle().throwOnError()).data;
  });
  if ("failed" in read) {
    throw data(null, { status: 503, statusText: "This page can't be shown right now." });
  }
  return data(read.value, { status: read.value ? 200 : 404 });
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return notFoundMeta({ matches });
  const { title, slug } = loaderData;
  const { firm } = siteOf(matches);
  return pageMeta(
    { matches },
    { title: `${title} | ${firm.name}`, description: excerptOf(loaderData), path: `/${slug}` },
  );
}

export function structuredData(about: About, page: Route.ComponentProps["loaderData"]) {
  return page ? [breadcrumbs(about, [page.title, `/${page.slug}`])] : [];
}

export default function OwnPage({ loaderData }: Route.ComponentProps) {
  return loaderData ? <PageView page={loaderData} /> : <NotFoundPage />;
}
