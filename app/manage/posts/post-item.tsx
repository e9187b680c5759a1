import { Link } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { buttonClass } from "../../ui/button.ts";
import { Button } from "../button.tsx";
import { DeleteButton } from "../delete-button.tsx";
import { formatMoment } from "../format-moment.ts";
import { useAction } from "../use-action.ts";
import type { ManagedPost } from "./managed-posts.ts";
import { DeletePostButton } from "./owner-controls.tsx";
import { LostRaceError, removeDeletedPosts, restorePost } from "./stored-posts.ts";

interface PostItemProps {
  post: ManagedPost;
  timeZone: string;
  onChanged: () => void;
}

/** A row of the list of posts. */
export function PostItem({ post, timeZone, onChanged }: PostItemProps) {
  const { id, state, slug, has_draft, failure } = post;
  const title = post.title || "Untitled";
  const editPath = state === "published" ? `/blog/${slug}/edit` : `/blog/new?draft=${id}`;
  const note = [post.category, post.author && `By ${post.author}`].filter(Boolean).join(" · ");
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 sm:px-6">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          {state === "deleted" ? (
            <span className="font-semibold [overflow-wrap:anywhere]">{title}</span>
          ) : (
            <Link
              to={editPath}
              className="font-semibold text-evergreen underline-offset-4 [overflow-wrap:anywhere] hover:underline"
            >
              {title}
            </Link>
          )}
          <span className="rounded-full bg-sage px-2.5 py-0.5 text-xs font-semibold">
            {states[state].name}
          </span>
          {has_draft && state !== "draft" && (
            <span className="rounded-full bg-clay-soft px-2.5 py-0.5 text-xs font-semibold">
              Unpublished changes
            </span>
          )}
        </p>
        <p className="mt-1 text-sm text-muted [overflow-wrap:anywhere]">
          {note && `${note} · `}
          {failure ? "Was to go public" : states[state].datePrefix}{" "}
          <time dateTime={post.date}>{formatMoment(post.date, timeZone)}</time>
        </p>
        {failure && (
          <p className="mt-1 text-sm font-medium text-danger [overflow-wrap:anywhere]">
            Not published: {failure}. It is tried again every hour. Open the post to change it,
            publish it or choose another time.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {state === "published" && <ViewLink slug={slug} title={title} />}
        {state === "deleted" ? (
          <>
            <RestoreButton post={post} onRestored={onChanged} />
            <RemoveButton id={id} target={title} onRemoved={onChanged} />
          </>
        ) : (
          <DeletePostButton id={id} state={state} title={title} onDeleted={onChanged} />
        )}
      </div>
    </li>
  );
}

function ViewLink({ slug, title }: { slug: string; title: string }) {
  if (useSite().closed.includes("/blog")) return null;
  return (
    <Link to={`/blog/${slug}`} className={buttonClass("secondary", "small")}>
      View<span className="sr-only"> {title}</span>
    </Link>
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
  target?: string;
  onRemoved: () => void;
}

/** Removes a deleted post, or all deleted samples, for good. */
export function RemoveButton({ id, target, onRemoved }: RemoveButtonProps) {
  const posts = id === null ? "all deleted sample posts" : "this post";
  return (
    <DeleteButton
      label={id === null ? "Delete all samples for good" : "Delete for good"}
      target={target}
      what="post"
      text={`This action cannot be undone. This will permanently delete ${posts}. What visitors could read stays in the archive.`}
      success={{
        title: "Post Deleted",
        description: "It has been permanently removed.",
      }}
      failure={{ title: "Deletion Failed" }}
      onDelete={(client) => removeDeletedPosts(client, id)}
      onDeleted={onRemoved}
    />
  );
}

function RestoreButton({ post, onRestored }: { post: ManagedPost; onRestored: () => void }) {
  const { isRunning, run } = useAction();

  function restore() {
    return run(
      async (client) => {
        await restorePost(client, post.id).catch((error) => {
          if (!(error instanceof LostRaceError)) throw error;
          onRestored();
          throw new Error("The post was restored already, or was deleted more than 30 days ago.");
        });
        onRestored();
      },
      { title: "Post Restored", description: "It is a draft now, and not public." },
      { title: "Restore Failed" },
    );
  }

  return (
    <Button of={post.title || "Untitled"} disabled={isRunning} onClick={restore}>
      {isRunning ? "Restoring..." : "Restore as draft"}
    </Button>
  );
}
