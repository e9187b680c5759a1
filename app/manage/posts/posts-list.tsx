import { useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { TakingLonger } from "../../ui/load-state.tsx";
import { MenuItem, MenuLink, MoreMenu } from "../../ui/menu.tsx";
import { ButtonLink } from "../button.tsx";
import {
  EmptyList,
  FilterLinks,
  listClass,
  PagedList,
  SearchForm,
  staysInPlace,
  Toolbar,
} from "../list-toolbar.tsx";
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
import { PostItem, RemoveDialog } from "./post-item.tsx";

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
  const samples = useRef<HTMLDialogElement>(null);
  const status = useRef<HTMLParagraphElement>(null);
  const reload = useReload();
  const hasDeletedSamples = value?.rows.some(
    ({ state, is_sample }) => state === "deleted" && is_sample,
  );

  function onChanged() {
    // Moves the focus, because the pressed button is removed with its row.
    status.current?.focus();
    reload();
  }

  return (
    <PageFrame
      button={
        <ButtonLink to={kind.create} look="primary">
          {`Create New ${kind.title}`}
        </ButtonLink>
      }
    >
      <Toolbar
        filters={
          <FilterLinks
            label={`Filters of ${names}`}
            filters={postFilters}
            offers={(each) =>
              (inBlog || each !== "scheduled") &&
              (each !== "waiting" || each === filter || (value?.counts.waiting ?? 0) > 0)
            }
            current={filter}
            counts={value?.counts ?? null}
            pathOf={(wanted) => searchPath({ filter: wanted, query, month, kind })}
          >
            {value && inBlog && <MonthField search={search} months={value.months} />}
          </FilterLinks>
        }
      >
        <SearchForm
          label={`Search ${names}`}
          hint={inBlog ? "In titles, categories and authors." : "In titles."}
          query={query}
          pathOf={(wanted) => searchPath({ filter, month, kind, query: wanted })}
        />
        {(inBlog || hasDeletedSamples) && (
          <MoreMenu of={names}>
            {inBlog && <MenuLink to="/manage/posts/import">Import posts</MenuLink>}
            {hasDeletedSamples && (
              <MenuItem look="danger" onClick={() => samples.current?.showModal()}>
                Delete all samples for good
              </MenuItem>
            )}
          </MoreMenu>
        )}
      </Toolbar>
      <RemoveDialog ref={samples} id={null} kind={kind} onRemoved={onChanged} />
      {/* Rendered even when empty: screen readers announce only changes of an existing status. */}
      <p
        ref={status}
        role="status"
        tabIndex={-1}
        className={value && !query ? "sr-only" : "mt-4 text-sm text-muted outline-none"}
      >
        {value ? found(value) : failures > 0 ? "" : query ? "Searching..." : `Loading ${names}...`}
      </p>
      {value ? (
        <div
          aria-busy={isPrevious}
          className={`transition-opacity ${isPrevious ? "opacity-50" : ""}`}
        >
          <Rows {...value} onChanged={onChanged} />
        </div>
      ) : failures > 0 ? (
        <Failure failures={failures} retry={retry} />
      ) : (
        <TakingLonger />
      )}
    </PageFrame>
  );
}

function found({ search: { kind, filter, query }, counts }: ManagedPostList): string {
  const total = counts[filter];
  const posts = total === 1 ? `1 ${kind.name}` : `${total.toLocaleString("en-US")} ${kind.names}`;
  return query ? `${posts} found` : posts;
}

function MonthField({ search, months }: { search: PostSearch; months: readonly string[] }) {
  const navigate = useNavigate();
  if (months.length < 2 && !search.month) return null;
  return (
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
  );
}

interface RowsProps extends ManagedPostList {
  onChanged: () => void;
}

function Rows({ search, counts: _counts, onChanged, ...list }: RowsProps) {
  const { timeZone } = useSite().contact;
  const reload = useReload();
  const { kind } = search;
  return (
    <PagedList
      items={kind.names}
      path={searchPath(search)}
      list={list}
      empty={<Empty search={search} />}
    >
      {(rows) => (
        <ul className={`mt-4 ${listClass}`}>
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
  const isSearch = query !== "" || month !== "";
  const isElsewhere = isSearch || filter === "waiting" || filter === "deleted";
  return (
    <EmptyList title={isSearch ? `No ${kind.name} matches.` : emptyTexts(kind)[filter]}>
      {isElsewhere ? (
        <ButtonLink
          to={searchPath({ filter: isSearch ? filter : "all", query: "", month: "", kind })}
        >
          Show all
        </ButtonLink>
      ) : (
        <ButtonLink to={kind.create}>{`Write a ${kind.name}`}</ButtonLink>
      )}
    </EmptyList>
  );
}
