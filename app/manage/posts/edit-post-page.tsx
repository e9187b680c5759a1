import { Suspense } from "react";
import { Await, Navigate } from "react-router";
import type { PageAccess } from "../../auth/roles.ts";
import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import type { Route } from "./+types/edit-post-page";

// Loaded separately, so that a visitor who opens this address does not load the code of the editor.
const OpenedPost = lazyPart(
  () => import("./opened-post.tsx"),
  ({ onRetry }) => <LoadFailure what="The editor" onRetry={onRetry} />,
);

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return { id: findPostId(params.slug) };
}
clientLoader.hydrate = true as const;

/** @returns null when no post has that slug. @throws the backend's error */
async function findPostId(slug: string): Promise<string | null> {
  const client = await getBrowserClient();
  const { data } = await client
    .from("posts")
    .select("id")
    .eq("slug", slug)
    .maybeSingle()
    .throwOnError();
  return data?.id ?? null;
}

/** A change elsewhere must not replace the post while it is edited. */
export function shouldRevalidate() {
  return false;
}

export const handle: PageAccess = { roles: ["owner", "editor"], action: "edit posts" };

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `Edit Post | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export function HydrateFallback() {
  return <Loading />;
}

export default function EditPostPage({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap section">
      <Suspense fallback={<Loading />}>
        <Await resolve={loaderData.id} errorElement={<LoadError />}>
          {(id) =>
            id ? <OpenedPost key={id} id={id} place="published" /> : <Navigate to="/blog" replace />
          }
        </Await>
      </Suspense>
    </div>
  );
}

function Loading() {
  return (
    <p role="status" className="text-muted">
      Loading post editor...
    </p>
  );
}

function LoadError() {
  return (
    <div role="alert" className="rounded-lg border border-line bg-surface px-6 py-12 text-center">
      <p className="text-lg">The post can't be loaded right now. Nothing of it is lost.</p>
      <button
        type="button"
        className={`${buttonClass("secondary")} mt-5`}
        onClick={() => window.location.reload()}
      >
        Try again
      </button>
    </div>
  );
}
