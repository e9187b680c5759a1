import { Component, type ReactNode, useEffect } from "react";
import {
  Links,
  type LinksFunction,
  Meta,
  Navigate,
  Outlet,
  Scripts,
  useLocation,
  useMatches,
} from "react-router";
import type { Route } from "./+types/root";
import appCss from "./app.css?url";
import { AuthProvider, useAuth } from "./auth/auth-provider.tsx";
import { isSiteOutdated, setSiteOutdated, useSiteRefresh } from "./config/refresh-site.ts";
import { pageSettingsContext, type RootData, siteContext } from "./config/request-context.ts";
import { isClosed, type Site, useRootData, useSite } from "./config/use-site.ts";
import figtree from "./fonts/figtree-basic.woff2?url";
import newsreader from "./fonts/newsreader-basic.woff2?url";
import { ConsultationBar } from "./layout/consultation-bar.tsx";
import { ErrorPage } from "./layout/error-page.tsx";
import { Footer } from "./layout/footer.tsx";
import { Header, Notice, PageStatus } from "./layout/header.tsx";
import { PageAnnouncer, useScrollBehavior } from "./layout/page-change.tsx";
import { SiteIcons } from "./layout/site-icons.tsx";
import { FreshMarkup } from "./loading/fresh-markup.tsx";
import { LoadFailure } from "./ui/load-state.tsx";
import { Toaster } from "./ui/toaster.tsx";
import { useVisitCount } from "./visits/visit-count.ts";

export const links: LinksFunction = () => [
  { rel: "preload", href: figtree, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "preload", href: newsreader, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
];

export function loader({ context }: Route.LoaderArgs) {
  const { site, version } = context.get(siteContext);
  return {
    settings: context.get(pageSettingsContext),
    site,
    year: copyrightYear(site),
    version,
  } satisfies RootData;
}

let loaded: Awaited<ReturnType<Route.ClientLoaderArgs["serverLoader"]>> | undefined;

/** Keeps the page's current settings when the server fails. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  try {
    loaded = await serverLoader();
    setSiteOutdated(false);
  } catch (error) {
    if (!loaded) throw error;
  }
  return loaded;
}

/** The year in the footer: 2025 for the fictional firm. */
function copyrightYear({ isDefault, contact }: Site): number {
  if (isDefault) return 2025;
  const { timeZone } = contact;
  return Number(new Date().toLocaleDateString("en-US", { timeZone, year: "numeric" }));
}

/** Loads the settings again after a publication. */
export function shouldRevalidate() {
  return isSiteOutdated();
}

/** Whether the page is in the frame of the owner's area. The form of a post is one of the blog's pages. */
function useIsManaging(): boolean {
  return useMatches().some(({ id }) => /^manage\/(?!blog\/)/.test(id));
}

export function Layout({ children }: { children: ReactNode }) {
  const { settings, site } = useRootData() ?? {};
  const papers = site?.colors?.papers ?? { light: "#fbf8f3", dark: "#101614" };
  return (
    <html
      lang="en"
      data-colors={site?.colors ? "" : undefined}
      data-dark={site?.hasDark ? "" : undefined}
      data-manage={useIsManaging() ? "" : undefined}
      style={site?.colors?.properties}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={site?.hasDark ? "light dark" : "light"} />
        {site?.hasDark && (
          // Before the other one: browsers take the first that applies.
          <meta name="theme-color" content={papers.dark} media="(prefers-color-scheme: dark)" />
        )}
        <meta name="theme-color" content={papers.light} />
        <meta name="supabase-url" content={settings?.supabaseUrl ?? ""} />
        <meta name="supabase-anon-key" content={settings?.anonKey ?? ""} />
        {settings?.turnstileSiteKey && (
          <meta name="turnstile-site-key" content={settings.turnstileSiteKey} />
        )}
        <meta name="time-zone" content={site?.contact.timeZone} />
        {site?.testimonials.samples && <meta name="sample-testimonials" content="on" />}
        <Meta />
        <Links />
        {/* With a precedence, React keeps it when the error page replaces this document. */}
        <link rel="stylesheet" href={appCss} precedence="default" />
        {site && !site.closed.includes("/blog") && (
          <>
            <link rel="alternate" type="application/rss+xml" title="Blog (RSS)" href="/rss.xml" />
            <link
              rel="alternate"
              type="application/atom+xml"
              title="Blog (Atom)"
              href="/atom.xml"
            />
          </>
        )}
        {site && <SiteIcons site={site} />}
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  useSiteRefresh(loaderData.version);
  useScrollBehavior();
  useVisitCount();
  useEffect(() => {
    loaded = loaderData;
  }, [loaderData]);
  useEffect(() => {
    // start-scripts.ts waits for this to replay input from before hydration.
    window.dispatchEvent(new Event("hydrated"));
  }, []);
  const { pathname, search } = useLocation();
  return (
    <FreshMarkup page={pathname + search}>
      <AuthProvider>
        <Page>
          <Outlet />
        </Page>
        <PageAnnouncer />
        <Toaster />
      </AuthProvider>
    </FreshMarkup>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const hasSite = useRootData() !== undefined;
  const withoutFrame = (
    <main>
      <ErrorPage error={error} />
    </main>
  );
  // After a failed form post the router does not run this route's loader: there is no site to frame the page.
  if (!hasSite) return withoutFrame;
  return (
    <ErrorFrame fallback={withoutFrame}>
      <AuthProvider>
        <Page>
          <ErrorPage error={error} />
        </Page>
      </AuthProvider>
    </ErrorFrame>
  );
}

interface ErrorFrameProps {
  children: ReactNode;
  fallback: ReactNode;
}

let hasFrameFailed = false;

/**
 * What failed may be the frame of the page. That it failed is known outside of React, which mounts this again for each further
 * failure and would not come to an end.
 */
class ErrorFrame extends Component<ErrorFrameProps, { hasFailed: boolean }> {
  override state = { hasFailed: hasFrameFailed };

  static getDerivedStateFromError() {
    hasFrameFailed = true;
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

function Page({ children }: { children: ReactNode }) {
  const { user, failed, refresh } = useAuth();
  const site = useSite();
  const { pathname } = useLocation();
  const isManaging = useIsManaging();
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-sm bg-evergreen px-4 py-2 text-paper focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      {isManaging ? (
        <PageStatus />
      ) : (
        <>
          <Notice />
          <Header />
        </>
      )}
      {failed && (
        <div className="bg-clay-soft">
          <LoadFailure
            what="Your account"
            advice="The site keeps trying. Until it succeeds, some controls are missing."
            onRetry={refresh}
            className="wrap py-4"
          />
        </div>
      )}
      {/* The server redirects documents (server/site.ts). */}
      {isClosed(site, pathname) ? (
        <Navigate to={user ? "/manage" : "/"} replace />
      ) : isManaging ? (
        // With its own `main`, beside the navigation (manage-layout.tsx).
        children
      ) : (
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
      )}
      {!isManaging && (
        <>
          <ConsultationBar />
          <Footer />
        </>
      )}
    </>
  );
}
