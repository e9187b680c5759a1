import { useState } from "react";
import { Link } from "react-router";
import { PostImage } from "./post-image.tsx";
import type { PostSummary } from "./posts.ts";

/** Other posts to read next. Keeps the last ones after a failed refetch. */
export function NextPosts({ posts: newest }: { posts: PostSummary[] | null }) {
  const [posts, setPosts] = useState(newest ?? []);
  if (newest && newest !== posts) setPosts(newest);
  if (posts.length === 0) return null;
  return (
    <section data-screen aria-labelledby="next" className="mt-20 border-t border-line pt-12">
      <h2 id="next" className="text-2xl">
        Read next
      </h2>
      <ul className="mt-8 grid grid-cols-1 gap-8 md:grid-cols-3">
        {posts.map((post) => (
          <li
            key={post.id}
            className="group relative grid grid-cols-[7rem_minmax(0,1fr)] items-start gap-5 md:block"
          >
            <PostImage
              post={post}
              onCard
              sizes="(min-width: 74rem) 22rem, (min-width: 48rem) 30vw, 7rem"
              className="w-full rounded-md"
            />
            <div className="md:mt-4">
              <p className="text-sm font-semibold text-clay">{post.category}</p>
              <h3 className="mt-1 line-clamp-4 text-xl">
                <Link
                  to={`/blog/${post.slug}`}
                  className="decoration-clay decoration-2 underline-offset-4 group-hover:underline after:absolute after:inset-0"
                >
                  {post.title}
                </Link>
              </h3>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
