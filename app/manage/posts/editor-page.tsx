import { useCallback, useState } from "react";
import { Navigate, useLocation, useParams, useSearchParams } from "react-router";
import { Loaded, type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { newId } from "../../supabase/new-id.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import { ButtonLink } from "../button.tsx";
import { pageClass } from "../manage-frame.tsx";
import { kindOf } from "./kinds.ts";
import { readNewPostId } from "./post-backup.ts";
import { PostEditor } from "./post-editor.tsx";
import { newPost, type OpenedPost as Opened, openPost } from "./stored-posts.ts";

/**
 * The pages /blog/new, with `?draft=` for a draft or scheduled post, and /blog/:slug/edit; the same for pages of the owner's own
 * below /manage/pages.
 */
export default function PostPage() {
  const { slug } = useParams();
  const isPage = useLocation().pathname.startsWith("/manage/pages");
  return (
    <div className={pageClass}>
      {slug === undefined ? (
        <UnpublishedPost key={String(isPage)} isPage={isPage} />
      ) : (
        <PublishedPost key={slug} isPage={isPage} slug={slug} />
      )}
    </div>
  );
}

/** The address names a new post once it is stored. */
function UnpublishedPost({ isPage }: { isPage: boolean }) {
  const [query, setQuery] = useSearchParams();
  const draftId = query.get("draft");
  const [opened, setOpened] = useState(() => opening(draftId, isPage));
  if (draftId !== opened.draftId) {
    // The editor stays open when only the address changes.
    setOpened(draftId === opened.id ? { ...opened, draftId } : opening(draftId, isPage));
  }
  const { id } = opened;
  const nameInAddress = useCallback(() => {
    if (draftId === id) return;
    setQuery(
      { draft: id },
      { replace: true, preventScrollReset: true, state: { staysInPlace: true } },
    );
  }, [draftId, id, setQuery]);

  return <OpenedPost key={id} {...{ id, isPage }} isNew={opened.isNew} onStored={nameInAddress} />;
}

interface Opening {
  /** The slug in the address. */
  draftId: string | null;
  id: string;
  isNew: boolean;
}

function opening(draftId: string | null, isPage: boolean): Opening {
  return draftId
    ? { draftId, id: draftId, isNew: false }
    : { draftId, id: readNewPostId(isPage) ?? newId(), isNew: true };
}

/** Finds the post once: a change elsewhere must not replace it while it is edited. */
function PublishedPost({ slug, isPage }: { slug: string; isPage: boolean }) {
  const find = () => tryLoading("the post", () => findPostId(slug, isPage));
  const [found, setFound] = useState(find);
  return (
    <Loaded
      data={found}
      of={slug}
      fallback={loading}
      failure={() => (
        <LoadFailure what={`The ${kindOf(isPage).name}`} onRetry={() => setFound(find())} />
      )}
    >
      {(id) =>
        id ? (
          <OpenedPost key={id} {...{ id, isPage }} isPublished />
        ) : (
          <Navigate to={isPage ? kindOf(isPage).list : "/blog"} replace />
        )
      }
    </Loaded>
  );
}

/** @returns null when no post has that slug. @throws the backend's error */
async function findPostId(slug: string, isPage: boolean): Promise<string | null> {
  const client = await getBrowserClient();
  const query = client.from(kindOf(isPage).table).select("id").eq("slug", slug);
  return (await query.maybeSingle().throwOnError()).data?.id ?? null;
}

interface OpenedPostProps {
  id: string;
  isPage: boolean;
  /** Whether the page has the address of a published post, and not the one that all others share. */
  isPublished?: boolean;
  isNew?: boolean;
  onStored?: () => void;
}

function OpenedPost({ id, isPage, isPublished, isNew, onStored }: OpenedPostProps) {
  const [openings, setOpenings] = useState(0);
  const [data, setData] = useState<Result<Opened | null> | Promise<Result<Opened | null>>>(() =>
    isNew ? { value: newPost(id, isPage) } : open(),
  );

  function open() {
    return tryLoading("the post", async () => openPost(await getBrowserClient(), id, isPage));
  }

  function reopen() {
    onStored?.();
    setData(open());
    setOpenings(openings + 1);
  }

  return (
    <Loaded
      key={openings}
      data={data}
      of={id}
      fallback={loading}
      failure={() => <LoadFailure what={`The ${kindOf(isPage).name}`} onRetry={reopen} />}
    >
      {(opened) => {
        if (!opened) return <Gone isPage={isPage} />;
        if (opened.row && opened.state === "published" && !isPublished) {
          return <Navigate to={kindOf(isPage).edit(opened.row.slug)} replace />;
        }
        return (
          <PostEditor
            opened={opened}
            takesFocus={openings > 0}
            onStored={onStored}
            onReopen={reopen}
          />
        );
      }}
    </Loaded>
  );
}

const loading = (
  <p role="status" className="text-muted">
    Loading post editor...
  </p>
);

function Gone({ isPage }: { isPage: boolean }) {
  const { name, create } = kindOf(isPage);
  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="text-3xl">This draft is gone</h1>
      <p className="mt-4 text-lg text-muted">It was discarded, or its {name} was deleted.</p>
      <ButtonLink to={create} size="normal" className="mt-8">
        Write a new {name}
      </ButtonLink>
    </div>
  );
}
