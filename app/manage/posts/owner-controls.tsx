import { Link, useNavigate, useRevalidator } from "react-router";
import type { PostSummary } from "../../posts/posts.ts";
import { buttonClass } from "../../ui/button.ts";
import { DeletePostButton } from "./delete-post-button.tsx";

interface OwnerControlsProps {
  post: Pick<PostSummary, "id" | "slug" | "title">;
  /** On the list or on the post's own page. */
  place: "card" | "page";
}

/** Edit and Delete of one post. Loaded for a signed-in user alone. */
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
      <DeletePostButton
        post={post}
        label={`Delete${suffix}`}
        className={buttonClass("quietDanger", "small")}
        onDeleted={() => (place === "page" ? navigate("/blog") : revalidate())}
      />
    </div>
  );
}
