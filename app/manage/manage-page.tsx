import type { ReactNode } from "react";
import { type ClientLoaderFunctionArgs, useRevalidator } from "react-router";
import { loadModule } from "../loading/load-module.ts";
import { useLiveRefresh } from "../supabase/live.ts";
import { LoadFailure } from "../ui/load-state.tsx";
import { LoadingPage, type ManagePage, type PageFile, PageFrame } from "./manage-frame.tsx";
import { ManageLayout } from "./manage-layout.tsx";
import { pageOf } from "./manage-pages.ts";

type OpenArgs = Pick<ClientLoaderFunctionArgs, "pattern" | "params" | "url">;

interface OpenedPage {
  title: string;
  content: ReactNode;
}

/** Loads the code of the page that a route opens. */
export async function openPage({ pattern, params, url }: OpenArgs): Promise<OpenedPage> {
  const page = pageOf(pattern);
  if (!page) throw new Error(`${pattern} is not in manage-pages.ts`);
  const file = await openFile(page).catch(() => null);
  file?.check?.(params);
  return {
    title: file?.titleAt?.(url.search, params) ?? page.title ?? page.heading,
    content: <Page page={page} Content={file?.default} />,
  };
}

const files = new Map<ManagePage, PageFile>();

/** Caches the file: another import after a failure would create another component. */
async function openFile(page: ManagePage): Promise<PageFile> {
  const file = files.get(page) ?? (await loadModule(page.file));
  files.set(page, file);
  return file;
}

interface PageProps {
  page: ManagePage;
  /** Undefined when the page's code could not be loaded. */
  Content: PageFile["default"] | undefined;
}

function Page({ page, Content }: PageProps) {
  const { state, revalidate } = useRevalidator();
  // Follows the settings of the site.
  useLiveRefresh();
  return (
    <ManageLayout page={page}>
      {Content ? (
        // Pages that share a file share no state.
        <Content key={page.path} />
      ) : state === "loading" ? (
        <LoadingPage />
      ) : (
        <PageFrame>
          <LoadFailure what={`The ${page.noun}`} onRetry={revalidate} className="mt-8" />
        </PageFrame>
      )}
    </ManageLayout>
  );
}
