import { Link, useNavigate, useRevalidator } from "react-router";
import type { PostSummary } from "../../posts/posts.ts";
import { buttonClass } from "../../ui/button.ts";
import { DeleteButton } from "../delete-button.tsx";
import { deletingPost } from "./deleted-posts.ts";
import { deletePost } from "./write-posts.ts";

interface OwnerControlsProps {
  post: Pick<PostSummary, "id" | "slug" | "title">;
  /** In the list or on the post's own page. */
  place: "card" | "page";
}

/** Edit and Delete of one post. Loaded only for a signed-in user. */
export default function OwnerControls({ post, place }: OwnerControlsProps) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const suffix = place === "page" ? " Post" : "";
  return (
    <div className="relative z-10 mt-5 flex gap-2">
      <Link to={`/blog/${post.slug}/edit`} className={buttonClass("secondary", "small")}>
        Edit{suffix}
        <span className="sr-only"> {post.title}</span>
      </Link>
      <DeleteButton
        label={`Delete${suffix}`}
        target={post.title}
        what="post"
        text={deletingPost}
        success={{
          title: "Post Deleted",
          description: "The blog post has been successfully removed.",
        }}
        failure={{
          title: "Deletion Failed",
          description: "Could not delete the post. Please try again.",
        }}
        onDelete={(client) => deletePost(client, post.id)}
        onDeleted={() => (place === "page" ? navigate("/blog") : revalidate())}
      />
    </div>
  );
}
