import { useRef, useState } from "react";
import { defaultSettings } from "../../config/site.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { useSite } from "../../config/use-site.ts";
import { Button } from "../button.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { formatMoment } from "../format-moment.ts";
import { formatSignature, VersionList } from "../version-list.tsx";
import { describeChanges } from "./describe-changes.ts";
import { fitDocument } from "./fields.ts";
import { listVersions, type Version } from "./settings-store.ts";
import type { SectionDraft } from "./use-section-draft.ts";

interface HistoryProps {
  draft: SectionDraft;
  /** The time of the newest publication. A changed value makes the list load again. */
  publishedAt: string | null;
  onRestored: () => void;
}

export function History({ draft, publishedAt, onRestored }: HistoryProps) {
  const { section } = draft;
  const [chosen, setChosen] = useState<Version>();
  const dialog = useRef<HTMLDialogElement>(null);
  const { timeZone } = useSite().contact;

  function restore(version: Version): void {
    draft.change(fitDocument(section, version.document));
    onRestored();
  }

  function ask(version: Version): void {
    setChosen(version);
    dialog.current?.showModal();
  }

  return (
    <>
      <VersionList
        heading="Earlier versions"
        empty="Nothing was published yet. Each version that you publish is kept here."
        read={(client, first) => listVersions(client, section, first)}
        loadedFor={`${section} ${publishedAt}`}
      >
        {({ versions, hasMore }) =>
          versions.map((version, index) => (
            <VersionItem
              key={version.number}
              when={formatMoment(version.at, timeZone)}
              publisher={formatSignature(version)}
              isCurrent={index === 0}
              changes={changesOf(section, version, versions[index + 1], hasMore)}
              onRestore={() =>
                draft.state.status === "unchanged" ? restore(version) : ask(version)
              }
            />
          ))
        }
      </VersionList>
      <ConfirmDialog
        ref={dialog}
        title="Replace your draft?"
        text="The earlier version becomes your draft. What you changed since the last publication is lost."
        confirm="Replace it"
        onConfirm={() => {
          dialog.current?.close();
          if (chosen) restore(chosen);
        }}
      />
    </>
  );
}

interface VersionItemProps {
  when: string;
  /** Who published it; empty when no account did. */
  publisher: string;
  isCurrent: boolean;
  /** The changes since the version before; null while that is not loaded. */
  changes: string[] | null;
  onRestore: () => void;
}

function VersionItem({ when, publisher, isCurrent, changes, onRestore }: VersionItemProps) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold wrap-anywhere">
          <span>{when}</span>
          <span className="font-normal text-muted">
            {`${publisher ? ` by ${publisher}` : ""}${isCurrent ? " · on the site now" : ""}`}
          </span>
        </p>
        {changes && (
          <ul className="mt-1 space-y-1 text-sm wrap-anywhere">
            {changes.length === 0 && <li className="text-muted">Nothing changed.</li>}
            {changes.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </div>
      {!isCurrent && (
        <Button of={`the version of ${when}`} onClick={onRestore}>
          Restore
        </Button>
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
