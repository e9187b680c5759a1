import { data, Link, type MetaDescriptor } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { OwnerPart } from "../auth/owner-part.tsx";
import { siteOf, useSite } from "../config/use-site.ts";
import { type ListPage, statusOf } from "../loading/load-page.ts";
import { type Loadable, Loaded, tryLoading } from "../loading/loaded.tsx";
import { type About, breadcrumbs } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { getVisitorClient } from "../supabase/browser-client.ts";
import { clientContext, type VisitorClient } from "../supabase/client-context.ts";
import { useLiveRefresh } from "../supabase/live.ts";
import { buttonClass } from "../ui/button-class.ts";
import { ReadFailure } from "../ui/load-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { pageOf, pagePath } from "../ui/pager.tsx";
import type { Route } from "./+types/posts-page";
import { BlogToolbar } from "./blog-toolbar.tsx";
import { listCategories } from "./categories.ts";
import { PostsLoading } from "./post-card.tsx";
import { PostGrid } from "./post-grid.tsx";
import {
  countArticles,
  type ListedPost,
  queryOf,
  readPosts,
  searchPath,
  searchPosts,
} from "./post-lists.ts";
import { postsError } from "./posts.ts";

type PostList = ListPage<ListedPost> & { found?: number };

const searchError = "The articles can't be searched right now.";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { list, categories, ...shown } = startLoading(
    Promise.resolve(context.get(clientContext)),
    request,
  );
  const [loadedList, loadedCategories] = await Promise.all([list, categories]);
  return data(
    { ...shown, list: loadedList, categories: loadedCategories },
    { status: statusOf(loadedList) },
  );
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return startLoading(getVisitorClient(), request);
}

function startLoading(client: Promise<VisitorClient>, request: Request) {
  const { search } = new URL(request.url);
  const page = pageOf(search);
  const query = queryOf(search);
  const readList = (ready: VisitorClient): Promise<PostList> =>
    query ? searchPosts(ready, query, page) : readPosts(ready, page);
  return {
    ...{ page, query },
    list: tryLoading("posts", client, readList),
    categories: tryLoading("categories", client, listCategories),
  };
}

export function meta({ matches, location }: Route.MetaArgs) {
  const page = pageOf(location.search);
  const query = queryOf(location.search);
  const { pages, blog } = siteOf(matches);
  const { title, description } = pages.blog;
  const about = query ? `Search results for “${query}” | ${blog.titleEnding}` : title;
  const tags = pageMeta(
    { matches },
    {
      title: about + (page > 1 ? ` | Page ${page}` : ""),
      description,
      path: query ? "/blog" : pagePath("/blog", page),
    },
  );
  return query ? withoutIndexing(tags) : tags;
}

/** Search engines index the posts, not the endless number of searches. */
function withoutIndexing(tags: MetaDescriptor[]): MetaDescriptor[] {
  const isRobots = (tag: MetaDescriptor) => "name" in tag && tag.name === "robots";
  return [...tags.filter((tag) => !isRobots(tag)), { name: "robots", content: "noindex" }];
}

export function structuredData(about: About) {
  return [breadcrumbs(about, ["Blog", "/blog"])];
}

export default function PostsPage({ loaderData }: Route.ComponentProps) {
  useLiveRefresh("posts");
  const { blog, stored } = useSite();
  const { heading, lead } = blog;
  const { tasks } = useAuth();
  const { page, query, list, categories } = loaderData;
  return (
    <div className="wrap section">
      <div className="relative flex flex-wrap items-end justify-between gap-6">
        {tasks.includes("manage the site") && <OwnerPart part="setup line" />}
        {query ? (
          <SearchHeading query={query} list={list} />
        ) : (
          <PageHeading title={heading} lead={lead} />
        )}
        <div className="flex flex-wrap gap-3">
          {tasks.includes("write posts") && (
            <Link to="/blog/new" className={buttonClass("primary")}>
              Create New Post
            </Link>
          )}
          <Link to="/" className={buttonClass("secondary")}>
            Return to Home
          </Link>
        </div>
      </div>
      {(query || stored.posts) && <BlogToolbar categories={categories} query={query} />}
      <Loaded
        // A new search shows that it is loading, in place of the previous results.
        key={query}
        data={list}
        of={`${query} ${page}`}
        fallback={<PostsLoading startsWide={!query} />}
        failure={(failed) => (
          <ReadFailure failed={failed} text={query ? searchError : postsError} />
        )}
      >
        {(posts) => (
          <PostGrid
            list={posts}
            path={searchPath(query)}
            mayStartWide={!query}
            empty={query ? <NothingFound /> : <NoPosts />}
          />
        )}
      </Loaded>
    </div>
  );
}

function SearchHeading({ query, list }: { query: string; list: Loadable<PostList> }) {
  return (
    <div className="max-w-2xl">
      <h1 className="text-3xl">Search results</h1>
      {/* The element stays when the next search starts, so that screen readers announce its result. */}
      <p role="status" className="mt-4 min-h-[1lh] text-lg text-muted">
        <Loaded key={query} data={list} of={query} failure={() => null}>
          {({ found = 0 }) => <span>{`${countArticles(found)} found for “${query}”`}</span>}
        </Loaded>
      </p>
    </div>
  );
}

function NothingFound() {
  return (
    <div className="mt-12 rounded-lg border border-line bg-surface px-6 py-16 text-center">
      <p className="font-serif text-xl">Try fewer words, or a word that means the same.</p>
      <p className="mt-6 flex flex-wrap justify-center gap-3">
        <Link to="/blog" className={buttonClass("secondary")}>
          Clear the search
        </Link>
        <Link to="/contact" className={buttonClass("secondary")}>
          Ask a question
        </Link>
      </p>
    </div>
  );
}

function NoPosts() {
  const { isDefault } = useSite();
  return (
    <div className="mt-10 grid items-center gap-8 border-y border-line py-10 sm:grid-cols-[14rem_1fr]">
      <img
        src={`/images/${isDefault ? "" : "neutral/"}fallback-general.svg`}
        alt=""
        width={1600}
        height={900}
        loading="lazy"
        className="image aspect-video w-full rounded-md"
      />
      <p className="font-serif text-2xl">No articles yet</p>
    </div>
  );
}
