import { type RefObject, useRef } from "react";
import { useNavigate } from "react-router";
import type { PostSummary } from "../../posts/posts.ts";
import "../manage.css";
import { Button, ButtonLink } from "../button.tsx";
import { DeleteDialog } from "../delete-button.tsx";
import { useReload } from "../live-query.ts";
import { useAction } from "../use-action.ts";
import { kinds } from "./kinds.ts";
import {
  deletePost,
  discardPostDraft,
  type OpenedPost,
  restorePost,
  undoDeletion,
} from "./stored-posts.ts";

interface OwnerControlsProps {
  post: Pick<PostSummary, "id" | "slug" | "title">;
  place: "card" | "page";
}

export default function OwnerControls({ post, place }: OwnerControlsProps) {
  const navigate = useNavigate();
  const reload = useReload();
  const suffix = place === "page" ? " Post" : "";
  return (
    <div className="relative z-10 mt-5 flex gap-2">
      <ButtonLink to={`/blog/${post.slug}/edit`} of={post.title}>
        {`Edit${suffix}`}
      </ButtonLink>
      <DeletePostButton
        {...post}
        kind={kinds.post}
        label={`Delete${suffix}`}
        state="published"
        onDeleted={() => (place === "page" ? navigate("/blog") : reload())}
      />
    </div>
  );
}

interface PostDeletion extends Pick<OpenedPost, "id" | "kind" | "state"> {
  onDeleted: () => void;
}

interface DeletePostDialogProps extends PostDeletion {
  ref: RefObject<HTMLDialogElement | null>;
}

export function DeletePostDialog({ ref, id, kind, state, onDeleted }: DeletePostDialogProps) {
  const reload = useReload();
  const { run } = useAction();

  const undo = () =>
    run(
      async (client) => {
        await (state === "published" ? undoDeletion : restorePost)(client, { id, kind }).finally(
          reload,
        );
      },
      {
        title: `${kind.title} Restored`,
        description:
          state === "published"
            ? "It is public again, as it was."
            : "It is a draft now, and not public.",
      },
      { title: "Restore Failed" },
    );

  return (
    <DeleteDialog
      ref={ref}
      what={state === "draft" ? "draft" : kind.name}
      success={{
        title: `${kind.title} Deleted`,
        description: `The ${kind.fullName} has been successfully removed.`,
        action: { label: "Undo", onAction: undo },
      }}
      failure={{
        title: "Deletion Failed",
        description: `Could not delete the ${kind.name}. Please try again.`,
      }}
      onDelete={(client) =>
        state === "published"
          ? deletePost(client, { id, kind })
          : discardPostDraft(client, { id, kind }, null)
      }
      onDeleted={onDeleted}
    />
  );
}

interface DeletePostButtonProps extends PostDeletion {
  title: string;
  label?: string;
}

export function DeletePostButton({ title, label = "Delete", ...deletion }: DeletePostButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button look="quietDanger" of={title} onClick={() => dialog.current?.showModal()}>
        {label}
      </Button>
      <DeletePostDialog ref={dialog} {...deletion} />
    </>
  );
}
