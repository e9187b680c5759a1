import { ArrowLeft } from "lucide";
import { type RefObject, Suspense, useEffect, useMemo, useRef } from "react";
import { Await, data, Link, Navigate, redirect, useAsyncError } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { site } from "../config/site.ts";
import { lazyPart } from "../loading/lazy-part.tsx";
import { ListError } from "../paging/list-error.tsx";
import { breadcrumbs } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { clientContext } from "../supabase/client-context.ts";
import { useLiveRefresh } from "../supabase/live.ts";
import { buttonClass } from "../ui/button.ts";
import { ExternalLink } from "../ui/external-link.tsx";
import { Icon } from "../ui/icon.ts";
import { LoadFailure } from "../ui/load-failure.tsx";
import { TakingLonger } from "../ui/taking-longer.tsx";
import type { Route } from "./+types/post-page";
import { blogPosting } from "./blog-posting.ts";
import { NextPosts } from "./next-posts.tsx";
import { PostBody } from "./post-body.tsx";
import { excerptOf, findRelatedServices, readingMinutes } from "./post-content.ts";
import { PostImage } from "./post-image.tsx";
import { type FoundPost, findPost, listNextPosts, type Post, type PostSummary } from "./posts.ts";

const OwnerControls = lazyPart(
  () => import("../manage/posts/owner-controls.tsx"),
  ({ onRetry }) => <LoadFailure what="Edit and Delete" onRetry={onRetry} className="mt-5" />,
);

const postError = "This article can't be shown right now.";

interface PostData {
  post: Post | Promise<FoundPost>;
  next: PostSummary[] | null | Promise<PostSummary[] | null>;
}

export async function loader({ context, params, request }: Route.LoaderArgs): Promise<PostData> {
  const client = context.get(clientContext);
  const [found, next] = await Promise.all([
    findPost(client, params.slug).catch((error) => {
      console.error("Loading a post failed", error);
      throw data(null, { status: 503, statusText: postError });
    }),
    listNextPosts(client, params.slug),
  ]);
  if (!found) throw redirect("/blog");
  if ("movedTo" in found) throw movedForGood(`/blog/${found.movedTo}`, request);
  return { post: found, next };
}

/** Limits how long browsers cache the 301: a new post may take the address later. */
function movedForGood(path: string, request: Request): Response {
  return redirect(path + new URL(request.url).search, {
    status: 301,
    headers: { "cache-control": "public, max-age=3600" },
  });
}

export async function clientLoader({ params }: Route.ClientLoaderArgs): Promise<PostData> {
  const client = getBrowserClient();
  return {
    post: client.then((ready) => findPost(ready, params.slug)),
    next: client.then((ready) => listNextPosts(ready, params.slug)).catch(() => null),
  };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const post = loaderData?.post;
  // After a navigation in the browser the post is still loading; PostView renders the title then.
  if (!post || post instanceof Promise) return [];
  return pageMeta(
    { matches },
    {
      title: `${post.title} | Blog`,
      description: excerptOf(post),
      path: `/blog/${post.slug}`,
      article: {
        publishedAt: post.published_date,
        changedAt: post.updated_at,
        category: post.category,
      },
      jsonLd: (siteUrl) => [
        blogPosting(siteUrl, post),
        breadcrumbs(siteUrl, ["Blog", "/blog"], [post.title, `/blog/${post.slug}`]),
      ],
    },
  );
}

export default function PostPage({ loaderData, params }: Route.ComponentProps) {
  useLiveRefresh("posts");
  const shown = useRef<Post>(null);
  const deferred = loaderData.post instanceof Promise;
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
      <Suspense fallback={<PostLoading />}>
        <Await
          resolve={loaderData.post}
          errorElement={<LastPost slug={params.slug} shown={shown} />}
        >
          {(found) => {
            if (!found) return <Navigate to="/blog" replace />;
            if ("movedTo" in found) return <Navigate to={`/blog/${found.movedTo}`} replace />;
            return <PostView post={found} titled={deferred} shown={shown} />;
          }}
        </Await>
      </Suspense>
      <Suspense>
        <Await resolve={loaderData.next}>{(posts) => <NextPosts posts={posts} />}</Await>
      </Suspense>
    </div>
  );
}

/** Shown while a post loads, in the size of a post. */
function PostLoading() {
  return (
    <div className="mt-6">
      <title>Blog</title>
      <h1 className="sr-only">Blog</h1>
      <p role="status" className="text-muted">
        Loading post...
      </p>
      <div aria-hidden="true">
        <div className="skeleton mt-3 h-[1lh] max-w-3xl text-4xl" />
        <div className="skeleton mt-6 h-[1lh] w-64" />
        <div className="skeleton mt-9 aspect-video rounded-lg" />
      </div>
      <TakingLonger />
    </div>
  );
}

/** Keeps the post after a failed refetch, for example when a laptop wakes up offline. */
function LastPost({ slug, shown }: { slug: string; shown: RefObject<Post | null> }) {
  const error = useAsyncError();
  const post = shown.current;
  if (post?.slug !== slug) return <PostFailure error={error} />;
  return <PostView post={post} titled shown={shown} />;
}

/** Shows the same sentence as the server's 503, without the database's error. */
function PostFailure({ error }: { error: unknown }) {
  const failure = useMemo(() => ({ error }), [error]);
  useEffect(() => console.error("Loading a post failed", error), [error]);
  return (
    <>
      <title>Blog</title>
      <h1 className="sr-only">Blog</h1>
      <ListError list={failure} text={postError} />
    </>
  );
}

interface PostViewProps {
  post: Post;
  titled: boolean;
  /** The post that was shown last. */
  shown: RefObject<Post | null>;
}

function PostView({ post, titled, shown }: PostViewProps) {
  const { user } = useAuth();
  useEffect(() => {
    shown.current = post;
  }, [post, shown]);
  return (
    <article className="mt-6">
      {titled && <title>{`${post.title} | Blog`}</title>}
      <header className="max-w-4xl">
        <p className="font-semibold text-clay">{post.category}</p>
        <h1 className={`mt-3 ${titleSize(post.title)}`}>{post.title}</h1>
        <p className="mt-6 text-muted">
          By {post.author} ·{" "}
          <time dateTime={post.published_date}>{longDate(post.published_date)}</time> ·{" "}
          <span className="whitespace-nowrap">{readingMinutes(post.content)} min read</span>
        </p>
        {user && (
          <Suspense>
            <OwnerControls post={post} place="page" />
          </Suspense>
        )}
      </header>
      <PostImage
        post={post}
        priority
        sizes="(min-width: 74rem) 69rem, 92vw"
        className="mt-9 w-full rounded-lg"
      />
      <div className="mt-12 grid grid-cols-1 gap-14 lg:grid-cols-[minmax(0,1fr)_19rem] lg:gap-16">
        <PostBody content={post.content} />
        <Sidebar relatedServices={post.related_services} />
      </div>
    </article>
  );
}

/** The longer the title, the smaller its text. */
function titleSize(title: string): string {
  if (title.length > 160) return "text-xl";
  return title.length > 70 ? "text-3xl" : "text-4xl";
}

function Sidebar({ relatedServices }: { relatedServices: unknown }) {
  const services = findRelatedServices(relatedServices);
  return (
    <aside
      data-screen
      aria-label="Related services and next step"
      className="space-y-8 self-start lg:sticky lg:top-28"
    >
      {services.length > 0 && (
        <section>
          <h2 className="text-xl">Related Services</h2>
          <ul className="mt-3 border-t border-line">
            {services.map(({ slug, title }) => (
              <li key={slug} className="border-b border-line">
                <Link
                  to={`/services/${slug}`}
                  className="block py-3 font-medium text-evergreen underline-offset-4 hover:underline"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="on-deep rounded-lg bg-deep p-7 text-cream">
        <h2 className="text-xl">Ready to Talk?</h2>
        <p className="mt-2 text-mist">
          Bring the question this article left you with. The first conversation costs nothing.
        </p>
        <ExternalLink href={site.schedulingUrl} className={`${buttonClass("light")} mt-5 w-full`}>
          Schedule a Consultation
        </ExternalLink>
      </section>
    </aside>
  );
}

const dateFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: site.timeZone });

/** The long US format, such as "March 1, 2026", in the site's time zone. */
function longDate(time: string): string {
  return dateFormat.format(new Date(time));
}
