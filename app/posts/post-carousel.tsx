import { Link } from "react-router";
import { useSite } from "../config/use-site.ts";
import { type Loadable, Loaded } from "../loading/loaded.tsx";
import { buttonClass } from "../ui/button.ts";
import { Carousel } from "../ui/carousel.tsx";
import { ReadFailure } from "../ui/load-state.tsx";
import { NoPosts, PostCard, PostsLoading } from "./post-card.tsx";
import { type PostSummary, postsError } from "./posts.ts";

/** The home page's newest posts. */
export function PostCarousel({ list }: { list: Loadable<PostSummary[]> }) {
  const { home } = useSite();
  return (
    <section id="blog" className="section">
      <div className="wrap">
        <div className="flex flex-wrap items-end justify-between gap-6">
          <h2 className="max-w-xl text-3xl">{home.blogHeading}</h2>
          <Link to="/blog" data-screen className={buttonClass("secondary")}>
            All articles
          </Link>
        </div>
        <Loaded
          data={list}
          of="home"
          fallback={<PostsLoading />}
          failure={(failed) => <ReadFailure failed={failed} text={postsError} />}
        >
          {(posts) => <PostRow posts={posts} />}
        </Loaded>
      </div>
    </section>
  );
}

function PostRow({ posts }: { posts: PostSummary[] }) {
  if (posts.length === 0) return <NoPosts />;
  return (
    <Carousel label="Articles" interval={5000}>
      {posts.map((post) => (
        <PostCard key={post.id} post={post} lead={!posts[1]} />
      ))}
    </Carousel>
  );
}
