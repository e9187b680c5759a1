import { useState } from "react";
import { z } from "zod";
import { useSite } from "../../config/use-site.ts";
import { generatedTagline } from "../../posts/post-content.ts";
import type { Client } from "../../supabase/client-context.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import { Button } from "../button.tsx";
import { readableText } from "../content/marked-blocks.ts";
import { formatMoment } from "../format-moment.ts";
import { useLiveQuery } from "../live-query.ts";
import { WordDifferences } from "../merge/word-differences.tsx";
import { Alert, SelectField } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { formatSignature, VersionList, versionsPerPage } from "../version-list.tsx";
import type { PostDraft } from "./post-schema.ts";
import {
  type PostDocument,
  type PostVersion,
  readPostVersion,
  type Thing,
} from "./stored-posts.ts";

/** What the history shows, without what was submitted and decided. */
const historyEvents = [
  "draft",
  "restored",
  "scheduled",
  "published",
  "unpublished",
  "deleted",
  "removed",
] as const;

const versionSchema = z.object({
  number: z.number(),
  event: z.enum(historyEvents),
  at: z.string(),
  by_name: z.nullable(z.string()),
  by_email: z.nullable(z.string()),
});
type ListedVersion = z.infer<typeof versionSchema>;

/** Without their texts, newest first; one more than `versionsPerPage` when there are more. */
async function listPostVersions(
  client: Client,
  { id, kind }: Thing,
  first: number,
): Promise<ListedVersion[]> {
  const { data } = await client
    .from("versions")
    .select("number, event, at, by_name, by_email")
    .eq("kind", kind.name)
    .eq("thing", id)
    .in("event", historyEvents)
    .order("number", { ascending: false })
    .range(first, first + versionsPerPage)
    .throwOnError();
  return z.array(versionSchema).parse(data);
}

function versionText({ title, category, tagline, content }: PostDocument): string {
  const ownTagline = tagline === generatedTagline(title) ? "" : tagline;
  return textOf([title, category, ownTagline, readableText(content)]);
}

function textOf(parts: string[]): string {
  return parts.filter(Boolean).join("\n\n");
}

interface PostHistoryProps {
  thing: Thing;
  /** A changed value makes the list load again. */
  savedAt: string | null;
  current: PostDraft;
  onRestore: (version: PostVersion) => Promise<void>;
}

export function PostHistory({ thing, savedAt, current, onRestore }: PostHistoryProps) {
  const [compared, setCompared] = useState<number | null>(null);
  return (
    <VersionList
      heading="History"
      empty="Nothing was saved yet. Each version that you save, schedule or publish is kept here."
      read={(client, first) => listPostVersions(client, thing, first)}
      loadedFor={`${thing.id} ${savedAt}`}
    >
      {({ versions }) =>
        versions.map((version) => (
          <VersionItem
            key={version.number}
            version={version}
            versions={versions}
            current={current}
            isOpen={compared === version.number}
            onToggle={() => setCompared(compared === version.number ? null : version.number)}
            onRestore={onRestore}
          />
        ))
      }
    </VersionList>
  );
}

const eventNames: Record<ListedVersion["event"], string> = {
  draft: "Saved as a draft",
  restored: "Restored as a draft",
  scheduled: "Scheduled",
  published: "Published",
  unpublished: "Hidden",
  deleted: "Deleted",
  removed: "Deleted for good",
};

interface VersionItemProps {
  version: ListedVersion;
  versions: readonly ListedVersion[];
  current: PostDraft;
  isOpen: boolean;
  onToggle: () => void;
  onRestore: (version: PostVersion) => Promise<void>;
}

function VersionItem(props: VersionItemProps) {
  const { version, versions, current, isOpen, onToggle, onRestore } = props;
  const { timeZone } = useSite().contact;
  const { isRunning, failure, run } = useAction();
  const when = formatMoment(version.at, timeZone);
  const by = formatSignature(version);

  const restore = () =>
    run(async (client) => onRestore(await readPostVersion(client, version.number)), null, {
      title: "The version could not be restored",
      description: "Check your connection and try again.",
    });

  return (
    <li className="p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-56">
          <span className="font-semibold">{when}</span>
          <span className="block text-sm text-muted wrap-anywhere">
            {`${eventNames[version.event]}${by ? ` by ${by}` : ""}`}
          </span>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button of={`the version of ${when}`} aria-expanded={isOpen} onClick={onToggle}>
            Compare
          </Button>
          <Button of={`the version of ${when}`} disabled={isRunning} onClick={restore}>
            Restore
          </Button>
        </div>
      </div>
      <Alert text={failure} />
      {isOpen && (
        <Comparison version={version} versions={versions} current={current} timeZone={timeZone} />
      )}
    </li>
  );
}

interface ComparisonProps {
  version: ListedVersion;
  versions: readonly ListedVersion[];
  current: PostDraft;
  timeZone: string;
}

function Comparison({ version, versions, current, timeZone }: ComparisonProps) {
  const [otherId, setOtherId] = useState<number | null>(null);
  return (
    <div className="mt-4">
      <div className="mb-4">
        <SelectField
          label="Changes from this version to"
          value={otherId ?? ""}
          none="what the editor shows now"
          options={versions
            .filter((other) => other.number !== version.number)
            .map(({ number, event, at }) => [
              String(number),
              `${eventNames[event]}, ${formatMoment(at, timeZone)}`,
            ])}
          onChange={({ target }) => setOtherId(target.value ? Number(target.value) : null)}
        />
      </div>
      <Differences key={otherId} ids={[version.number, otherId]} current={current} />
    </div>
  );
}

interface DifferencesProps {
  /** The version, and the one that it is compared with; null stands for the editor. */
  ids: [number, number | null];
  current: PostDraft;
}

function Differences({ ids: [id, otherId], current }: DifferencesProps) {
  const { value, failures, retry } = useLiveQuery({
    key: ["versions", id, otherId],
    read: (client) => {
      const other = otherId === null ? null : readPostVersion(client, otherId);
      return Promise.all([readPostVersion(client, id), other]);
    },
  });
  if (failures > 0) return <LoadFailure what="The version" onRetry={retry} />;
  if (!value) {
    return (
      <p role="status" className="text-muted">
        Loading...
      </p>
    );
  }
  const [version, other] = value;
  const { title, category, tagline, content } = current;
  return (
    <WordDifferences
      before={{ label: "This version", text: versionText(version.document) }}
      after={
        other
          ? { label: "The other version", text: versionText(other.document) }
          : { label: "The editor", text: textOf([title, category, tagline, readableText(content)]) }
      }
    />
  );
}
