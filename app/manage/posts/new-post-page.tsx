import { Suspense, useCallback, useState } from "react";
import { useSearchParams } from "react-router";
import type { PageAccess } from "../../auth/roles.ts";
import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { newId } from "../../supabase/new-id.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import type { Route } from "./+types/new-post-page";
import { readNewPostId } from "./post-backup.ts";

// Loaded separately, so that a visitor who opens this address does not load the code of the editor.
const OpenedPost = lazyPart(
  () => import("./opened-post.tsx"),
  ({ onRetry }) => <LoadFailure what="The editor" onRetry={onRetry} />,
);

export const handle: PageAccess = { roles: ["owner", "editor"], action: "write posts" };

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `Create New Blog Post | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

/** A new post, or with `?draft=` a draft or scheduled post. The address names a new post once it is stored. */
export default function NewPostPage() {
  const [query, setQuery] = useSearchParams();
  const draftId = query.get("draft");
  const [opened, setOpened] = useState(() => opening(draftId));
  if (draftId !== opened.draftId) {
    // The editor stays open when only the address changes.
    setOpened(draftId === opened.id ? { ...opened, draftId } : opening(draftId));
  }
  const { id } = opened;
  const nameInAddress = useCallback(() => {
    if (draftId === id) return;
    setQuery(
      { draft: id },
      { replace: true, preventScrollReset: true, state: { staysInPlace: true } },
    );
  }, [draftId, id, setQuery]);

  return (
    <div className="wrap section">
      <Suspense fallback={<p role="status">Loading post editor...</p>}>
        <OpenedPost key={id} id={id} place="new" isNew={opened.isNew} onStored={nameInAddress} />
      </Suspense>
    </div>
  );
}

interface Opening {
  /** In the address. */
  draftId: string | null;
  id: string;
  isNew: boolean;
}

function opening(draftId: string | null): Opening {
  return draftId
    ? { draftId, id: draftId, isNew: false }
    : { draftId, id: readNewPostId() ?? newId(), isNew: true };
}
