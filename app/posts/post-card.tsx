import type { ReactNode } from "react";
import { Link } from "react-router";
import { TakingLonger } from "../ui/load-state.tsx";
import { LongDate } from "../ui/long-date.tsx";
import { PostImage } from "./post-image.tsx";
import type { ListedPost } from "./post-lists.ts";

const cardSizes =
  "(min-width: 74rem) 22rem, (min-width: 64rem) 30vw, (min-width: 48rem) 45vw, 92vw";

interface PostCardProps {
  post: ListedPost;
  /** A wide card with a large title, and the excerpt if it is known. */
  isWide?: boolean;
  headingLevel?: 2 | 3;
  controls?: ReactNode;
  /** Without a link: the post is not public yet. */
  isPreview?: boolean;
}

export function PostCard(props: PostCardProps) {
  const { post, isWide = false, headingLevel = 3, controls, isPreview = false } = props;
  const Heading = headingLevel === 2 ? "h2" : "h3";
  return (
    <article
      className={`group relative flex h-full flex-col ${isWide ? "md:grid md:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)] md:items-center md:gap-10 lg:gap-14" : ""}`}
    >
      <PostImage
        post={post}
        onCard
        priority={isWide}
        sizes={isWide ? "(min-width: 74rem) 41rem, (min-width: 48rem) 55vw, 92vw" : cardSizes}
        className="rounded-lg"
      />
      <div className={`flex flex-1 flex-col pt-5 ${isWide ? "md:pt-0" : ""}`}>
        <p className="text-sm font-semibold text-clay">{post.category}</p>
        <Heading className={`mt-1.5 line-clamp-4 ${isWide ? "text-2xl lg:text-3xl" : "text-xl"}`}>
          {post.title}
        </Heading>
        {isWide && post.excerpt && <p className="mt-3 text-muted">{post.excerpt}</p>}
        <p className={`dots mb-4 text-sm text-muted ${isWide && post.excerpt ? "mt-4" : "mt-2"}`}>
          <span>{`By ${post.author}`}</span>
          <LongDate time={post.published_date} />
        </p>
        {!isPreview && (
          <Link
            to={`/blog/${post.slug}`}
            state={{ title: post.title }}
            data-screen
            className="mt-auto self-start py-0.5 font-semibold text-evergreen underline decoration-clay/60 decoration-2 underline-offset-4 group-hover:decoration-clay after:absolute after:inset-0"
          >
            Read More<span className="sr-only">{` about ${post.title}`}</span>
          </Link>
        )}
        {controls}
      </div>
    </article>
  );
}

/** Shown while posts load: the loading line and skeleton cards of the same size as the posts. */
export function PostsLoading({ startsWide = false }: { startsWide?: boolean }) {
  return (
    <div className={`relative ${startsWide ? "mt-12" : "mt-10"}`}>
      <p role="status" className="absolute bottom-full mb-1 text-muted">
        Loading articles...
      </p>
      <div aria-hidden="true" className="grid gap-x-8 gap-y-14 md:grid-cols-2 lg:grid-cols-3">
        {startsWide && (
          <CardSkeleton className="md:col-span-full md:grid md:grid-cols-[1.5fr_1fr] md:gap-10" />
        )}
        <CardSkeleton />
        <CardSkeleton className="max-md:hidden" />
        <CardSkeleton className="max-lg:hidden" />
      </div>
      <TakingLonger />
    </div>
  );
}

function CardSkeleton({ className = "" }: { className?: string }) {
  return (
    <div className={className}>
      <div className="skeleton aspect-video rounded-lg" />
      <div className="mt-5 space-y-3">
        <div className="skeleton h-4 w-1/3" />
        <div className="skeleton h-6" />
        <div className="skeleton h-6 w-2/3" />
        <div className="skeleton h-4 w-2/5" />
      </div>
    </div>
  );
}
