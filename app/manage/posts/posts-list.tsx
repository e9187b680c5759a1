import { useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { TakingLonger } from "../../ui/load-state.tsx";
import { ButtonLink } from "../button.tsx";
import { EmptyList, FilterLinks, PagedList, SearchForm, staysInPlace } from "../list-toolbar.tsx";
import { useLiveQuery, useReload } from "../live-query.ts";
import { Failure, PageFrame } from "../manage-frame.tsx";
import { SelectField } from "../page-parts.tsx";
import { type Kind, kindAt } from "./kinds.ts";
import {
  type ManagedPostList,
  type PostFilter,
  type PostSearch,
  postFilters,
  readManagedPosts,
  searchOf,
  searchPath,
} from "./managed-posts.ts";
import { PostItem, RemoveButton } from "./post-item.tsx";

export default function PostsPage() {
  const location = useLocation();
  const search = searchOf(location.search, kindAt(location.pathname));
  const { filter, query, month, kind } = search;
  const { names, inBlog } = kind;
  const { value, isPrevious, failures, retry } = useLiveQuery({
    key: ["posts", { ...search, kind: kind.name }],
    read: (client) => readManagedPosts(client, search),
    tables: ["posts", "drafts", "content_states"],
  });
  return (
    <PageFrame
      button={
        <p className="flex flex-wrap gap-3">
          {inBlog && <ButtonLink to="/manage/posts/import">Import posts</ButtonLink>}
          <ButtonLink to={kind.create} look="primary">
            {`Create New ${kind.title}`}
          </ButtonLink>
        </p>
      }
    >
      <div className="mt-6">
        <SearchForm
          label={`Search ${names}`}
          hint={inBlog ? "In titles, categories and authors." : "In titles."}
          query={query}
          pathOf={(wanted) => searchPath({ filter, month, kind, query: wanted })}
        />
      </div>
      {value ? (
        <div
          aria-busy={isPrevious}
          className={`transition-opacity ${isPrevious ? "opacity-50" : ""}`}
        >
          <FilterLinks
            label={`Filters of ${names}`}
            filters={postFilters}
            offers={(each) =>
              (inBlog || each !== "scheduled") &&
              (each !== "waiting" || each === filter || value.counts.waiting > 0)
            }
            current={filter}
            counts={value.counts}
            pathOf={(wanted) => searchPath({ filter: wanted, query, month, kind })}
          />
          {inBlog && <MonthField search={search} months={value.months} />}
          <Rows {...value} />
        </div>
      ) : failures > 0 ? (
        <Failure failures={failures} retry={retry} />
      ) : (
        <>
          <p role="status" className="mt-8 text-muted">
            {query ? "Searching..." : `Loading ${names}...`}
          </p>
          <TakingLonger />
        </>
      )}
    </PageFrame>
  );
}

function MonthField({ search, months }: { search: PostSearch; months: readonly string[] }) {
  const navigate = useNavigate();
  if (months.length < 2 && !search.month) return null;
  return (
    <div className="mt-4">
      <SelectField
        inline
        label="Month"
        value={search.month}
        none="All months"
        options={[...new Set([...months, ...(search.month ? [search.month] : [])])].map((month) => [
          month,
          new Date(`${month}-15`).toLocaleDateString("en-US", {
            ...{ month: "long", year: "numeric", timeZone: "UTC" },
          }),
        ])}
        onChange={(event) =>
          navigate(searchPath({ ...search, month: event.target.value }), { state: staysInPlace })
        }
      />
    </div>
  );
}

function Rows({ search, counts, ...list }: ManagedPostList) {
  const { timeZone } = useSite().contact;
  const reload = useReload();
  const status = useRef<HTMLParagraphElement>(null);
  const total = counts[search.filter];
  const { kind } = search;

  function onChanged() {
    // Moves the focus, because the pressed button is removed with its row.
    status.current?.focus();
    reload();
  }

  return (
    <>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3">
        <p ref={status} role="status" tabIndex={-1} className="text-muted outline-none">
          {`${total === 1 ? `1 ${kind.name}` : `${total.toLocaleString("en-US")} ${kind.names}`}${search.query ? " found" : ""}`}
        </p>
        {list.rows.some(({ state, is_sample }) => state === "deleted" && is_sample) && (
          <RemoveButton id={null} kind={kind} onRemoved={onChanged} />
        )}
      </div>
      <PagedList
        items={kind.names}
        path={searchPath(search)}
        list={list}
        empty={<Empty search={search} />}
      >
        {(rows) => (
          <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
            {rows.map((post, index) => (
              <PostItem
                key={`${post.state} ${post.id}`}
                post={post}
                kind={kind}
                timeZone={timeZone}
                neighbors={[rows[index - 1], rows[index + 1]]}
                onMoved={reload}
                onChanged={onChanged}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

const emptyTexts = ({ name, title }: Kind): Record<PostFilter, string> => ({
  all: `${title}s that you write appear here.`,
  published: `No ${name} is published.`,
  scheduled: "A post that you schedule waits here until its time comes.",
  draft: `${title}s that you have begun and not published appear here.`,
  waiting: `No ${name} waits for approval.`,
  deleted: `${title}s that you delete can be restored here as drafts for 30 days.`,
});

function Empty({ search }: { search: PostSearch }) {
  const { query, filter, month, kind } = search;
  if (!query && !month) return <EmptyList title={emptyTexts(kind)[filter]} />;
  return (
    <EmptyList title={`No ${kind.name} matches.`}>
      <ButtonLink to={searchPath({ filter, query: "", month: "", kind })}>Show all</ButtonLink>
    </EmptyList>
  );
}
