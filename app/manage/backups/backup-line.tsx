import { useSite } from "../../config/use-site.ts";
import { TextLink } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { useLiveQuery } from "../live-query.ts";
import { type BackupList, backupsQuery } from "./backups.ts";

/** When the last backup was made and tried. Nothing with a hosted project. */
export function BackupLine() {
  const { value: list } = useLiveQuery(backupsQuery);
  const { timeZone } = useSite().contact;
  if (!list) return null;
  return (
    <p className="mt-10 flex flex-wrap gap-x-2 text-sm text-muted">
      <span>{describeBackups(list, timeZone)}</span>
      <TextLink to="/manage/backups">Backups</TextLink>
    </p>
  );
}

export function describeBackups({ backups, trial }: BackupList, timeZone: string): string {
  const [newest] = backups;
  if (!newest) return "The first backup is made tonight.";
  const made = `Last backup: ${formatMoment(newest.madeAt, timeZone)}.`;
  if (!trial) return made;
  const tried = formatMoment(trial.at, timeZone);
  return trial.problem
    ? `${made} A restore was tried on ${tried} and failed: ${trial.problem}.`
    : `${made} A restore was tried on ${tried} and worked.`;
}
