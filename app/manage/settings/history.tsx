import { ChevronDown } from "lucide";
import { useEffect, useRef, useState } from "react";
import { defaultSettings } from "../../config/site.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Icon } from "../../ui/icon.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import { formatMoment } from "../format-moment.ts";
import { readPeopleNames } from "../people-names.ts";
import { describeChanges } from "./describe-changes.ts";
import { listVersions, type Version, versionsPerPage } from "./settings-store.ts";

interface HistoryProps {
  section: SectionName;
  /** Whether restoring a version replaces a draft. */
  hasDraft: boolean;
  /** When the newest version was published. A change loads the list again. */
  publishedAt: string | null;
  onRestore: (document: unknown) => void;
}

/** The published versions of a section, newest first. */
export function History({ section, hasDraft, publishedAt, onRestore }: HistoryProps) {
  const [open, setOpen] = useState(false);
  const [versions, setVersions] = useState<Version[]>();
  const [publishers, setPublishers] = useState<ReadonlyMap<string, string>>(new Map());
  const [hasMore, setHasMore] = useState(false);
  const [status, setStatus] = useState<"idle" | "loading" | "failed">("idle");
  const [chosen, setChosen] = useState<Version>();
  const dialog = useRef<HTMLDialogElement>(null);
  const { timeZone } = useSite().contact;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is a new function in each rendering.
  useEffect(() => {
    if (open) load([]);
  }, [open, section, publishedAt]);

  /** @param known the versions that are shown already */
  async function load(known: Version[]): Promise<void> {
    setStatus("loading");
    try {
      const [read, people] = await Promise.all([
        listVersions(section, known.length),
        readPeopleNames(await getBrowserClient()),
      ]);
      setPublishers(people);
      setVersions([...known, ...read.slice(0, versionsPerPage)]);
      setHasMore(read.length > versionsPerPage);
      setStatus("idle");
    } catch (error) {
      console.error("Loading the history failed", error);
      setStatus("failed");
    }
  }

  function restore(version: Version): void {
    if (!hasDraft) {
      onRestore(version.document);
      return;
    }
    setChosen(version);
    dialog.current?.showModal();
  }

  return (
    <section className="mt-8">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="group flex min-h-11 items-center gap-2 font-sans text-base font-semibold text-evergreen"
        >
          <Icon
            drawing={ChevronDown}
            className={`size-5 transition-transform ${open ? "rotate-180" : ""}`}
          />
          Earlier versions
        </button>
      </h2>
      {open && (
        <>
          {versions?.length === 0 && (
            <p className="mt-2 text-muted">
              Nothing was published yet. Each version that you publish is kept here.
            </p>
          )}
          {versions && versions.length > 0 && (
            <ol className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface">
              {versions.map((version, index) => (
                <VersionItem
                  key={version.id}
                  when={formatMoment(version.publishedAt, timeZone)}
                  publisher={publishers.get(version.publishedBy ?? "")}
                  isCurrent={index === 0}
                  changes={changesOf(section, version, versions[index + 1], hasMore)}
                  onRestore={() => restore(version)}
                />
              ))}
            </ol>
          )}
          {status === "failed" && (
            <LoadFailure
              what="The earlier versions"
              onRetry={() => load(versions ?? [])}
              className="mt-3"
            />
          )}
          {status === "loading" && (
            <p role="status" className="mt-3 text-muted">
              Loading versions...
            </p>
          )}
          {hasMore && status === "idle" && (
            <button
              type="button"
              className={`${buttonClass("secondary", "small")} mt-3`}
              onClick={() => load(versions ?? [])}
            >
              Show older versions
            </button>
          )}
        </>
      )}
      <ConfirmDialog
        ref={dialog}
        title="Replace your draft?"
        text="The earlier version becomes your draft. What you changed since the last publication is lost."
        confirm="Replace it"
        onConfirm={() => {
          dialog.current?.close();
          if (chosen) onRestore(chosen.document);
        }}
      />
    </section>
  );
}

interface VersionItemProps {
  when: string;
  /** Undefined when the person no longer manages the site. */
  publisher: string | undefined;
  isCurrent: boolean;
  /** Null when the version before is not loaded. */
  changes: string[] | null;
  onRestore: () => void;
}

function VersionItem({ when, publisher, isCurrent, changes, onRestore }: VersionItemProps) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">
          {when}
          <span className="font-normal text-muted">
            {publisher && ` by ${publisher}`}
            {isCurrent && " · on the site now"}
          </span>
        </p>
        {changes && (
          <ul className="mt-1 space-y-1 text-sm [overflow-wrap:anywhere]">
            {changes.length === 0 && <li className="text-muted">Nothing changed.</li>}
            {changes.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </div>
      {!isCurrent && (
        <button type="button" className={buttonClass("secondary", "small")} onClick={onRestore}>
          Restore<span className="sr-only"> the version of {when}</span>
        </button>
      )}
    </li>
  );
}

function changesOf(
  section: SectionName,
  version: Version,
  before: Version | undefined,
  hasMore: boolean,
): string[] | null {
  if (!before && hasMore) return null;
  return describeChanges(section, before?.document ?? defaultSettings[section], version.document);
}
