import { Suspense, useState } from "react";
import { Await, Navigate, useParams } from "react-router";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { Loading } from "../manage-frame.tsx";
import OpenedPost from "./opened-post.tsx";

export default function EditPostPage() {
  const { slug = "" } = useParams();
  return (
    <div className="wrap section">
      <PostAt key={slug} slug={slug} />
    </div>
  );
}

/** Looks the post up once: a change elsewhere must not replace it while it is edited. */
function PostAt({ slug }: { slug: string }) {
  const [found] = useState(() => findPostId(slug));
  return (
    <Suspense fallback={<Loading />}>
      <Await resolve={found} errorElement={<LoadError />}>
        {(id) =>
          id ? <OpenedPost key={id} id={id} place="published" /> : <Navigate to="/blog" replace />
        }
      </Await>
    </Suspense>
  );
}

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
