// Renders the pages of a past site to HTML, with the components of the current release.
import type { ComponentType, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import {
  createStaticRouter,
  type DataRouteObject,
  type MetaDescriptor,
  matchPath,
  matchRoutes,
  Outlet,
  type Params,
  type StaticHandlerContext,
  StaticRouterProvider,
  useLoaderData,
  useMatches,
  useParams,
} from "react-router";
import { AuthProvider } from "../../auth/auth-provider.tsx";
import { findService } from "../../config/public-site.ts";
import { isLegalPage, legalPages } from "../../config/site-pages.ts";
import { isClosed } from "../../config/use-site.ts";
import { Footer } from "../../layout/footer.tsx";
import { Header } from "../../layout/header.tsx";
import { loadModule } from "../../loading/load-module.ts";
import { loadPage, type Paging } from "../../loading/load-page.ts";
import { groupCategories } from "../../posts/categories.ts";
import { excerptOf } from "../../posts/post-content.ts";
import { blogPaging, type Post, toSummary } from "../../posts/posts.ts";
import { testimonialPaging } from "../../testimonials/testimonials.ts";
import { pageOf } from "../../ui/pager.tsx";
import type { PastPost, PastSite } from "./past-site.ts";

/** What one page of a past site is rendered from. */
export interface RenderedSite extends PastSite {
  /** ISO 8601 */
  moment: string;
  /** The address of the site's style sheet. */
  stylesheet: string;
  readPost: (post: PastPost) => Promise<Post>;
}

interface PastPage {
  path: string;
  /** Of the route in app/routes.ts. */
  id: string;
  /** What the loader of the page would return; null when there was no such page. */
  load?: (past: RenderedSite, params: Params, page: number) => unknown;
}

/** The exports of a route's file. */
interface RouteFile {
  default: (props: never) => ReactNode;
  meta: (args: never) => MetaDescriptor[];
}

/** Loads a file as the router does. With an import, visitors' pages would consist of more files. */
function loadPageFile(id: string): Promise<RouteFile> {
  const address = window.__reactRouterManifest?.routes[id]?.module;
  return loadModule(() => import(/* @vite-ignore */ `${address}`));
}

const pages: readonly PastPage[] = [
  {
    path: "/",
    id: "home/home-page",
    load: ({ posts, testimonials }) => ({
      posts: { value: posts.slice(0, 9).map(toSummary) },
      testimonials: { value: testimonials.slice(0, 5) },
    }),
  },
  { path: "/services", id: "services/services-page" },
  {
    path: "/services/:slug",
    id: "services/service-page",
    load({ settings }, { slug = "" }) {
      const found = findService(settings, slug);
      return found && "slug" in found ? { service: found } : null;
    },
  },
  {
    path: "/testimonials",
    id: "testimonials/testimonials-page",
    async load({ site, testimonials }, _params, page) {
      const paging = testimonialPaging(site.testimonials.samples);
      return { page, list: { value: await paged(testimonials, paging, page) } };
    },
  },
  {
    path: "/blog",
    id: "posts/posts-page",
    load: async (past, _params, page) => ({
      page,
      query: "",
      list: { value: await listed(past, past.posts, page) },
      categories: { value: categoriesOf(past) },
    }),
  },
  {
    path: "/blog/:slug",
    id: "posts/post-page",
    async load({ posts, readPost }, { slug }) {
      const index = posts.findIndex((each) => each.slug === slug);
      const [found, newer, older] = [posts[index], posts[index - 1], posts[index + 1]];
      if (!found) return null;
      const others = posts.slice(0, 4).filter((each) => each !== found);
      return {
        post: { value: await readPost(found) },
        next: { value: others.slice(0, 3).map(toSummary) },
        neighbors: {
          value: [
            ...(newer ? [{ direction: "newer", ...toSummary(newer) }] : []),
            ...(older ? [{ direction: "older", ...toSummary(older) }] : []),
          ],
        },
      };
    },
  },
  ...Object.keys(legalPages).map((page) => ({
    path: `/${page}`,
    id: `legal/${page}`,
    load({ settings }: PastSite) {
      const parts = isLegalPage(page) ? settings.legal[page] : [];
      return parts.length > 0 ? { page, parts } : null;
    },
  })),
  { path: "/savings-calculator", id: "calculators/calculators-page" },
  { path: "/contact", id: "contact/contact-page" },
];

function paged<Row>(rows: readonly Row[], paging: Paging, page: number) {
  return loadPage(async (first, count) => rows.slice(first, first + count), paging, page);
}

/** A page of posts, the first with its excerpt. */
async function listed({ readPost }: RenderedSite, posts: readonly PastPost[], page: number) {
  const { rows, ...list } = await paged(posts, blogPaging, page);
  const [lead, ...others] = rows;
  const excerpt = lead && excerptOf(await readPost(lead));
  return {
    ...list,
    rows: lead ? [{ ...toSummary(lead), excerpt }, ...others.map(toSummary)] : [],
  };
}

function categoriesOf({ posts }: PastSite) {
  const stored = [...Map.groupBy(posts, ({ category }) => category)].map(([category, rows]) => ({
    category,
    posts: rows.length,
    changed_at: rows[0]?.updated_at ?? "",
  }));
  return groupCategories(stored.sort((a, b) => b.posts - a.posts));
}

/** @returns the HTML of a document that needs no scripts; null when the site had no such page */
export async function renderPage(
  past: RenderedSite,
  address: string,
  loadFile = loadPageFile,
): Promise<string | null> {
  const { site, moment, stylesheet } = past;
  const { pathname, search } = new URL(address, "http://archive.invalid");
  const page = pages.find(({ path }) => matchPath(path, pathname));
  const params = page && matchPath(page.path, pathname)?.params;
  if (!page || !params || isClosed(site, pathname)) return null;
  const data = page.load ? await page.load(past, params, pageOf(search)) : {};
  if (data === null) return null;
  const { default: Shown, meta } = await loadFile(page.id);

  const { timeZone } = site.contact;
  const year = new Date(moment).toLocaleDateString("en-US", { timeZone, year: "numeric" });
  const root = { site, year, settings: { siteUrl: "", sendsMail: true }, version: 0 };
  const location = { pathname, search, hash: "", state: null, key: "default", mask: undefined };
  const rootMatch = { id: "root", loaderData: root };
  const tags = meta({ matches: [rootMatch], params, loaderData: data, location } as never);
  const element = <Page Shown={Shown as ComponentType<object>} />;
  const routes: DataRouteObject[] = [
    { id: "root", element: <Frame />, children: [{ id: "page", path: page.path, element }] },
  ];
  // What `createStaticHandler` makes, which would add its code to the visitors' scripts.
  const context: StaticHandlerContext = {
    ...{ basename: "/", location, matches: matchRoutes(routes, location) ?? [] },
    ...{ loaderData: { root, page: data } },
    ...{ actionData: null, errors: null, statusCode: 200, loaderHeaders: {}, actionHeaders: {} },
    _match: (to) => matchRoutes(routes, to),
  };
  const html = renderToStaticMarkup(
    <html lang="en" data-colors={site.colors ? "" : undefined} style={site.colors?.properties}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{textOf(tags, "title")}</title>
        <meta name="description" content={textOf(tags, "description")} />
        <link rel="stylesheet" href={stylesheet} />
      </head>
      <body>
        <StaticRouterProvider
          router={createStaticRouter(routes, context)}
          context={context}
          hydrate={false}
        />
      </body>
    </html>,
  );
  // React preloads images in sizes that nothing else refers to.
  return `<!DOCTYPE html>${html.replace(/<link rel="preload"[^>]*>|<noscript>.*?<\/noscript>/gs, "")}`;
}

/** The page's component receives what the framework gives to a route's component. */
function Page({ Shown }: { Shown: ComponentType<object> }) {
  const props = { loaderData: useLoaderData(), params: useParams(), matches: useMatches() };
  return <Shown {...props} />;
}

function Frame() {
  return (
    <AuthProvider>
      <Header OwnerPart={NoOwnerPart} />
      <main id="content">
        <Outlet />
      </main>
      <Footer OwnerPart={NoOwnerPart} />
    </AuthProvider>
  );
}

/** Visitors see no owner's part. */
function NoOwnerPart() {
  return null;
}

function textOf(tags: MetaDescriptor[], name: "title" | "description"): string {
  const [text] = tags.flatMap((tag) => {
    if ("title" in tag && name === "title") return [String(tag.title)];
    return "name" in tag && tag.name === name && "content" in tag ? [String(tag.content)] : [];
  });
  return text ?? "";
}
