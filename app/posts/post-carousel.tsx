import type { ReactNode } from "react";
import { Link } from "react-router";
import { useSite } from "../config/use-site.ts";
import { type Loadable, Loaded } from "../loading/loaded.tsx";
import { buttonClass } from "../ui/button-class.ts";
import { Carousel } from "../ui/carousel.tsx";
import { ReadFailure } from "../ui/load-state.tsx";
import { PostCard, PostsLoading } from "./post-card.tsx";
import { type PostSummary, postsError } from "./posts.ts";

/** The home page's newest posts; nothing without posts. */
export function PostCarousel({ list }: { list: Loadable<PostSummary[]> }) {
  return (
    <Loaded
      data={list}
      of="home"
      fallback={
        <Section>
          <PostsLoading />
        </Section>
      }
      failure={(failed) => (
        <Section>
          <ReadFailure failed={failed} text={postsError} />
        </Section>
      )}
    >
      {(posts) =>
        posts.length > 0 && (
          <Section>
            <Carousel label="Articles" interval={5000}>
              {posts.map((post) => (
                <PostCard key={post.id} post={post} isWide={!posts[1]} />
              ))}
            </Carousel>
          </Section>
        )
      }
    </Loaded>
  );
}

function Section({ children }: { children: ReactNode }) {
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
        {children}
      </div>
    </section>
  );
}
