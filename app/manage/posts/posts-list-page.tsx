import { Suspense } from "react";
import type { PageAccess } from "../../auth/roles.ts";
import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { mayHaveSession } from "../../supabase/browser-client.ts";
import { useLiveRefresh } from "../../supabase/live.ts";
import { LoadFailure, TakingLonger } from "../../ui/load-state.tsx";
import type { Route } from "./+types/posts-list-page";
import { loadManagedPosts, searchOf } from "./managed-posts.ts";

// Loaded separately, so that a visitor who opens this address does not load the code of the list.
const PostsList = lazyPart(
  () => import("./posts-list.tsx"),
  ({ onRetry }) => (
    <div className="wrap section">
      <h1 className="text-3xl">Posts</h1>
      <LoadFailure what="Your posts" onRetry={onRetry} className="mt-8" />
    </div>
  ),
);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  // Without a session the protected layout redirects to the login; skip the request.
  if (!mayHaveSession()) return null;
  const search = searchOf(new URL(request.url).search);
  return { search, list: loadManagedPosts(search) };
}
clientLoader.hydrate = true as const;

export const handle: PageAccess = { roles: ["owner", "editor"], action: "manage posts" };

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `Posts | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export function HydrateFallback() {
  return <Loading />;
}

export default function PostsListPage({ loaderData }: Route.ComponentProps) {
  useLiveRefresh("posts");
  if (!loaderData) return <Loading />;
  return (
    <Suspense fallback={<Loading />}>
      <PostsList {...loaderData} />
    </Suspense>
  );
}

function Loading() {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">Posts</h1>
      <p role="status" className="mt-4 text-lg text-muted">
        Loading posts...
      </p>
      <TakingLonger />
    </div>
  );
}
