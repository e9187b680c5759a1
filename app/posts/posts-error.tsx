import { useState } from "react";
import { useRevalidator } from "react-router";
import { buttonClass } from "../ui/button.ts";
import type { PostList } from "./load-posts.ts";

/** What stands where posts would, when they could not be read. */
export function PostsError({ list }: { list: PostList }) {
  const { revalidate } = useRevalidator();
  // The revalidator is done before the answer is there: what ends the wait is another list.
  const [retried, setRetried] = useState<PostList>();
  const trying = retried === list;
  return (
    <div
      role="alert"
      className="mt-10 rounded-lg border border-line bg-surface px-6 py-12 text-center"
    >
      <p className="text-lg">The articles can't be shown right now.</p>
      <button
        type="button"
        className={`${buttonClass("secondary")} mt-5`}
        disabled={trying}
        onClick={() => {
          setRetried(list);
          revalidate();
        }}
      >
        {trying ? "Trying again..." : "Try again"}
      </button>
    </div>
  );
}
