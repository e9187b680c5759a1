import { useCallback, useState } from "react";
import { useSearchParams } from "react-router";
import { newId } from "../../supabase/new-id.ts";
import OpenedPost from "./opened-post.tsx";
import { readNewPostId } from "./post-backup.ts";

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
      <OpenedPost key={id} id={id} place="new" isNew={opened.isNew} onStored={nameInAddress} />
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
