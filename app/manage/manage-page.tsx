// The route of every page in manage-pages.ts.
import { type Params, useLocation, useRevalidator } from "react-router";
import { siteOf } from "../config/use-site.ts";
import { loadModule } from "../loading/load-module.ts";
import { mayHaveSession } from "../supabase/browser-client.ts";
import { LoadFailure } from "../ui/load-state.tsx";
import type { Route } from "./+types/manage-page";
import { LoadingPage, type ManagePage, type PageFile, PageFrame } from "./manage-frame.tsx";
import { pageAt } from "./manage-pages.ts";

interface Opened {
  /** Null when the page's code could not be loaded. */
  file: PageFile | null;
  data: unknown;
}

export async function clientLoader({ request, params }: { request: Request; params: Params }) {
  const url = new URL(request.url);
  const page = pageAt(url.pathname);
  // Without a session the layout redirects to the login; skip the requests.
  if (!page || !mayHaveSession()) return null;
  const file = await openFile(page).catch(() => null);
  return { file, data: file?.load?.({ url, params }) } satisfies Opened;
}
clientLoader.hydrate = true as const;

const files = new Map<ManagePage, PageFile>();

/** Caches the file: another import after a failure would create another component. */
async function openFile(page: ManagePage): Promise<PageFile> {
  const file = files.get(page) ?? (await loadModule(page.file));
  files.set(page, file);
  return file;
}

export function meta({ matches, location, loaderData }: Route.MetaArgs) {
  const page = pageAt(location.pathname);
  const title = loaderData?.file?.titleAt?.(location.search) ?? page?.title ?? page?.heading;
  return [
    { title: `${title} | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export function HydrateFallback() {
  return <LoadingPage />;
}

export default function ManagePageRoute({ loaderData }: Route.ComponentProps) {
  const page = pageAt(useLocation().pathname);
  const { state, revalidate } = useRevalidator();
  if (!page || !loaderData) return <LoadingPage />;
  const { file, data } = loaderData;
  if (!file && state === "loading") return <LoadingPage />;
  if (!file) {
    return (
      <PageFrame>
        <LoadFailure what={`The ${page.noun}`} onRetry={revalidate} className="mt-8" />
      </PageFrame>
    );
  }
  const Page = file.default;
  // Its own `load` has returned the data.
  return <Page data={data as never} />;
}
