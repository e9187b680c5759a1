// A copy in a frame, or its differences from the earlier one.
import { diffLines } from "diff";
import { type SyntheticEvent, useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { buttonClass } from "../../ui/button.ts";
import { formatMoment, formatSchedule } from "../format-moment.ts";
import { EmptyList, staysInPlace } from "../list-toolbar.tsx";
import { WordDifferences } from "../merge/word-differences.tsx";
import * as archive from "./archive.ts";

type Opened = NonNullable<Awaited<ReturnType<typeof openCopy>>>;

/** The copy that was opened last, because its files never change. */
let last = { number: 0, files: [] as archive.StoredFile[] };

/** @returns null when there is no such copy */
export async function openCopy(client: Client, search: archive.ArchiveSearch) {
  const number = search.copy || (await findNumber(client, search));
  const copy = number ? await archive.readCopy(client, number) : null;
  if (!copy) return null;
  const [began, asked] = [Date.parse(copy.since), Date.parse(search.at)];
  const ended = copy.until ? Date.parse(copy.until) : Date.now();
  // The other pages that changed with this one were captured some minutes later.
  const other = Math.max(began + 1, Math.min(began + 300_000, ended - 1));
  const isThen = began <= asked && (asked < ended || !copy.until);
  const earlier =
    search.differences && copy.earlier ? await archive.readCopy(client, copy.earlier) : null;
  if (!earlier && last.number !== copy.number) {
    const files: archive.StoredFile[] = [];
    for await (const file of archive.readFiles(client, copy.files)) files.push(file);
    last = { number: copy.number, files };
  }
  return {
    ...{ copy, files: last.files },
    /** When it was public: the moment that the reader asked for, or another one. */
    moment: isThen ? search.at : new Date(other).toISOString(),
    /** To compare. */
    earlier,
  };
}

/** A link of a page may have a query that no page of the archive has. */
async function findNumber(client: Client, { at, path }: archive.ArchiveSearch) {
  const { rows } = await archive.readPages(client, at);
  const find = (wanted: string) => rows.find((page) => page.path === wanted)?.number;
  return find(path) ?? find(path.replace(/\?.*/, ""));
}

/** @param props.opened null when there is no such copy */
export function CopyView(props: { search: archive.ArchiveSearch; opened: Opened | null }) {
  const { search, opened } = props;
  const { timeZone } = useSite().contact;
  const at = opened?.moment ?? search.at;
  return (
    <>
      <p className="mt-4">
        <Link to={archive.archiveUrl({ at })} className="font-medium underline underline-offset-4">
          {at ? "All pages at that time" : "All pages"}
        </Link>
      </p>
      {opened ? (
        <div className="mt-6 grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
          <About {...opened} />
          <Content {...opened} />
        </div>
      ) : (
        <EmptyList
          title="There was no such page then"
          text={at && `${search.path}, ${formatSchedule(at, timeZone)}`}
        />
      )}
    </>
  );
}

function About({ copy, moment, earlier }: Opened) {
  const { timeZone } = useSite().contact;
  const { number, title, path, since, until, release } = copy;
  const facts = {
    From: formatSchedule(since, timeZone),
    Until: until ? formatSchedule(until, timeZone) : "Still public",
    Number: number.toLocaleString("en-US"),
    Release: release,
  };
  const differences = earlier ? "" : "1";
  const links = {
    "Earlier copy": copy.earlier && { copy: copy.earlier },
    "Later copy": copy.later && { copy: copy.later },
    [earlier ? "The page" : "Differences from the earlier copy"]: copy.earlier && {
      ...{ at: moment, copy: number, differences },
    },
  };
  return (
    <aside aria-label="About this copy" className="[overflow-wrap:anywhere] lg:order-last">
      <h2 className="text-xl">{title || path}</h2>
      <p className="text-sm text-muted">{path}</p>
      <dl className="mt-4 mb-5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {Object.entries(facts).map(([name, fact]) => [
          <dt key={name} className="text-muted">
            {name}
          </dt>,
          <dd key={fact}>{fact}</dd>,
        ])}
      </dl>
      <nav aria-label="Copies of this page" className="flex flex-wrap gap-2">
        {Object.entries(links).map(([name, to]) =>
          to ? (
            <Link
              key={name}
              to={archive.archiveUrl(to)}
              state={staysInPlace}
              className={buttonClass("secondary", "small")}
            >
              {name}
            </Link>
          ) : null,
        )}
      </nav>
    </aside>
  );
}

function Content({ copy, earlier, ...opened }: Opened) {
  if (!copy.is_kept || earlier?.is_kept === false) {
    const text =
      "The years for which the archive keeps it are over. Its hash stays in the archive.";
    return <EmptyList title="No longer kept" text={text} />;
  }
  if (earlier) return <Differences before={earlier} after={copy} />;
  return <Frame key={copy.number} copy={copy} {...opened} />;
}

/** The words of two copies, without long stretches of lines that both have. */
function Differences({ before, after }: { before: archive.Copy; after: archive.Copy }) {
  const { timeZone } = useSite().contact;
  const parts = diffLines(before.words ?? "", after.words ?? "");
  if (!parts.some(({ added, removed }) => added || removed)) {
    const text = "Images, links or the design of the page changed.";
    return <EmptyList title="Both copies have the same words" text={text} />;
  }
  const textWithout = (other: "added" | "removed") =>
    parts
      .filter((part) => !part[other])
      .map(({ value, added, removed, count }) =>
        added || removed || count < 10
          ? value
          : value.replace(/^((?:.*\n){3})[\s\S]*\n((?:.*\n){3}.*)$/, "$1…\n$2"),
      )
      .join("");
  const when = formatMoment(after.since, timeZone);
  return (
    <div className="sm:[&_section]:max-h-[80dvh]">
      <WordDifferences
        before={{ label: `Until ${when}`, text: textWithout("added") }}
        after={{ label: `From ${when}`, text: textWithout("removed") }}
      />
    </div>
  );
}

/** The page, whose links lead to other pages at the same time. Nothing in it runs or is sent. */
function Frame({ copy, files, moment }: Omit<Opened, "earlier">) {
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
      const [path = "", hash = ""] = href.split("#");
      if (path.startsWith("/")) {
        navigate(archive.archiveUrl({ at: moment, path }), { state: staysInPlace });
      } else if (path.startsWith("blob:")) {
        // A PDF. The frame itself may not download.
        Object.assign(document.createElement("a"), { href: path, download: "file.pdf" }).click();
      } else if (!path) shown.getElementById(hash)?.scrollIntoView();
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
function withOwnFiles(digest: string | null, files: readonly archive.StoredFile[]) {
  const urls = new Map<string, string>();
  const textOf = ({ bytes }: archive.StoredFile) =>
    new TextDecoder()
      .decode(bytes)
      .replace(
        /(?:\.\.\/files\/)?\b([0-9a-f]{64})\.[a-z0-9]+/g,
        (name, hash) => urls.get(hash) ?? name,
      );
  const isSheet = ({ type }: archive.StoredFile) => type === "text/css";
  // Style sheets last, because they name the others.
  for (const file of files.toSorted((a, b) => Number(isSheet(a)) - Number(isSheet(b)))) {
    const content = isSheet(file) ? textOf(file) : file.bytes;
    urls.set(file.hash, URL.createObjectURL(new Blob([content], { type: file.type })));
  }
  const page = files.find(({ hash }) => hash === digest);
  // A link that is not followed above opens nothing, so the frame never shows the site of today.
  const html = page ? textOf(page).replace(/<head[^>]*>/, '$&<base target="_blank"/>') : "";
  return { html, urls };
}
