import type { ReactNode } from "react";
import { Link } from "react-router";
import { PostImage } from "./post-image.tsx";
import type { PostSummary } from "./posts.ts";

interface PostCardProps {
  post: PostSummary;
  headingLevel?: 2 | 3;
  controls?: ReactNode;
}

/** One post in a list. Its whole face leads to the post. */
export function PostCard({ post, headingLevel = 3, controls }: PostCardProps) {
  const Heading = headingLevel === 2 ? "h2" : "h3";
  return (
    <article className="group relative flex h-full flex-col overflow-hidden rounded-lg border border-line/80 bg-surface shadow-card transition-shadow hover:shadow-lift">
      <PostImage post={post} className="w-full" />
      <div className="flex flex-1 flex-col p-6">
        <p className="text-sm font-semibold text-clay">{post.category}</p>
        <Heading className="mt-2 line-clamp-4 text-xl">{post.title}</Heading>
        <p className="mt-2 mb-5 text-sm text-muted">By {post.author}</p>
        <Link
          to={`/blog/${post.slug}`}
          className="mt-auto self-start font-semibold text-evergreen underline decoration-clay/50 decoration-2 underline-offset-4 group-hover:decoration-clay after:absolute after:inset-0"
        >
          Read More<span className="sr-only">: {post.title}</span>
        </Link>
        {controls}
      </div>
    </article>
  );
}
