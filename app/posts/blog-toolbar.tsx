import { Search } from "lucide";
import { useEffect, useRef } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { type Loadable, Loaded } from "../loading/loaded.tsx";
import { cleanQuery, maxQueryLength } from "../loading/search-query.ts";
import { Icon } from "../ui/icon.ts";
import type { Category } from "./categories.ts";
import { searchPath } from "./post-lists.ts";

/** The most frequent ones. The sitemap and the posts link to the others. */
const maxCategories = 12;

interface BlogToolbarProps {
  categories: Loadable<Category[]>;
  current?: string;
  query?: string;
}

export function BlogToolbar({ categories, current, query = "" }: BlogToolbarProps) {
  return (
    <div
      data-screen
      className="mt-8 flex flex-col gap-x-8 gap-y-3 border-y border-line py-3 md:flex-row md:items-center"
    >
      <div className="min-h-11 min-w-0 flex-1">
        <Loaded data={categories} of="categories" failure={() => null}>
          {(all) => <CategoryLinks categories={all} current={current} isAll={!current && !query} />}
        </Loaded>
      </div>
      <SearchForm query={query} />
    </div>
  );
}

interface CategoryLinksProps {
  categories: Category[];
  current: string | undefined;
  isAll: boolean;
}

function CategoryLinks({ categories, current, isAll }: CategoryLinksProps) {
  if (categories.length < 2 && !current) return null;
  const shown = categories.filter(({ slug }, index) => index < maxCategories || slug === current);
  return (
    <nav aria-label="Categories">
      <ul className="flex gap-x-5 overflow-x-auto md:flex-wrap">
        <CategoryLink to="/blog" name="All articles" isCurrent={isAll} />
        {shown.map(({ slug, name }) => (
          <CategoryLink
            key={slug}
            to={`/blog/category/${slug}`}
            name={name}
            isCurrent={slug === current}
          />
        ))}
      </ul>
    </nav>
  );
}

function CategoryLink({ to, name, isCurrent }: { to: string; name: string; isCurrent: boolean }) {
  return (
    <li className="shrink-0">
      <Link
        to={to}
        aria-current={isCurrent ? "page" : undefined}
        className="inline-flex min-h-11 items-center text-sm font-semibold text-muted decoration-clay decoration-2 underline-offset-6 hover:text-evergreen aria-[current=page]:text-evergreen aria-[current=page]:underline"
      >
        {name}
      </Link>
    </li>
  );
}

/** Without scripts, the browser opens the same address. */
function SearchForm({ query }: { query: string }) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const shown = useRef(query);
  useEffect(() => {
    // After Back and Forward. What was typed before hydration stays.
    if (field.current && shown.current !== query) field.current.value = query;
    shown.current = query;
  }, [query]);
  return (
    <search className="md:w-52 md:shrink-0">
      <form
        action="/blog"
        className="flex"
        onSubmit={(event) => {
          event.preventDefault();
          // The focus stays in the field, and the number of results is announced.
          const state = { staysInPlace: true };
          const path = searchPath(cleanQuery(field.current?.value ?? ""));
          // As with a link to the open page, Back leaves it.
          navigate(path, { state, replace: path === pathname + search });
        }}
      >
        <label htmlFor="blog-search" className="sr-only">
          Search the articles
        </label>
        <input
          ref={field}
          id="blog-search"
          type="search"
          name="q"
          defaultValue={query}
          maxLength={maxQueryLength}
          placeholder="Search"
          autoComplete="off"
          enterKeyHint="search"
          className="min-h-11 w-full min-w-0 rounded-l-md border border-r-0 border-edge bg-surface px-4 text-base text-ink placeholder:text-muted/80"
        />
        <button
          type="submit"
          className="inline-flex min-h-11 min-w-11 items-center justify-center rounded-r-md border border-edge bg-surface text-evergreen hover:bg-sage"
        >
          <Icon drawing={Search} className="size-4" />
          <span className="sr-only">Search</span>
        </button>
      </form>
    </search>
  );
}
