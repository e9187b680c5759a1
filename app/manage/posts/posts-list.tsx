import { useRef } from "react";
import { useNavigate, useNavigation, useRevalidator } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { Loaded } from "../../loading/loaded.tsx";
import { useLiveRefresh } from "../../supabase/live.ts";
import { TakingLonger } from "../../ui/load-state.tsx";
import { ButtonLink } from "../button.tsx";
import { EmptyList, FilterLinks, PagedList, SearchForm, staysInPlace } from "../list-toolbar.tsx";
import { Failure, type LoadArgs, PageFrame } from "../manage-frame.tsx";
import { SelectField } from "../page-parts.tsx";
import { kindOf } from "./kinds.ts";
import {
  loadManagedPosts,
  type ManagedPostList,
  type PostFilter,
  type PostSearch,
  postFilters,
  searchOf,
  searchPath,
} from "./managed-posts.ts";
import { PostItem, RemoveButton } from "./post-item.tsx";

export function load({ url }: LoadArgs) {
  const search = searchOf(url.search, url.pathname.startsWith("/manage/pages"));
  return { search, list: loadManagedPosts(search) };
}

export default function PostsPage({ data }: { data: ReturnType<typeof load> }) {
  const { search, list } = data;
  const { filter, query, month, isPage } = search;
  const { name, create } = kindOf(isPage);
  useLiveRefresh("posts", "post_drafts", "post_approvals");
  const navigation = useNavigation();
  const path = searchPath(search);
  const isPending = navigation.state === "loading";
  return (
    <PageFrame
      button={
        <p className="flex flex-wrap gap-3">
          {!isPage && <ButtonLink to="/manage/posts/import">Import posts</ButtonLink>}
          <ButtonLink to={create} look="primary">
            Create New {isPage ? "Page" : "Post"}
          </ButtonLink>
        </p>
      }
    >
      <div className="mt-6">
        <SearchForm
          label={`Search ${name}s`}
          hint={isPage ? "In titles." : "In titles, categories and authors."}
          query={query}
          pathOf={(wanted) => searchPath({ filter, month, isPage, query: wanted })}
        />
      </div>
      <Loaded
        data={list}
        of={path}
        fallback={
          <>
            <p role="status" className="mt-8 text-muted">
              {query ? "Searching..." : `Loading ${name}s...`}
            </p>
            <TakingLonger />
          </>
        }
        failure={(failed) => <Failure failed={failed} />}
      >
        {(loaded) => (
          <div
            aria-busy={isPending}
            className={`transition-opacity ${isPending ? "opacity-50" : ""}`}
          >
            <FilterLinks
              label={`Filters of ${name}s`}
              filters={postFilters}
              offers={(each) =>
                !(isPage && each === "scheduled") &&
                (each !== "waiting" || each === filter || loaded.counts.waiting > 0)
              }
              current={filter}
              counts={loaded.counts}
              pathOf={(wanted) => searchPath({ filter: wanted, query, month, isPage })}
            />
            {!isPage && <MonthField search={search} months={loaded.months} />}
            <Rows search={search} list={loaded} path={path} />
          </div>
        )}
      </Loaded>
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

function Rows({ search, list, path }: { search: PostSearch; list: ManagedPostList; path: string }) {
  const { timeZone } = useSite().contact;
  const { revalidate } = useRevalidator();
  const status = useRef<HTMLParagraphElement>(null);
  const total = list.counts[search.filter];
  const { name } = kindOf(search.isPage);

  function onChanged() {
    // Moves the focus, because the pressed button is removed with its row.
    status.current?.focus();
    revalidate();
  }

  return (
    <>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3">
        <p ref={status} role="status" tabIndex={-1} className="text-muted outline-none">
          {total === 1 ? `1 ${name}` : `${total.toLocaleString("en-US")} ${name}s`}
          {search.query && " found"}
        </p>
        {list.rows.some(({ state, is_sample }) => state === "deleted" && is_sample) && (
          <RemoveButton id={null} onRemoved={onChanged} />
        )}
      </div>
      <PagedList items={`${name}s`} path={path} list={list} empty={<Empty search={search} />}>
        {(rows) => (
          <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
            {rows.map((post, index) => (
              <PostItem
                key={`${post.state} ${post.id}`}
                post={post}
                isPage={search.isPage}
                timeZone={timeZone}
                neighbors={[rows[index - 1], rows[index + 1]]}
                onMoved={revalidate}
                onChanged={onChanged}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

const emptyTexts = (name: string, names: string): Record<PostFilter, string> => ({
  all: `${names} that you write appear here.`,
  published: `No ${name} is published.`,
  scheduled: "A post that you schedule waits here until its time comes.",
  draft: `${names} that you have begun and not published appear here.`,
  waiting: `No ${name} waits for approval.`,
  deleted: `${names} that you delete can be restored here as drafts for 30 days.`,
});

function Empty({ search }: { search: PostSearch }) {
  const { query, filter, month, isPage } = search;
  const { name } = kindOf(isPage);
  if (!query && !month) {
    return <EmptyList title={emptyTexts(name, isPage ? "Pages" : "Posts")[filter]} />;
  }
  return (
    <EmptyList title={`No ${name} matches.`}>
      <ButtonLink to={searchPath({ filter, query: "", month: "", isPage })}>Show all</ButtonLink>
    </EmptyList>
  );
}
