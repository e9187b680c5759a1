import { Suspense } from "react";
import { useAuth } from "../auth/auth-provider.tsx";
import { lazyOwnerPart } from "../loading/lazy-part.tsx";
import { LoadFailure } from "../ui/load-state.tsx";
import type { PostSummary } from "./posts.ts";

interface PostControlsProps {
  post: PostSummary;
  place: "card" | "page";
}

const OwnerControls = lazyOwnerPart<PostControlsProps>(
  () => import("../manage/posts/owner-controls.tsx"),
  ({ onRetry }) => <LoadFailure what="Edit and Delete" onRetry={onRetry} className="mt-5" />,
);

/** Edit and Delete, for those who write posts. */
export function PostControls(props: PostControlsProps) {
  const { tasks } = useAuth();
  if (!tasks.includes("write posts")) return null;
  return (
    <Suspense>
      <OwnerControls {...props} />
    </Suspense>
  );
}
