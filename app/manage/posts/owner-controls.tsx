import { useNavigate } from "react-router";
import type { PostSummary } from "../../posts/posts.ts";
import { ButtonLink } from "../button.tsx";
import { DeleteButton } from "../delete-button.tsx";
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

interface DeletePostButtonProps extends Pick<OpenedPost, "id" | "kind" | "state"> {
  title: string;
  label?: string;
  onDeleted: () => void;
}

export function DeletePostButton(props: DeletePostButtonProps) {
  const { id, kind, state, title, label, onDeleted } = props;
  const list = `${kind.title}s, Deleted`;
  const isDraft = state === "draft";
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
    <DeleteButton
      label={label}
      target={title}
      what={isDraft ? "draft" : kind.name}
      text={
        isDraft
          ? `This deletes the draft. You can restore it under ${list} for 30 days.`
          : `This action cannot be undone. This will permanently delete this ${kind.name}. Visitors stop seeing it at once, and it is gone for good after 30 days. Until then you can restore it under ${list}.`
      }
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
