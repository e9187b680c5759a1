import { Link, useLocation } from "react-router";
import { useSite } from "../config/use-site.ts";
import { buttonClass } from "../ui/button-class.ts";
import { ConsultationLink } from "../ui/consultation-link.tsx";
import { Disclosures } from "../ui/disclosures.tsx";
import { TakingLonger } from "../ui/load-state.tsx";
import { LongDate } from "../ui/long-date.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Portrait } from "../ui/portrait.tsx";
import { PostBody } from "./blocks.tsx";
import { categoryPath } from "./categories.ts";
import { findRelatedServices, isAdviser, postDisclosures, readingMinutes } from "./post-content.ts";
import { PostControls } from "./post-controls.tsx";
import { PostImage } from "./post-image.tsx";
import type { Post, PostSummary } from "./posts.ts";

interface PostViewProps {
  post: Post;
  /** Hidden for a draft, which has no controls of a published post. */
  isPreview?: boolean;
}

export function PostView({ post, isPreview = false }: PostViewProps) {
  const site = useSite();
  const { portrait } = site.adviser;
  return (
    <article className="mt-6">
      <header className="max-w-4xl">
        <p className="font-semibold text-clay">
          <Link
            to={categoryPath(post.category)}
            className="inline-block max-w-full py-0.5 underline-offset-4 hover:underline"
          >
            {post.category}
          </Link>
        </p>
        <h1 className={`mt-3 ${titleSize(post.title)}`}>{post.title}</h1>
        <div className="mt-6 flex items-center gap-3">
          {portrait && isAdviser(site, post.author) && (
            <Portrait portrait={portrait} className="size-11" />
          )}
          <p className="dots text-muted">
            <span>{`By ${post.author}`}</span>
            <LongDate time={post.published_date} />
            <span>{`${readingMinutes(post.content)} min read`}</span>
          </p>
        </div>
        {!isPreview && <PostControls post={post} place="page" />}
      </header>
      <PostImage
        post={post}
        priority
        sizes="(min-width: 74rem) 69rem, 92vw"
        // A stock drawing is as wide as the text, because it shows nothing of the post.
        className="mt-9 rounded-lg has-[[src*=fallback-]]:max-w-[42rem]"
      />
      <div className="mt-12 grid grid-cols-1 gap-14 lg:grid-cols-[minmax(0,1fr)_19rem] lg:gap-16">
        <div className="min-w-0 max-w-[42rem]">
          <PostBody content={post.content} />
          <Disclosures texts={postDisclosures(site.disclosures.posts ?? [], post.category)} />
        </div>
        <Sidebar relatedServices={post.related_services} />
      </div>
    </article>
  );
}

export function PageView({ page }: { page: Pick<Post, "title" | "content"> }) {
  return (
    <article className="wrap section">
      <PageHeading title={page.title} />
      <div className="mt-10 max-w-[42rem]">
        <PostBody content={page.content} />
      </div>
    </article>
  );
}

function titleSize(title: string): string {
  if (title.length > 160) return "text-xl";
  return title.length > 70 ? "text-3xl" : "text-4xl";
}

function Sidebar({ relatedServices }: { relatedServices: unknown }) {
  const site = useSite();
  const services = findRelatedServices(site.services, relatedServices);
  return (
    <aside
      data-screen
      aria-label="Related services and next step"
      className="space-y-8 self-start lg:sticky lg:top-28"
    >
      {services.length > 0 && (
        <section>
          <h2 className="text-xl">Related Services</h2>
          <ul className="mt-3 border-t border-line">
            {services.map(({ slug, title }) => (
              <li key={slug} className="border-b border-line">
                <Link
                  to={`/services/${slug}`}
                  className="block py-3 font-medium text-evergreen underline-offset-4 hover:underline"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="on-deep rounded-lg bg-deep p-7 text-cream">
        <h2 className="text-xl">Ready to Talk?</h2>
        <p className="mt-2 text-mist">Bring your questions.</p>
        <ConsultationLink className={`${buttonClass("light")} mt-5 w-full`}>
          Schedule a Consultation
        </ConsultationLink>
      </section>
    </aside>
  );
}

export function NextPosts({ posts }: { posts: PostSummary[] }) {
  if (posts.length === 0) return null;
  return (
    <section data-screen aria-labelledby="read-next" className="mt-20 border-t border-line pt-12">
      <h2 id="read-next" className="text-2xl">
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
              className="rounded-md"
            />
            <div className="md:mt-4">
              <p className="text-sm font-semibold text-clay">{post.category}</p>
              <h3 className="mt-1 line-clamp-4 text-xl">
                <Link
                  to={`/blog/${post.slug}`}
                  state={{ title: post.title }}
                  className="decoration-clay decoration-2 underline-offset-4 group-hover:underline after:absolute after:inset-0"
                >
                  {post.title}
                </Link>
              </h3>
              <p className="mt-1.5 text-sm text-muted">
                <LongDate time={post.published_date} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shown while a post loads, in the size of a post, with the title that its link knows. */
export function PostLoading() {
  const title: string | undefined = useLocation().state?.title;
  const { titleEnding } = useSite().blog;
  return (
    <div className="mt-6">
      <title>{title ? `${title} | ${titleEnding}` : "Blog"}</title>
      <p role="status" className="text-muted">
        Loading post...
      </p>
      <h1 className={title ? `mt-3 max-w-4xl ${titleSize(title)}` : "sr-only"}>
        {title ?? "Blog"}
      </h1>
      <div aria-hidden="true">
        {!title && <div className="skeleton mt-3 h-[1lh] max-w-3xl text-4xl" />}
        <div className="skeleton mt-6 h-[1lh] w-64" />
        <div className="skeleton mt-9 aspect-video rounded-lg" />
      </div>
      <TakingLonger />
    </div>
  );
}
