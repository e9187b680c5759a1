import { useRef, useState } from "react";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toast.ts";
import { deletePost } from "./write-posts.ts";

interface DeletePostButtonProps {
  post: { id: string; title: string };
  label: string;
  className: string;
  /** After the post is gone. */
  onDeleted: () => void;
}

/** Deletes a post after asking (section 4). */
export function DeletePostButton({ post, label, className, onDeleted }: DeletePostButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [deleting, setDeleting] = useState(false);

  async function remove() {
    setDeleting(true);
    try {
      await deletePost(await getBrowserClient(), post.id);
      dialog.current?.close();
      showToast({
        tone: "success",
        title: "Post Deleted",
        description: "The blog post has been successfully removed.",
      });
      onDeleted();
    } catch (error) {
      console.error("Deleting the post failed", error);
      dialog.current?.close();
      showToast({
        tone: "error",
        title: "Deletion Failed",
        description: "Could not delete the post. Please try again.",
      });
    } finally {
      setDeleting(false);
    }
  }

  return (
    <>
      <button type="button" className={className} onClick={() => dialog.current?.showModal()}>
        {label}
        <span className="sr-only"> {post.title}</span>
      </button>
      <ConfirmDialog
        ref={dialog}
        title="Are you absolutely sure?"
        text="This action cannot be undone. This will permanently delete this post."
        confirm="Continue"
        busy={deleting}
        onConfirm={remove}
      />
    </>
  );
}
