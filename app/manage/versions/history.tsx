import { ChevronDown } from "lucide";
import { useEffect, useState } from "react";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Json } from "../../supabase/database.ts";
import { Icon } from "../../ui/icon.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import { Button } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { useLiveQuery } from "../live-query.ts";
import { Alert, SelectField } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import {
  formatSignature,
  type ListedVersion,
  listVersions,
  readVersion,
  type Thing,
} from "./content-store.ts";
import type { Difference, DocumentFormat } from "./document-format.ts";
import { WordDifferences } from "./word-differences.tsx";

/** What happened, in the order of a life. What was submitted and decided is shown with the approval. */
const eventNames = {
  draft: "Saved as a draft",
  restored: "Restored as a draft",
  scheduled: "Scheduled",
  published: "Published",
  unpublished: "Hidden",
  deleted: "Deleted",
  removed: "Deleted for good",
} as const;
const events = keysOf(eventNames);
const versionsPerPage = 10;

interface HistoryProps<Document> {
  thing: Thing;
  format: DocumentFormat<Document>;
  heading: string;
  empty: string;
  /** What the form shows. */
  current: Document;
  /** What was public before the first version; undefined for nothing. */
  first?: Document;
  /** A changed value makes the list load again. */
  loadedFor: string | number | null;
  onRestore: (number: number, stored: Json) => Promise<void>;
  className?: string;
}

/** The versions of something, newest first: what each one changed, how it differs from others, and the way back to it. */
export function History<Document>(props: HistoryProps<Document>) {
  const { thing, heading, empty, loadedFor, className = "mt-8" } = props;
  const [isOpen, setOpen] = useState(false);
  const [loaded, setLoaded] = useState<{ versions: ListedVersion[]; hasMore: boolean }>();
  const [status, setStatus] = useState<"idle" | "loading" | "failed">("idle");

  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is a new function in each rendering.
  useEffect(() => {
    if (isOpen) load([]);
  }, [isOpen, thing.thing, loadedFor]);

  /** @param known the versions that are shown already */
  async function load(known: readonly ListedVersion[]): Promise<void> {
    setStatus("loading");
    try {
      const range = { first: known.length, count: versionsPerPage + 1 };
      const page = await listVersions(await getBrowserClient(), thing, events, range);
      const versions = [...known, ...page.slice(0, versionsPerPage)];
      setLoaded({ versions, hasMore: page.length > versionsPerPage });
      setStatus("idle");
    } catch (error) {
      console.error("Loading the history failed", error);
      setStatus("failed");
    }
  }

  const versions = loaded?.versions ?? [];
  const loadMore = () => load(versions);
  const newestPublic = versions.find(isPublic);
  return (
    <section className={className}>
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-11 items-center gap-2 font-sans text-base font-semibold text-evergreen"
        >
          <Icon
            drawing={ChevronDown}
            className={`size-5 transition-transform ${isOpen ? "rotate-180" : ""}`}
          />
          <span>{heading}</span>
        </button>
      </h2>
      {isOpen && (
        <>
          {loaded && versions.length === 0 && <p className="mt-2 text-muted">{empty}</p>}
          {versions.length > 0 && (
            <ol className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface">
              {versions.map((version, index) => (
                <VersionItem
                  key={version.number}
                  {...props}
                  version={version}
                  before={versionBefore(version, versions.slice(index + 1))}
                  isOldest={!loaded?.hasMore}
                  isOnSite={version === newestPublic && version.event === "published"}
                  versions={versions}
                />
              ))}
            </ol>
          )}
          {status === "failed" && (
            <LoadFailure what="The earlier versions" onRetry={loadMore} className="mt-3" />
          )}
          {status === "loading" && (
            <p role="status" className="mt-3 text-muted">
              Loading versions...
            </p>
          )}
          {loaded?.hasMore && status === "idle" && (
            <Button className="mt-3" onClick={loadMore}>
              Show older versions
            </Button>
          )}
        </>
      )}
    </section>
  );
}

const isPublic = ({ event }: ListedVersion) =>
  ["published", "unpublished", "deleted"].includes(event);

/** The version that another one changed: of a publication, what was public before. @param older newest first */
function versionBefore(
  version: ListedVersion,
  older: readonly ListedVersion[],
): ListedVersion | undefined {
  return version.event === "published" ? older.find(isPublic) : older[0];
}

/** Only these events are read. */
const eventName = (event: string) => eventNames[event as keyof typeof eventNames];

function nameOf({ event, at }: ListedVersion, timeZone: string): string {
  return `${eventName(event)}, ${formatMoment(at, timeZone)}`;
}

interface VersionItemProps<Document> extends HistoryProps<Document> {
  version: ListedVersion;
  before: ListedVersion | undefined;
  /** Whether no older versions are stored than those that are shown. */
  isOldest: boolean;
  isOnSite: boolean;
  versions: readonly ListedVersion[];
}

function VersionItem<Document>(props: VersionItemProps<Document>) {
  const { version, isOnSite, onRestore } = props;
  const [isComparing, setComparing] = useState(false);
  const { timeZone } = useSite().contact;
  const { isRunning, failure, run } = useAction();
  const when = formatMoment(version.at, timeZone);
  const by = formatSignature(version);
  const changes = useChanges(props);

  const restore = () =>
    run(
      async (client) => onRestore(version.number, await readVersion(client, version.number)),
      null,
      {
        title: "The version could not be restored",
        description: "Check your connection and try again.",
      },
    );

  return (
    <li className="p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-56">
          <p>
            <span className="font-semibold">{when}</span>
            <span className="block text-sm text-muted wrap-anywhere">
              {`${eventName(version.event)}${by ? ` by ${by}` : ""}${isOnSite ? " · on the site now" : ""}`}
            </span>
          </p>
          {changes && (
            <ul className="mt-1 space-y-1 text-sm wrap-anywhere">
              {changes.map(({ name, summary }) => (
                <li key={`${name} ${summary}`}>{`${name}: ${summary}`}</li>
              ))}
            </ul>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            of={`the version of ${when}`}
            aria-expanded={isComparing}
            onClick={() => setComparing(!isComparing)}
          >
            Compare
          </Button>
          {version.event !== "removed" && (
            <Button of={`the version of ${when}`} disabled={isRunning} onClick={restore}>
              Restore
            </Button>
          )}
        </div>
      </div>
      <Alert text={failure} />
      {isComparing && <Comparison {...props} />}
    </li>
  );
}

/** @returns what the version changed; undefined while it is not known, and where there is nothing to compare with */
function useChanges<Document>(props: VersionItemProps<Document>): Difference[] | undefined {
  const { version, before, isOldest, format, first } = props;
  const own = useDocument(format, version.number);
  const other = useDocument(format, before?.number ?? null);
  const from = before ? other.value : isOldest ? first : undefined;
  if (!own.value || !from || ["deleted", "removed"].includes(version.event)) return undefined;
  return format.compare(from, own.value);
}

function useDocument<Document>(format: DocumentFormat<Document>, number: number | null) {
  return useLiveQuery({
    key: ["the version", number],
    read: async (client) =>
      number === null ? null : format.read(await readVersion(client, number)),
  });
}

function Comparison<Document>(props: VersionItemProps<Document>) {
  const { version, versions, format, current } = props;
  const { timeZone } = useSite().contact;
  const [chosen, setChosen] = useState<number | null>(null);
  const own = useDocument(format, version.number);
  const other = useDocument(format, chosen);
  const after = chosen === null ? current : other.isPrevious ? null : other.value;
  const failed = [own, other].find(({ failures }) => failures > 0);
  return (
    <div className="mt-4">
      <SelectField
        label="Changes from this version to"
        value={chosen ?? ""}
        none="what the form shows now"
        options={versions
          .filter((other) => other.number !== version.number)
          .map((other) => [String(other.number), nameOf(other, timeZone)])}
        onChange={({ target }) => setChosen(target.value ? Number(target.value) : null)}
      />
      {failed ? (
        <LoadFailure what="The version" onRetry={failed.retry} />
      ) : own.value && after ? (
        <Differences
          list={format.compare(own.value, after)}
          labels={["This version", chosen === null ? "The form" : "The other version"]}
        />
      ) : (
        <p role="status" className="mt-4 text-muted">
          Loading...
        </p>
      )}
    </div>
  );
}

interface DifferencesProps {
  list: readonly Difference[];
  labels: [string, string];
}

function Differences({ list, labels: [before, after] }: DifferencesProps) {
  if (list.length === 0) return <p className="mt-4 text-muted">They are the same.</p>;
  return list.map((difference) => (
    <div key={`${difference.name} ${difference.summary}`} className="mt-4">
      <h3 className="font-sans text-base font-semibold">{difference.name}</h3>
      <WordDifferences
        before={{ label: before, text: difference.before }}
        after={{ label: after, text: difference.after }}
      />
    </div>
  ));
}
