import { Link } from "react-router";
import { isClosed, useSite } from "../../config/use-site.ts";
import { Button, ButtonLink } from "../button.tsx";
import { DeleteButton } from "../delete-button.tsx";
import { ChangedElsewhereError } from "../describe-failure.ts";
import { formatMoment } from "../format-moment.ts";
import { Badge } from "../page-parts.tsx";
import { PageControls } from "../pages/page-controls.tsx";
import { useAction } from "../use-action.ts";
import { removeDeleted } from "../versions/content-store.ts";
import type { Kind } from "./kinds.ts";
import { editPath, type ManagedPost } from "./managed-posts.ts";
import { DeletePostButton } from "./owner-controls.tsx";
import { restorePost } from "./stored-posts.ts";

interface PostItemProps {
  post: ManagedPost;
  kind: Kind;
  timeZone: string;
  neighbors?: readonly (ManagedPost | undefined)[];
  onMoved?: () => void;
  onChanged: () => void;
}

export function PostItem(props: PostItemProps) {
  const { post, kind, timeZone, neighbors = [], onMoved, onChanged } = props;
  const { id, state, slug, has_draft, failure, place, hidden } = post;
  const [before, after] = neighbors.map((other) => (other?.place === place ? other : undefined));
  const title = post.title || "Untitled";
  const note = kind.inBlog
    ? [post.category, post.author && `By ${post.author}`].filter(Boolean).join(" · ")
    : slug && kind.folder + slug;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 sm:px-6">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          {state === "deleted" ? (
            <span className="font-semibold wrap-anywhere">{title}</span>
          ) : (
            <Link
              to={editPath(kind, post)}
              className="font-semibold text-evergreen underline-offset-4 wrap-anywhere hover:underline"
            >
              {title}
            </Link>
          )}
          <Badge look="good">{hidden ? "Hidden" : states[state].name}</Badge>
          {has_draft && state !== "draft" && <Badge look="warning">Unpublished changes</Badge>}
        </p>
        <p className="mt-1 text-sm text-muted wrap-anywhere">
          <span>{`${note ? `${note} · ` : ""}${
            failure ? "Was to go public" : place !== null ? "Changed" : states[state].datePrefix
          } `}</span>
          <time dateTime={post.date}>{formatMoment(post.date, timeZone)}</time>
        </p>
        {failure && (
          <p className="mt-1 text-sm font-medium text-danger wrap-anywhere">
            {`Not published: ${failure}. It is tried again every hour. Open the post to change it, publish it or choose another time.`}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {place !== null && (
          <PageControls {...{ ...post, title, before, after }} onChanged={() => onMoved?.()} />
        )}
        {state === "published" && !hidden && <ViewLink path={kind.folder + slug} title={title} />}
        {state === "deleted" ? (
          <>
            <RestoreButton post={post} kind={kind} onRestored={onChanged} />
            <RemoveButton id={id} kind={kind} target={title} onRemoved={onChanged} />
          </>
        ) : (
          <DeletePostButton {...{ id, kind, state, title }} onDeleted={onChanged} />
        )}
      </div>
    </li>
  );
}

function ViewLink({ path, title }: { path: string; title: string }) {
  if (isClosed(useSite(), path)) return null;
  return (
    <ButtonLink to={path} of={title}>
      View
    </ButtonLink>
  );
}

const states = {
  published: { name: "Published", datePrefix: "Published" },
  scheduled: { name: "Scheduled", datePrefix: "Goes public" },
  draft: { name: "Draft", datePrefix: "Saved" },
  deleted: { name: "Deleted", datePrefix: "Deleted" },
} as const;

interface RemoveButtonProps {
  /** Null for all deleted samples. */
  id: string | null;
  kind: Kind;
  target?: string;
  onRemoved: () => void;
}

export function RemoveButton({ id, kind, target, onRemoved }: RemoveButtonProps) {
  const posts = id === null ? "all deleted sample posts" : `this ${kind.name}`;
  return (
    <DeleteButton
      label={id === null ? "Delete all samples for good" : "Delete for good"}
      target={target}
      what={kind.name}
      text={`This action cannot be undone. This will permanently delete ${posts}. What visitors could read stays in the archive.`}
      success={{
        title: `${kind.title} Deleted`,
        description: "It has been permanently removed.",
      }}
      failure={{ title: "Deletion Failed" }}
      onDelete={(client) => removeDeleted(client, { kind: kind.name, thing: id })}
      onDeleted={onRemoved}
    />
  );
}

interface RestoreButtonProps {
  post: ManagedPost;
  kind: Kind;
  onRestored: () => void;
}

function RestoreButton({ post, kind, onRestored }: RestoreButtonProps) {
  const { isRunning, run } = useAction();

  function restore() {
    return run(
      async (client) => {
        await restorePost(client, { id: post.id, kind }).catch((error) => {
          if (!(error instanceof ChangedElsewhereError)) throw error;
          onRestored();
          throw new Error(
            `The ${kind.name} was restored already, or was deleted more than 30 days ago.`,
          );
        });
        onRestored();
      },
      {
        title: `${kind.title} Restored`,
        description: "It is a draft now, and not public.",
      },
      { title: "Restore Failed" },
    );
  }

  return (
    <Button of={post.title || "Untitled"} disabled={isRunning} onClick={restore}>
      {isRunning ? "Restoring..." : "Restore as draft"}
    </Button>
  );
}
