// A copy in a frame, or its differences from the earlier one.
import { type SyntheticEvent, useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { buttonClass } from "../../ui/button.ts";
import { formatMoment, formatSchedule } from "../format-moment.ts";
import { EmptyList, staysInPlace } from "../list-toolbar.tsx";
import { WordDifferences } from "../merge/word-differences.tsx";
import { type OpenCopy, readCopy, readFiles, readPages, type StoredFile } from "./archive.ts";
import { type ArchiveSearch, archiveUrl } from "./archive-search.ts";

interface Opened {
  copy: OpenCopy;
  /** When it was public: the moment that the reader asked for, or another one. */
  moment: string;
  /** The files of the copy, unless it is compared. */
  files: readonly StoredFile[];
  /** The earlier copy, when both are compared. */
  earlier: OpenCopy | null;
}

/** The copy that was opened last, because its files never change. */
let last: Pick<Opened, "files"> & { number: number } = { number: 0, files: [] };

/** @returns null when there is no such copy */
export async function openCopy(client: Client, search: ArchiveSearch): Promise<Opened | null> {
  const { at, compares } = search;
  const number = search.copy || (await findNumber(client, search));
  const copy = number ? await readCopy(client, number) : null;
  if (!copy) return null;
  const [began, asked] = [Date.parse(copy.since), Date.parse(at)];
  const ended = copy.until ? Date.parse(copy.until) : Date.now();
  // The other pages that changed with this one were captured some minutes later.
  const other = Math.max(began + 1, Math.min(began + 300_000, ended - 1));
  const isThen = began <= asked && (asked < ended || !copy.until);
  const moment = isThen ? at : new Date(other).toISOString();
  const earlier = compares && copy.earlier ? await readCopy(client, copy.earlier) : null;
  if (!earlier && last.number !== copy.number) {
    const files: StoredFile[] = [];
    for await (const file of readFiles(client, copy.files)) files.push(file);
    last = { number: copy.number, files };
  }
  return { copy, moment, files: last.files, earlier };
}

/** A link of a page may have a query that no page of the archive has. */
async function findNumber(client: Client, { at, path }: ArchiveSearch) {
  const pages = await readPages(client, at);
  const find = (wanted: string) => pages.find((page) => page.path === wanted)?.number;
  return find(path) ?? find(path.replace(/\?.*/, ""));
}

interface CopyViewProps {
  search: ArchiveSearch;
  opened: Opened | null;
}

export function CopyView({ search, opened }: CopyViewProps) {
  const { timeZone } = useSite().contact;
  const { query, page } = search;
  const at = opened?.moment ?? search.at;
  const back = query ? { query, page } : { at };
  return (
    <>
      <p className="mt-4">
        <Link to={archiveUrl(back)} className="font-medium underline underline-offset-4">
          {query ? `All copies with “${query}”` : "All pages at that time"}
        </Link>
      </p>
      {opened ? (
        <Copy {...opened} search={search} />
      ) : (
        <EmptyList
          title="There was no such page then"
          text={[search.path, at && formatSchedule(at, timeZone)].filter(Boolean).join(", ")}
        />
      )}
    </>
  );
}

function Copy({ copy, moment, files, earlier, search }: Opened & { search: ArchiveSearch }) {
  const { timeZone } = useSite().contact;
  const { number, title, path, since, until, is_kept, release } = copy;
  const { query, page } = search;
  const urlOf = (wanted: Partial<ArchiveSearch>) => archiveUrl({ query, page, ...wanted });
  const steps = [
    ["Earlier copy", copy.earlier && urlOf({ copy: copy.earlier })],
    ["Later copy", copy.later && urlOf({ copy: copy.later })],
    [
      earlier ? "The page" : "Differences from the earlier copy",
      copy.earlier && urlOf({ at: moment, copy: number, compares: !earlier }),
    ],
  ] as const;
  return (
    <div className="mt-6 grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <aside aria-label="About this copy" className="lg:order-last">
        <h2 className="text-xl [overflow-wrap:anywhere]">{title || path}</h2>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">{path}</p>
        <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm [&_dt]:text-muted">
          <dt>From</dt>
          <dd>{formatSchedule(since, timeZone)}</dd>
          <dt>Until</dt>
          <dd>{until ? formatSchedule(until, timeZone) : "Still public"}</dd>
          <dt>Number</dt>
          <dd>{number.toLocaleString("en-US")}</dd>
          <dt>Release</dt>
          <dd className="[overflow-wrap:anywhere]">{release}</dd>
        </dl>
        <nav aria-label="Copies of this page" className="mt-5 flex flex-wrap gap-2">
          {steps.map(
            ([label, to]) =>
              to && (
                <Link
                  key={label}
                  to={to}
                  state={staysInPlace}
                  className={buttonClass("secondary", "small")}
                >
                  {label}
                </Link>
              ),
          )}
        </nav>
        {!copy.earlier && !copy.later && (
          <p className="text-sm text-muted">The only copy of this page so far.</p>
        )}
      </aside>
      {!is_kept || earlier?.is_kept === false ? (
        <EmptyList
          title="No longer kept"
          text="The years for which the archive keeps this copy are over. Its hash stays, so that the others can be checked."
        />
      ) : earlier ? (
        <WordDifferences
          isLong
          before={{ label: `Until ${formatMoment(since, timeZone)}`, text: earlier.words ?? "" }}
          after={{ label: `From ${formatMoment(since, timeZone)}`, text: copy.words ?? "" }}
        />
      ) : (
        <Frame key={number} copy={copy} files={files} moment={moment} />
      )}
    </div>
  );
}

/** The page, whose links lead to other pages at the same time. Nothing in it runs or is sent. */
function Frame({ copy, files, moment }: Pick<Opened, "copy" | "files" | "moment">) {
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
      const href = (event.target as Element).closest("a")?.getAttribute("href");
      if (!href) return;
      event.preventDefault();
      if (href.startsWith("#")) shown.getElementById(href.slice(1))?.scrollIntoView();
      else if (href.startsWith("/")) {
        navigate(archiveUrl({ at: moment, path: href.replace(/#.*/, "") }), {
          state: staysInPlace,
        });
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
function withOwnFiles(digest: string, files: readonly StoredFile[]) {
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
    if (file.hash === digest) continue;
    const content = isSheet(file) ? textOf(file) : file.bytes;
    urls.set(file.hash, URL.createObjectURL(new Blob([content], { type: file.type })));
  }
  const page = files.find(({ hash }) => hash === digest);
  // A link that is not followed above opens nothing, so the frame never shows the site of today.
  const html = page ? textOf(page).replace(/<head[^>]*>/, '$&<base target="_blank"/>') : "";
  return { html, urls };
}
