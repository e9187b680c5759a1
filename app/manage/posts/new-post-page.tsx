import { Suspense } from "react";
import type { PageAccess } from "../../auth/roles.ts";
import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { LoadFailure } from "../../ui/load-state.tsx";
import type { Route } from "./+types/new-post-page";

// Loaded separately, so that a visitor who opens this address does not load the code of the editor.
const NewPostForm = lazyPart(
  () => import("./new-post-form.tsx"),
  ({ onRetry }) => <LoadFailure what="The editor" onRetry={onRetry} />,
);

export const handle: PageAccess = { roles: ["owner", "editor"], action: "write posts" };

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `Create New Blog Post | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export default function NewPostPage() {
  return (
    <div className="wrap section">
      <Suspense fallback={<p role="status">Loading post editor...</p>}>
        <NewPostForm />
      </Suspense>
    </div>
  );
}
