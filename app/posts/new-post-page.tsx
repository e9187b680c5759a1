import { lazy, Suspense } from "react";
import { site } from "../config/site.ts";

/** The form's code is the owner's alone: this page is a thin door to it. */
const NewPostForm = lazy(() => import("./new-post-form.tsx"));

export function meta() {
  return [
    { title: `Create New Blog Post | ${site.brand}` },
    { name: "robots", content: "noindex" },
  ];
}

export default function NewPostPage() {
  return (
    <div className="wrap section">
      <Suspense fallback={<p role="status">Loading post editor...</p>}>
        <NewPostForm />
      </Suspense>
    </div>
  );
}
