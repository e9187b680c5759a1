import { data, Link } from "react-router";
import { siteOf, useSite } from "../config/use-site.ts";
import { statusOf } from "../loading/load-page.ts";
import { Loaded, type Result, tryLoading } from "../loading/loaded.tsx";
import { type About, breadcrumbs } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { getVisitorClient } from "../supabase/browser-client.ts";
import { clientContext, type VisitorClient } from "../supabase/client-context.ts";
import { useLiveRefresh } from "../supabase/live.ts";
import { buttonClass } from "../ui/button-class.ts";
import { ReadFailure } from "../ui/load-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { pageOf, pagePath } from "../ui/pager.tsx";
import type { Route } from "./+types/category-page";
import { BlogToolbar } from "./blog-toolbar.tsx";
import { type Category, listCategories } from "./categories.ts";
import { PostsLoading } from "./post-card.tsx";
import { PostGrid } from "./post-grid.tsx";
import { type CategoryPosts, countArticles, readCategoryPosts } from "./post-lists.ts";
import { postsError } from "./posts.ts";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { posts, ...loading } = startLoading(
    Promise.resolve(context.get(clientContext)),
    params.slug,
    request,
  );
  const [loadedPosts, categories] = await Promise.all([posts, loading.categories]);
  return data(
    { ...loading, posts: loadedPosts, categories },
    { status: statusOfPosts(loadedPosts) },
  );
}

export async function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  return startLoading(getVisitorClient(), params.slug, request);
}

function startLoading(client: Promise<VisitorClient>, slug: string, request: Request) {
  const page = pageOf(new URL(request.url).search);
  const categories = tryLoading("categories", client, listCategories);
  return { page, categories, posts: loadPosts(client, categories, slug, page) };
}

async function loadPosts(
  client: Promise<VisitorClient>,
  loading: Promise<Result<Category[]>>,
  slug: string,
  page: number,
): Promise<Result<CategoryPosts | null>> {
  const categories = await loading;
  if ("failed" in categories) return categories;
  return tryLoading("posts", client, (ready) =>
    readCategoryPosts(ready, categories.value, slug, page),
  );
}

function statusOfPosts(posts: Result<CategoryPosts | null>): number {
  if ("failed" in posts) return 200;
  return posts.value ? statusOf({ value: posts.value.list }) : 404;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  // After a navigation in the browser the posts are still loading; the component renders the title then.
  if (!loaderData || !("value" in loaderData.posts)) return [];
  const { page, posts } = loaderData;
  const { firm, blog } = siteOf(matches);
  const title = titleOf(posts.value, blog.titleEnding);
  if (!posts.value) return [{ title }, { name: "robots", content: "noindex" }];
  const { name, slug } = posts.value.category;
  const path = `/blog/category/${slug}`;
  return pageMeta(
    { matches },
    {
      title,
      description: `Articles about ${name} from ${firm.name}, the newest first.`,
      path: pagePath(path, page),
    },
  );
}

export function structuredData(about: About, { posts }: { posts: Result<CategoryPosts | null> }) {
  if (!("value" in posts) || !posts.value) return [];
  const { name, slug } = posts.value.category;
  return [breadcrumbs(about, ["Blog", "/blog"], [name, `/blog/category/${slug}`])];
}

function titleOf(found: CategoryPosts | null, ending: string): string {
  const { category, list } = found ?? {};
  const page = list && list.page > 1 ? ` | Page ${list.page}` : "";
  return `${category?.name ?? "Category not found"} | ${ending}${page}`;
}

export default function CategoryPage({ loaderData, params }: Route.ComponentProps) {
  useLiveRefresh("posts");
  const { page, posts, categories } = loaderData;
  const { titleEnding } = useSite().blog;
  const titledByMeta = "value" in posts;
  const shown = { data: posts, of: `${params.slug} ${page}` };
  return (
    <div className="wrap section">
      <Loaded {...shown} fallback={<NoHeading />} failure={() => <NoHeading />}>
        {(found) => (
          <>
            {!titledByMeta && <title>{titleOf(found, titleEnding)}</title>}
            <PageHeading
              title={found?.category.name ?? "There is no such category"}
              lead={
                found
                  ? countArticles(found.category.count)
                  : "Its articles may have another category now."
              }
            />
          </>
        )}
      </Loaded>
      <BlogToolbar categories={categories} current={params.slug} />
      <Loaded
        {...shown}
        fallback={<PostsLoading startsWide />}
        failure={(failed) => <ReadFailure failed={failed} text={postsError} />}
      >
        {(found) =>
          found ? (
            <PostGrid
              list={found.list}
              path={`/blog/category/${found.category.slug}`}
              empty={null}
            />
          ) : (
            <p className="mt-12">
              <Link to="/blog" className={buttonClass("secondary")}>
                All articles
              </Link>
            </p>
          )
        }
      </Loaded>
    </div>
  );
}

/** Before the name of the category is known, and when it could not be loaded. */
function NoHeading() {
  return (
    <div className="min-h-24">
      <title>Blog</title>
      <h1 className="sr-only">Blog</h1>
    </div>
  );
}
