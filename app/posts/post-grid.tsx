import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListPage } from "../loading/load-page.ts";
import { Pager } from "../ui/pager.tsx";
import { PostCard } from "./post-card.tsx";
import { PostControls } from "./post-controls.tsx";
import type { ListedPost } from "./post-lists.ts";

interface PostGridProps {
  list: ListPage<ListedPost>;
  /** URL of the list's first page, which may have a query. */
  path: string;
  /** Whether the first post of a full first page is shown wide, as a single post always is. */
  mayStartWide?: boolean;
  empty: ReactNode;
}

export function PostGrid({ list, path, mayStartWide = true, empty }: PostGridProps) {
  if (list.rows.length === 0) return empty;
  const startsWide = list.rows.length === 1 || (mayStartWide && isLongFirstPage(list));
  return (
    <>
      <div className="mt-12 grid grid-cols-1 gap-x-8 gap-y-14 md:grid-cols-2 lg:grid-cols-3">
        {/* biome-ignore lint/a11y/noRedundantRoles: Safari ignores lists with `display: contents`. */}
        <ul role="list" className="contents">
          {list.rows.map((post, index) => {
            const isWide = startsWide && index === 0;
            return (
              <li
                key={post.id}
                className={`stagger ${isWide ? "md:col-span-full" : ""}`}
                style={{ "--i": index }}
              >
                <PostCard
                  post={post}
                  isWide={isWide}
                  headingLevel={2}
                  controls={<PostControls post={post} place="card" />}
                />
              </li>
            );
          })}
        </ul>
        {!list.hasNext && <Invitation cards={list.rows.length - (startsWide ? 1 : 0)} />}
      </div>
      <Pager items="articles" path={path} page={list.page} hasNext={list.hasNext} />
    </>
  );
}

/** Fills the free cells of the last row with an invitation to ask a question. */
function Invitation({ cards }: { cards: number }) {
  const ofTwo = cards % 2 === 0 ? "md:max-lg:hidden" : "";
  const ofThree = ["lg:hidden", "lg:col-span-2", ""][cards % 3];
  return (
    <div
      className={`flex flex-col justify-center rounded-lg bg-sage p-7 sm:p-9 ${ofTwo} ${ofThree}`}
    >
      <h2 className="text-2xl">Is your question missing?</h2>
      <p className="mt-5">
        <Link
          to="/contact"
          className="inline-block py-1 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-6 hover:text-pine"
        >
          Ask a question
        </Link>
      </p>
    </div>
  );
}

/** Whether it is the first page, with enough posts for a row below a wide one. */
function isLongFirstPage({ rows, page }: ListPage<ListedPost>): boolean {
  return page === 1 && rows.length > 2;
}
