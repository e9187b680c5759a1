import { ArrowLeft } from "lucide";
import { data, Link, Navigate, redirect } from "react-router";
import { siteOf, useSite } from "../config/use-site.ts";
import { Loaded, tryLoading } from "../loading/loaded.tsx";
import { findFormerPath, movedPermanently } from "../seo/former-path.ts";
import { type About, breadcrumbs } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { getVisitorClient } from "../supabase/browser-client.ts";
import { clientContext, type VisitorClient } from "../supabase/client-context.ts";
import { useLiveRefresh } from "../supabase/live.ts";
import { Icon } from "../ui/icon.ts";
import { ReadFailure } from "../ui/load-state.tsx";
import type { Route } from "./+types/post-page";
import { blogPosting } from "./blog-posting.ts";
import { findPost, listNextPosts } from "./find-post.ts";
import { listNeighbors, NeighborPosts } from "./neighbor-posts.tsx";
import { excerptOf } from "./post-content.ts";
import { NextPosts, PostLoading, PostView } from "./post-view.tsx";

const postError = "This article can't be shown right now.";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const loading = startLoading(Promise.resolve(context.get(clientContext)), params.slug);
  const [post, next, neighbors] = await Promise.all([
    loading.post,
    loading.next,
    loading.neighbors,
  ]);
  if ("failed" in post) throw data(null, { status: 503, statusText: postError });
  const found = post.value;
  if (!found) {
    throw (await findFormerPath(context.get(clientContext), request)) ?? redirect("/blog");
  }
  if ("movedTo" in found) {
    throw movedPermanently(`/blog/${found.movedTo}${new URL(request.url).search}`);
  }
  return { post: { value: found }, next, neighbors };
}

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return startLoading(getVisitorClient(), params.slug);
}

function startLoading(client: Promise<VisitorClient>, slug: string) {
  return {
    post: tryLoading("a post", client, (ready) => findPost(ready, slug)),
    next: tryLoading("posts", client, (ready) => listNextPosts(ready, slug)),
    neighbors: tryLoading("neighbors of a post", client, (ready) => listNeighbors(ready, slug)),
  };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  // After a navigation in the browser the post is still loading; the component renders the title then.
  if (!loaderData || !("value" in loaderData.post)) return [];
  const post = loaderData.post.value;
  return pageMeta(
    { matches },
    {
      title: `${post.title} | ${siteOf(matches).blog.titleEnding}`,
      description: excerptOf(post),
      path: `/blog/${post.slug}`,
      article: {
        publishedAt: post.published_date,
        changedAt: post.updated_at,
        category: post.category,
      },
    },
  );
}

export function structuredData(about: About, { post }: Awaited<ReturnType<typeof loader>>) {
  const { title, slug } = post.value;
  return [
    blogPosting(about, post.value),
    breadcrumbs(about, ["Blog", "/blog"], [title, `/blog/${slug}`]),
  ];
}

export default function PostPage({ loaderData, params }: Route.ComponentProps) {
  useLiveRefresh("posts");
  const { titleEnding } = useSite().blog;
  const titledByMeta = "value" in loaderData.post;
  return (
    <div className="wrap py-10 md:py-14">
      <Link
        to="/blog"
        data-screen
        className="inline-flex min-h-11 items-center gap-2 font-semibold text-evergreen underline-offset-4 hover:underline"
      >
        <Icon drawing={ArrowLeft} className="size-4" />
        Back to Blog
      </Link>
      <Loaded
        // The next post shows its title at once, in place of the previous post.
        key={params.slug}
        data={loaderData.post}
        of={params.slug}
        fallback={<PostLoading />}
        failure={(failed) => (
          <>
            <title>Blog</title>
            <h1 className="sr-only">Blog</h1>
            {/* The same sentence as in the server's 503. */}
            <ReadFailure failed={failed} text={postError} />
          </>
        )}
      >
        {(post) => {
          if (!post) return <Navigate to="/blog" replace />;
          if ("movedTo" in post) return <Navigate to={`/blog/${post.movedTo}`} replace />;
          return (
            <>
              {!titledByMeta && <title>{`${post.title} | ${titleEnding}`}</title>}
              <PostView post={post} />
              <Loaded data={loaderData.neighbors} of={params.slug} failure={() => null}>
                {(neighbors) => <NeighborPosts neighbors={neighbors} />}
              </Loaded>
            </>
          );
        }}
      </Loaded>
      <Loaded data={loaderData.next} of={params.slug} failure={() => null}>
        {(posts) => <NextPosts posts={posts} />}
      </Loaded>
    </div>
  );
}
