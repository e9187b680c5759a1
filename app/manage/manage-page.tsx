import { type Params, useRevalidator } from "react-router";
import { loadModule } from "../loading/load-module.ts";
import { LoadFailure } from "../ui/load-state.tsx";
import { LoadingPage, type ManagePage, type PageFile, PageFrame } from "./manage-frame.tsx";
import { ManageLayout } from "./manage-layout.tsx";
import { pageAt } from "./manage-pages.ts";

interface OpenedPage {
  page: ManagePage;
  title: string;
  /** Null when the page's code could not be loaded. */
  file: PageFile | null;
  data: unknown;
}

/** Loads the code of the page at an address, and starts to read its data. */
export async function openPage(url: URL, params: Params): Promise<OpenedPage | null> {
  const page = pageAt(url.pathname);
  if (!page) return null;
  const file = await openFile(page).catch(() => null);
  const title = file?.titleAt?.(url.search) ?? page.title ?? page.heading;
  return { page, title, file, data: file?.load?.({ url, params }) };
}

const files = new Map<ManagePage, PageFile>();

/** Caches the file: another import after a failure would create another component. */
async function openFile(page: ManagePage): Promise<PageFile> {
  const file = files.get(page) ?? (await loadModule(page.file));
  files.set(page, file);
  return file;
}

export function ManagePageView({ page, file, data }: OpenedPage) {
  const { state, revalidate } = useRevalidator();
  const Page = file?.default;
  return (
    <ManageLayout page={page}>
      {Page ? (
        // Its own `load` has returned the data.
        <Page data={data as never} />
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
