import { useCallback, useState } from "react";
import { Navigate, useLocation, useParams, useSearchParams } from "react-router";
import { Loaded, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { newId } from "../../supabase/new-id.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import { ButtonLink } from "../button.tsx";
import { replaceValue, useLiveQuery } from "../live-query.ts";
import { pageClass } from "../manage-frame.tsx";
import { type Kind, kindAt } from "./kinds.ts";
import { readNewPostId } from "./post-backup.ts";
import { PostEditor } from "./post-editor.tsx";
import { newPost, openPost } from "./stored-posts.ts";

/**
 * The pages /blog/new, with `?draft=` for a draft or scheduled post, and /blog/:slug/edit; the same for pages of the owner's own
 * below /manage/pages.
 */
export default function PostPage() {
  const { slug } = useParams();
  const kind = kindAt(useLocation().pathname);
  return slug === undefined ? (
    <UnpublishedPost key={kind.name} kind={kind} />
  ) : (
    <PublishedPost key={slug} kind={kind} slug={slug} />
  );
}

/** The address names a new post once it is stored. */
function UnpublishedPost({ kind }: { kind: Kind }) {
  const [query, setQuery] = useSearchParams();
  const draftId = query.get("draft");
  const [opened, setOpened] = useState(() => opening(draftId, kind));
  if (draftId !== opened.draftId) {
    // The editor stays open when only the address changes.
    setOpened(draftId === opened.id ? { ...opened, draftId } : opening(draftId, kind));
  }
  const { id } = opened;
  const nameInAddress = useCallback(() => {
    if (draftId === id) return;
    setQuery(
      { draft: id },
      { replace: true, preventScrollReset: true, state: { staysInPlace: true } },
    );
  }, [draftId, id, setQuery]);

  return <OpenedPost key={id} {...{ id, kind }} isNew={opened.isNew} onStored={nameInAddress} />;
}

interface Opening {
  /** The draft that the address names. */
  draftId: string | null;
  id: string;
  isNew: boolean;
}

function opening(draftId: string | null, kind: Kind): Opening {
  return draftId
    ? { draftId, id: draftId, isNew: false }
    : { draftId, id: readNewPostId(kind) ?? newId(), isNew: true };
}

/** Finds the post once: a change elsewhere must not replace it while it is edited. */
function PublishedPost({ slug, kind }: { slug: string; kind: Kind }) {
  const find = () =>
    tryLoading("the post", getBrowserClient(), (client) => findPostId(client, slug, kind));
  const [found, setFound] = useState(find);
  return (
    <Loaded
      data={found}
      of={slug}
      fallback={loading}
      failure={() => <Failed kind={kind} onRetry={() => setFound(find())} />}
    >
      {(id) =>
        id ? (
          <OpenedPost key={id} {...{ id, kind }} isPublished />
        ) : (
          <Navigate to={kind.home} replace />
        )
      }
    </Loaded>
  );
}

/** @returns null when no post has that slug. @throws the backend's error */
async function findPostId(client: Client, slug: string, kind: Kind): Promise<string | null> {
  const query = client.from(kind.names).select("id").eq("slug", slug);
  return (await query.maybeSingle().throwOnError()).data?.id ?? null;
}

interface OpenedPostProps {
  id: string;
  kind: Kind;
  /** Whether the page has the address of a published post, and not the one that all others share. */
  isPublished?: boolean;
  isNew?: boolean;
  onStored?: () => void;
}

function OpenedPost({ id, kind, isPublished, isNew, onStored }: OpenedPostProps) {
  const [openings, setOpenings] = useState(0);
  const [first, setFirst] = useState(() => (isNew ? newPost({ id, kind }) : null));
  const key = ["the post", id, openings];
  const { value, isPrevious, failures, retry } = useLiveQuery({
    key,
    read: (client) => openPost(client, { id, kind }),
    tables: ["posts", "drafts", "content_states"],
  });
  const newest = isPrevious ? undefined : value;
  if (!first && newest) setFirst(newest);

  async function reread() {
    const stored = await openPost(await getBrowserClient(), { id, kind });
    replaceValue(key, stored);
    return stored;
  }

  function reopen() {
    onStored?.();
    setFirst(null);
    setOpenings(openings + 1);
  }

  if (newest === null && !(isNew && openings === 0)) return <Gone kind={kind} />;
  if (!first) {
    return failures > 0 ? <Failed kind={kind} onRetry={retry} /> : loading;
  }
  if (first.row && first.state === "published" && !isPublished) {
    return <Navigate to={kind.edit(first.row.slug)} replace />;
  }
  return (
    <PostEditor
      key={openings}
      opened={newest?.state === first.state ? newest : first}
      newState={newest?.state ?? null}
      reread={reread}
      takesFocus={openings > 0}
      onStored={onStored}
      onReopen={reopen}
    />
  );
}

const loading = (
  <p role="status" className={`text-muted ${pageClass}`}>
    Loading post editor...
  </p>
);

function Failed({ kind, onRetry }: { kind: Kind; onRetry: () => void }) {
  return (
    <div className={pageClass}>
      <LoadFailure what={`The ${kind.name}`} onRetry={onRetry} />
    </div>
  );
}

function Gone({ kind: { name, create } }: { kind: Kind }) {
  return (
    <div className={pageClass}>
      <h1 className="text-3xl">This draft is gone</h1>
      <p className="mt-2 text-muted">{`It was discarded, or its ${name} was deleted.`}</p>
      <ButtonLink to={create} className="mt-6">
        {`Write a new ${name}`}
      </ButtonLink>
    </div>
  );
}
