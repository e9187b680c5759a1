import { useState } from "react";
import { Link } from "react-router";
import { messageOf } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { showToast } from "../../ui/toast.ts";
import { DeleteButton } from "../delete-button.tsx";
import { formatMoment } from "../format-moment.ts";
import {
  deleteUnpublishedPost,
  deletingDraft,
  deletingPost,
  restorePost,
} from "./deleted-posts.ts";
import type { ManagedPost } from "./managed-posts.ts";
import { deletePost } from "./write-posts.ts";

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
            {stateNames[state]}
          </span>
          {has_draft && state !== "draft" && (
            <span className="rounded-full bg-clay-soft px-2.5 py-0.5 text-xs font-semibold">
              Unpublished changes
            </span>
          )}
        </p>
        <p className="mt-1 text-sm text-muted [overflow-wrap:anywhere]">
          {note && `${note} · `}
          {failure ? "Was to go public" : datePrefixes[state]}{" "}
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
        {state === "published" && (
          <Link to={`/blog/${slug}`} className={buttonClass("secondary", "small")}>
            View<span className="sr-only"> {title}</span>
          </Link>
        )}
        {state === "deleted" ? (
          <RestoreButton post={post} onRestored={onChanged} />
        ) : (
          <DeleteButton
            target={title}
            what={state === "draft" ? "draft" : "post"}
            text={state === "draft" ? deletingDraft : deletingPost}
            success={{
              title: "Post Deleted",
              description: "The blog post has been successfully removed.",
            }}
            failure={{
              title: "Deletion Failed",
              description: "Could not delete the post. Please try again.",
            }}
            onDelete={(client) =>
              state === "published" ? deletePost(client, id) : deleteUnpublishedPost(client, id)
            }
            onDeleted={onChanged}
          />
        )}
      </div>
    </li>
  );
}

const stateNames: Record<ManagedPost["state"], string> = {
  published: "Published",
  scheduled: "Scheduled",
  draft: "Draft",
  deleted: "Deleted",
};

const datePrefixes: Record<ManagedPost["state"], string> = {
  published: "Published",
  scheduled: "Goes public",
  draft: "Saved",
  deleted: "Deleted",
};

function RestoreButton({ post, onRestored }: { post: ManagedPost; onRestored: () => void }) {
  const [isBusy, setBusy] = useState(false);

  async function restore() {
    setBusy(true);
    try {
      const restored = await restorePost(await getBrowserClient(), post.id);
      showToast(
        restored
          ? {
              tone: "success",
              title: "Post Restored",
              description: "It is a draft now, and not public.",
            }
          : {
              tone: "error",
              title: "Restore Failed",
              description: "The post was restored already, or was deleted more than 30 days ago.",
            },
      );
      onRestored();
    } catch (error) {
      console.error("Restoring the post failed", error);
      showToast({ tone: "error", title: "Restore Failed", description: messageOf(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <button
      type="button"
      disabled={isBusy}
      onClick={restore}
      className={buttonClass("secondary", "small")}
    >
      {isBusy ? "Restoring..." : "Restore as draft"}
      <span className="sr-only"> {post.title || "Untitled"}</span>
    </button>
  );
}
