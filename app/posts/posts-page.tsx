import { Suspense } from "react";
import { Await, Link } from "react-router";
import { site } from "../config/site.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { clientContext } from "../supabase/client-context.ts";
import { useLiveRefresh } from "../supabase/use-live-refresh.ts";
import { buttonClass } from "../ui/button.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import type { Route } from "./+types/posts-page";
import { loadPosts, type PostList } from "./load-posts.ts";
import { PostCard } from "./post-card.tsx";
import { PostsError } from "./posts-error.tsx";

interface PostsData {
  list: PostList | Promise<PostList>;
}

export async function loader({ context }: Route.LoaderArgs): Promise<PostsData> {
  return { list: await loadPosts(context.get(clientContext)) };
}

export async function clientLoader(): Promise<PostsData> {
  return { list: getBrowserClient().then((client) => loadPosts(client)) };
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(
    { matches },
    {
      title: "Blog | Financial Insights & Strategies",
      description: `Plain-spoken articles by ${site.adviser.name} on life insurance, retirement, taxes and protecting a family.`,
      path: "/blog",
    },
  );
}

export default function PostsPage({ loaderData }: Route.ComponentProps) {
  useLiveRefresh("posts");
  return (
    <div className="wrap section">
      <div className="flex flex-wrap items-end justify-between gap-6">
        <PageHeading
          title="Financial insights and strategies"
          lead="Short reads for long decisions: what to ask, what to skip, and the numbers worked through."
        />
        <Link to="/" className={buttonClass("secondary")}>
          Return to Home
        </Link>
      </div>
      <Suspense
        fallback={
          <p role="status" className="mt-12 text-muted">
            Loading articles...
          </p>
        }
      >
        <Await resolve={loaderData.list}>{(list) => <Articles list={list} />}</Await>
      </Suspense>
    </div>
  );
}

function Articles({ list }: { list: PostList }) {
  if (list.failed) return <PostsError />;
  if (list.posts.length === 0) {
    return (
      <p className="mt-12 text-lg text-muted">No articles yet. The first one is being written.</p>
    );
  }
  return (
    <ul className="mt-12 grid gap-6 md:grid-cols-2 lg:grid-cols-3">
      {list.posts.map((post, index) => (
        <li key={post.id} className="stagger" style={{ "--i": index }}>
          <PostCard post={post} />
        </li>
      ))}
    </ul>
  );
}
