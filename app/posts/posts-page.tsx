import { Suspense } from "react";
import { data, Link } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { mayWritePosts } from "../auth/roles.ts";
import { siteOf, useSite } from "../config/use-site.ts";
import { lazyPart } from "../loading/lazy-part.tsx";
import { isBeyondLast, type ListPage, statusOf } from "../loading/load-page.ts";
import { Loaded } from "../loading/loaded.tsx";
import { type About, breadcrumbs } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { clientContext } from "../supabase/client-context.ts";
import { useLiveRefresh } from "../supabase/live.ts";
import { buttonClass } from "../ui/button.ts";
import { LoadFailure, ReadFailure } from "../ui/load-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { NoSuchPage, Pager, pageOf, pagePath } from "../ui/pager.tsx";
import type { Route } from "./+types/posts-page";
import { NoPosts, PostCard, PostsLoading } from "./post-card.tsx";
import { blogPaging, loadPosts, type PostSummary, postsError } from "./posts.ts";

const OwnerControls = lazyPart(
  () => import("../manage/posts/owner-controls.tsx"),
  ({ onRetry }) => <LoadFailure what="Edit and Delete" onRetry={onRetry} className="mt-5" />,
);

export async function loader({ context, request }: Route.LoaderArgs) {
  const page = pageOf(new URL(request.url).search);
  const list = await loadPosts(context.get(clientContext), blogPaging, page);
  return data({ page, list }, { status: statusOf(list) });
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const page = pageOf(new URL(request.url).search);
  return { page, list: loadPosts(getBrowserClient(), blogPaging, page) };
}

export function meta({ matches, location }: Route.MetaArgs) {
  const page = pageOf(location.search);
  return pageMeta(
    { matches },
    {
      title: `Blog | Financial Insights & Strategies${page > 1 ? ` | Page ${page}` : ""}`,
      description: `Articles from ${siteOf(matches).firm.name} on life insurance, retirement, taxes and protecting a family.`,
      path: pagePath("/blog", page),
    },
  );
}

export function structuredData(about: About) {
  return [breadcrumbs(about, ["Blog", "/blog"])];
}

export default function PostsPage({ loaderData }: Route.ComponentProps) {
  useLiveRefresh("posts");
  const { heading, lead } = useSite().blog;
  const { role } = useAuth();
  return (
    <div className="wrap section">
      <div className="flex flex-wrap items-end justify-between gap-6">
        <PageHeading title={heading} lead={lead} />
        <div className="flex flex-wrap gap-3">
          {mayWritePosts(role) && (
            <Link to="/blog/new" className={buttonClass("primary")}>
              Create New Post
            </Link>
          )}
          <Link to="/" className={buttonClass("secondary")}>
            Return to Home
          </Link>
        </div>
      </div>
      <Loaded
        data={loaderData.list}
        of={loaderData.page}
        fallback={<PostsLoading lead />}
        failure={(failed) => <ReadFailure failed={failed} text={postsError} />}
      >
        {(list) => <PostGrid list={list} />}
      </Loaded>
    </div>
  );
}

function PostGrid({ list }: { list: ListPage<PostSummary> }) {
  const { role } = useAuth();
  if (isBeyondLast(list)) return <NoSuchPage items="articles" path="/blog" />;
  if (list.rows.length === 0) return <NoPosts />;
  return (
    <>
      <div className="mt-12 grid grid-cols-1 gap-x-8 gap-y-14 md:grid-cols-2 lg:grid-cols-3">
        {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the list role of `display: contents`. */}
        <ul role="list" className="contents">
          {list.rows.map((post, index) => (
            <li
              key={post.id}
              className={`stagger ${isLead(index, list) ? "md:col-span-full" : ""}`}
              style={{ "--i": index }}
            >
              <PostCard
                post={post}
                lead={isLead(index, list)}
                headingLevel={2}
                controls={
                  mayWritePosts(role) && (
                    <Suspense>
                      <OwnerControls post={post} place="card" />
                    </Suspense>
                  )
                }
              />
            </li>
          ))}
        </ul>
        {!list.hasNext && (
          <Invitation cards={isLead(0, list) ? list.rows.length - 1 : list.rows.length} />
        )}
      </div>
      <Pager items="articles" path="/blog" page={list.page} hasNext={list.hasNext} />
    </>
  );
}

/** Fills the free cells of the last row with an invitation to ask a question. */
function Invitation({ cards }: { cards: number }) {
  const ofTwo = cards % 2 === 0 ? "md:max-lg:hidden" : "";
  const ofThree = ["lg:hidden", "lg:col-span-2", ""][cards % 3];
  return (
    <div
      className={`flex flex-col justify-center rounded-lg bg-sage p-7 sm:p-9 ${ofTwo} ${ofThree}`}
    >
      <h2 className="text-2xl">Is your question missing?</h2>
      <p className="mt-3 max-w-xl text-muted">Send it, and the next article may be about it.</p>
      <p className="mt-5">
        <Link
          to="/contact"
          className="inline-block py-1 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-6 hover:text-pine"
        >
          Ask a question
        </Link>
      </p>
    </div>
  );
}

/** Whether a post is shown wide: the newest one, unless the list is too short to fill a row below it. */
function isLead(index: number, { rows, page }: ListPage<PostSummary>): boolean {
  return index === 0 && page === 1 && rows.length > 2;
}
