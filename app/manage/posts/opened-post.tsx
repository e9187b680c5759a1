import { useState } from "react";
import { Link, Navigate } from "react-router";
import { Loaded, type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import { newPost, type OpenedPost as Opened, openPost } from "./open-post.ts";
import { PostEditor } from "./post-editor.tsx";

interface OpenedPostProps {
  id: string;
  /** Where the editor was opened: the address of a published post, or of all others. */
  place: "new" | "published";
  /** Nothing is stored of the post yet. */
  isNew?: boolean;
  /** The post is stored now, so that its address can name it. */
  onStored?: () => void;
}

/** Loads a post into the editor, and again after a change of its state. Loaded only for a signed-in user. */
export default function OpenedPost(props: OpenedPostProps) {
  const [openings, setOpenings] = useState(0);
  return (
    <Opening
      key={openings}
      {...props}
      isNew={props.isNew === true && openings === 0}
      isReopened={openings > 0}
      onReopen={() => {
        props.onStored?.();
        setOpenings(openings + 1);
      }}
    />
  );
}

interface OpeningProps extends OpenedPostProps {
  isReopened: boolean;
  onReopen: () => void;
}

function Opening(props: OpeningProps) {
  const { id, place, isNew, isReopened, onStored, onReopen } = props;
  const [data] = useState<Result<Opened | null> | Promise<Result<Opened | null>>>(() =>
    isNew
      ? { value: newPost(id) }
      : tryLoading("the post", async () => openPost(await getBrowserClient(), id)),
  );
  return (
    <Loaded
      data={data}
      of={id}
      fallback={
        <p role="status" className="text-muted">
          Loading post editor...
        </p>
      }
      failure={() => <LoadFailure what="The post" onRetry={onReopen} />}
    >
      {(opened) => {
        if (!opened) return <Gone />;
        if (opened.row && opened.state === "published" && place === "new") {
          return <Navigate to={`/blog/${opened.row.slug}/edit`} replace />;
        }
        return (
          <PostEditor
            opened={opened}
            takesFocus={isReopened}
            onStored={onStored}
            onReopen={onReopen}
          />
        );
      }}
    </Loaded>
  );
}

function Gone() {
  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="text-3xl">This draft is gone</h1>
      <p className="mt-4 text-lg text-muted">It was discarded, or its post was deleted.</p>
      <Link to="/blog/new" className={`${buttonClass("secondary")} mt-8`}>
        Write a new post
      </Link>
    </div>
  );
}
