import { Download } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { SignInAgain } from "../account/sign-in-again.tsx";
import { Button } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { listClass } from "../list-toolbar.tsx";
import { useReload } from "../live-query.ts";
import { PageData, PageFrame } from "../manage-frame.tsx";
import { useAction } from "../use-action.ts";
import { describeBackups } from "./backup-line.tsx";
import {
  allowDownload,
  type BackupList,
  backupsQuery,
  type StoredBackup,
  startBackup,
} from "./backups.ts";
import { BucketPart } from "./bucket-part.tsx";

/** How often the list is read while a backup is made, in milliseconds. */
const pollInterval = 2000;

export default function BackupsPage() {
  return (
    <PageData query={backupsQuery}>
      {(list) => (
        <PageFrame>
          {list ? (
            <Backups list={list} />
          ) : (
            <p className="mt-1 max-w-2xl text-muted">
              The platform of your database makes the backups. Look at its dashboard.
            </p>
          )}
        </PageFrame>
      )}
    </PageData>
  );
}

function Backups({ list }: { list: BackupList }) {
  const { timeZone } = useSite().contact;
  const [chosen, setChosen] = useState<StoredBackup>();
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const { isRunning, run } = useAction();
  const reload = useReload();

  useEffect(() => {
    if (!list.isRunning) return;
    const timer = setInterval(reload, pollInterval);
    return () => clearInterval(timer);
  }, [list.isRunning, reload]);

  function start() {
    void run(
      async (client) => {
        await startBackup(client);
        await reload();
      },
      null,
      { title: "No backup was made" },
    );
  }

  function choose(backup: StoredBackup) {
    setChosen(backup);
    dialog.current?.showModal();
  }

  return (
    <>
      <p className="mt-1 max-w-2xl text-muted">
        Every night the site saves all it has: texts, images, messages, accounts. The last seven
        days and four weeks are kept. Download one from time to time, in case its machine is lost.
      </p>
      <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-3">
        <p role="status">
          {list.isRunning
            ? "A backup is being made. You can go on with your work."
            : describeBackups(list, timeZone)}
        </p>
        <Button
          // A disabled button would lose the keyboard focus.
          aria-disabled={isRunning || list.isRunning}
          onClick={() => list.isRunning || start()}
        >
          {list.isRunning ? "Backing up..." : "Back up now"}
        </Button>
      </div>
      {list.backup?.problem && (
        <p className="mt-3 font-medium text-danger">
          {`The last attempt failed ${formatMoment(list.backup.at, timeZone)}: ${list.backup.problem}.`}
        </p>
      )}
      {list.backups.length > 0 && (
        <ul aria-label="Backups" className={`mt-4 ${listClass}`}>
          {list.backups.map((backup) => {
            const moment = formatMoment(backup.madeAt, timeZone);
            return (
              <li
                key={backup.name}
                className="flex items-center justify-between gap-4 px-4 py-2.5 sm:px-5"
              >
                <span className="flex flex-wrap items-baseline gap-x-3">
                  <span>{moment}</span>
                  <span className="text-sm text-muted">{describeSize(backup.bytes)}</span>
                </span>
                <Button of={`the backup of ${moment}`} onClick={() => choose(backup)}>
                  <Icon drawing={Download} className="size-4" />
                  <span>Download</span>
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      <BucketPart list={list} />
      {/* The browser streams the response to the disk. */}
      <form ref={form} method="post" action="/manage/backups/download" hidden />
      <SignInAgain
        ref={dialog}
        title="Download this backup?"
        text="It has everything, also what clients wrote to you and the keys of the site. Keep it where only you can open it."
        confirm="Download"
        onSignedIn={async (client) => {
          await allowDownload(client, chosen?.name ?? "");
          form.current?.submit();
        }}
      />
    </>
  );
}

function describeSize(bytes: number): string {
  const megabytes = bytes / 1024 ** 2;
  return megabytes < 0.1 ? "less than 0.1 MB" : `${megabytes.toFixed(1)} MB`;
}
