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
import { blogPaging, type Post, toSummary } from "../../posts/posts.ts";
import { testimonialPaging } from "../../testimonials/testimonials.ts";
import { pageOf } from "../../ui/pager.tsx";
import type { PastSite } from "./past-site.ts";

/** What one page of a past site is rendered from. */
export interface RenderedSite extends PastSite {
  /** ISO 8601 */
  moment: string;
  /** The address of the site's style sheet. */
  stylesheet: string;
  /** With its content, for its page. */
  post?: Post | undefined;
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
    load: (past) => ({
      posts: { value: past.posts.slice(0, 9).map(toSummary) },
      testimonials: { value: shownTestimonials(past).slice(0, 5) },
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
    load: async (past, _params, page) => ({
      page,
      list: await paged(
        shownTestimonials(past),
        testimonialPaging(past.site.testimonials.samples),
        page,
      ),
    }),
  },
  {
    path: "/blog",
    id: "posts/posts-page",
    load: async ({ posts }, _params, page) => ({
      page,
      query: "",
      list: await paged(posts.map(toSummary), blogPaging, page),
      categories: { value: [] },
    }),
  },
  {
    path: "/blog/:slug",
    id: "posts/post-page",
    load({ posts, post }) {
      const others = posts.filter(({ id }) => id !== post?.id).slice(0, 3);
      return post
        ? {
            post: { value: post },
            next: { value: others.map(toSummary) },
            neighbors: { value: [] },
          }
        : null;
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

/** Without the stored samples, unless samples are shown. */
function shownTestimonials({ site, testimonials }: PastSite) {
  return testimonials.filter(({ is_sample }) => site.testimonials.samples || !is_sample);
}

async function paged<Row>(rows: readonly Row[], paging: Paging, page: number) {
  const read = async (first: number, count: number) => rows.slice(first, first + count);
  return { value: await loadPage(read, async () => rows.length, paging, page) };
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
        <title>{tags.flatMap((tag) => ("title" in tag ? String(tag.title) : []))[0]}</title>
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
