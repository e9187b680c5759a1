// A copy in a frame, or its differences from the earlier one.
import { type SyntheticEvent, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { escapeXml } from "../../seo/xml.ts";
import type { Client } from "../../supabase/client-context.ts";
import { ButtonLink, TextLink } from "../button.tsx";
import { formatMoment, formatSchedule } from "../format-moment.ts";
import { EmptyList, staysInPlace } from "../list-toolbar.tsx";
import { WordDifferences } from "../versions/word-differences.tsx";
import {
  type ArchiveSearch,
  archiveUrl,
  type Copy,
  readCopy,
  readFiles,
  type StoredFile,
} from "./archive.ts";

/** A copy with its files, or with the earlier copy to compare. Null when the page was not public at that moment. */
export async function openCopy(client: Client, { at, path, differences }: ArchiveSearch) {
  const copy = await readCopy(client, at, path);
  if (!copy) return null;
  const earlier = differences && copy.earlier && (await readCopy(client, copy.earlier, path));
  const files: StoredFile[] = [];
  const wanted = earlier ? [...earlier.files, ...copy.files] : copy.files;
  for await (const file of readFiles(client, wanted)) files.push(file);
  return { at, copy, earlier: earlier || null, files };
}

type Opened = NonNullable<Awaited<ReturnType<typeof openCopy>>>;

/** @param props.opened null when there is no such copy */
export function CopyView({ search, opened }: { search: ArchiveSearch; opened: Opened | null }) {
  const { at, path } = search;
  const { timeZone } = useSite().contact;
  return (
    <>
      <p className="mt-4">
        <TextLink to={archiveUrl({ at })}>All pages at that time</TextLink>
      </p>
      {opened ? (
        <div className="mt-6 grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
          <About {...opened} />
          <Content {...opened} />
        </div>
      ) : (
        <EmptyList
          title="There was no such page then"
          text={`${path}, ${formatSchedule(at, timeZone)}`}
        />
      )}
    </>
  );
}

function About({ at, copy, earlier }: Opened) {
  const { timeZone } = useSite().contact;
  const { number, title, path, since, until, release } = copy;
  const links: [name: string, at: string | null, differences?: string][] = [
    ["Earlier copy", copy.earlier],
    ["Later copy", copy.later],
    earlier ? ["The page", at] : ["Differences from the earlier copy", copy.earlier && at, "1"],
  ];
  return (
    <aside aria-label="About this copy" className="wrap-anywhere lg:order-last">
      <h2 className="text-xl">{title || path}</h2>
      <p className="text-sm text-muted">{path}</p>
      <p className="mt-4 mb-5 text-sm">
        {`${
          until
            ? `Public from ${formatSchedule(since, timeZone)} to ${formatSchedule(until, timeZone)}.`
            : `Public since ${formatSchedule(since, timeZone)}.`
        } Copy ${number.toLocaleString("en-US")} of the archive, made by version ${release} of the site's program.`}
      </p>
      <nav aria-label="Copies of this page" className="flex flex-wrap gap-2">
        {links.map(([name, at, differences]) =>
          at ? (
            <ButtonLink key={name} to={archiveUrl({ at, path, differences })} state={staysInPlace}>
              {name}
            </ButtonLink>
          ) : null,
        )}
      </nav>
    </aside>
  );
}

function Content({ at, copy, earlier, files }: Opened) {
  const { timeZone } = useSite().contact;
  if (!copy.is_kept || earlier?.is_kept === false) {
    const text = "It was kept for as many years as the settings say. Its place in the list stays.";
    return <EmptyList title="No longer kept" text={text} />;
  }
  if (!earlier) return <Frame key={copy.number} at={at} copy={copy} files={files} />;
  const wordsOf = ({ digest }: Copy) => files.find(({ hash }) => hash === digest)?.words ?? "";
  const when = formatMoment(copy.since, timeZone);
  return (
    <div className="sm:[&_section]:max-h-[80dvh]">
      <WordDifferences
        before={{ label: `Until ${when}`, text: wordsOf(earlier) }}
        after={{ label: `From ${when}`, text: wordsOf(copy) }}
      />
    </div>
  );
}

/** The page, whose links lead to other pages at the same time. Nothing in it runs or is sent. */
function Frame({ at, copy, files }: Omit<Opened, "earlier">) {
  const navigate = useNavigate();
  const [html, setHtml] = useState<string>();

  useEffect(() => {
    const page = withOwnFiles(copy.digest, files);
    setHtml(page.html);
    return () => {
      for (const url of page.urls.values()) URL.revokeObjectURL(url);
    };
  }, [copy.digest, files]);

  function follow({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) {
    const shown = currentTarget.contentDocument;
    shown?.addEventListener("click", (event) => {
      // A click's target is an element.
      const href = (event.target as Element).closest("a")?.getAttribute("href");
      if (!href) return;
      event.preventDefault();
      const path = href.replace(/[?#].*/, "");
      if (path.startsWith("/")) navigate(archiveUrl({ at, path }), { state: staysInPlace });
      else if (href.startsWith("#")) shown.getElementById(href.slice(1))?.scrollIntoView();
      else if (path.startsWith("blob:")) {
        // A PDF. The frame itself may not download.
        Object.assign(document.createElement("a"), { href: path, download: "file.pdf" }).click();
      }
    });
  }

  return html === undefined ? null : (
    <iframe
      title={`${copy.path} as it was`}
      sandbox="allow-same-origin"
      srcDoc={html}
      onLoad={follow}
      className="h-[80dvh] w-full rounded-lg border border-edge bg-paper"
    />
  );
}

/** The HTML of a page, and blob: addresses of its files, which it names `../files/HASH.EXT`, and style sheets `HASH.EXT`. */
function withOwnFiles(digest: string | null, files: readonly StoredFile[]) {
  const urls = new Map<string, string>();
  const textOf = ({ bytes }: StoredFile) =>
    new TextDecoder()
      .decode(bytes)
      .replace(
        /(?:\.\.\/files\/)?\b([0-9a-f]{64})\.[a-z0-9]+/g,
        (name, hash) => urls.get(hash) ?? name,
      );
  const isSheet = ({ type }: StoredFile) => type === "text/css";
  // Style sheets last, because they name the others.
  for (const file of files.toSorted((a, b) => Number(isSheet(a)) - Number(isSheet(b)))) {
    const content = isSheet(file) ? textOf(file) : file.bytes;
    urls.set(file.hash, URL.createObjectURL(new Blob([content], { type: file.type })));
  }
  const page = files.find(({ hash }) => hash === digest);
  // A link that is not followed above opens nothing, so the frame never shows the site of today.
  const text = page ? textOf(page) : "";
  // Feeds and mails are shown as text.
  const html =
    page?.type === "text/html"
      ? text.replace(/<head[^>]*>/, '$&<base target="_blank"/>')
      : `<pre style="white-space: pre-wrap">${escapeXml(text)}</pre>`;
  return { html, urls };
}
