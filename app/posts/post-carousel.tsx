import { Suspense } from "react";
import { Await, Link } from "react-router";
import { ListError } from "../paging/list-error.tsx";
import { useLastReadable } from "../paging/use-last-readable.ts";
import { buttonClass } from "../ui/button.ts";
import { Carousel } from "../ui/carousel.tsx";
import { PostCard } from "./post-card.tsx";
import { type PostList, postsError } from "./posts.ts";
import { NoPosts, PostsLoading } from "./posts-placeholder.tsx";

/** The home page's newest posts. */
export function PostCarousel({ list }: { list: PostList | Promise<PostList> }) {
  return (
    <section id="blog" className="section">
      <div className="wrap">
        <div className="flex flex-wrap items-end justify-between gap-6">
          <h2 className="max-w-xl text-3xl">Reading for a clear head</h2>
          <Link to="/blog" data-screen className={buttonClass("secondary")}>
            All articles
          </Link>
        </div>
        <Suspense fallback={<PostsLoading />}>
          <Await resolve={list}>{(loaded) => <PostRow list={loaded} />}</Await>
        </Suspense>
      </div>
    </section>
  );
}

function PostRow({ list: newest }: { list: PostList }) {
  const list = useLastReadable(newest);
  if (list.failed) return <ListError list={list} text={postsError} />;
  if (list.posts.length === 0) {
    return <NoPosts />;
  }
  return (
    <Carousel label="Articles" interval={5000}>
      {list.posts.map((post) => (
        <PostCard key={post.id} post={post} />
      ))}
    </Carousel>
  );
}
