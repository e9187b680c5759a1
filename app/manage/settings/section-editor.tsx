import { ArrowLeft } from "lucide";
import {
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { Link } from "react-router";
import { toPublicSite } from "../../config/public-site.ts";
import { completeSettings } from "../../config/site.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { Icon } from "../../ui/icon.ts";
import { MailStatus } from "../checks/mail-status.tsx";
import { keepBackup, readBackup } from "../draft-backup.ts";
import { DraftSession } from "../draft-session.ts";
import { LeaveGuard } from "../leave-guard.tsx";
import { SamplesPanel } from "../samples/samples-panel.tsx";
import { Conflict } from "./conflict.tsx";
import { type AnyDocument, fitDocument, isSameDocument, tidy } from "./fit-document.ts";
import { History } from "./history.tsx";
import { Preview } from "./preview.tsx";
import { PublishBar } from "./publish-bar.tsx";
import { SectionForm } from "./section-form.tsx";
import { isSectionName, sections } from "./sections.ts";
import {
  newestDocuments,
  publishedDocuments,
  type StoredSettings,
  saveDraft,
} from "./settings-store.ts";
import { usePublishing } from "./use-publishing.ts";

interface SectionEditorProps {
  section: string;
  stored: StoredSettings;
}

/** Edits the settings of one section. Loaded only for a signed-in user. */
export default function SectionEditor({ section, stored }: SectionEditorProps) {
  // The route answers other names with 404.
  return isSectionName(section) ? <Editor section={section} stored={stored} /> : null;
}

function Editor({ section, stored }: { section: SectionName; stored: StoredSettings }) {
  const { title, summary, pages } = sections[section];
  const start: AnyDocument = completeSettings(publishedDocuments(stored))[section];
  const [session] = useState(() => openSession(section, start, stored));
  const state = useSyncExternalStore(session.subscribe, session.getState);
  const [announcement, setAnnouncement] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  const publishing = usePublishing({ section, session, start });

  useFollowStored({ section, session, stored, start, refresh: publishing.refresh });
  useEffect(() => {
    const retry = () => void session.flush();
    window.addEventListener("online", retry);
    return () => {
      window.removeEventListener("online", retry);
      session.close();
    };
  }, [session]);

  const shown = useDeferredValue(state.document);
  const site = useMemo(
    () => toPublicSite(completeSettings({ ...newestDocuments(stored), [section]: shown })),
    [stored, section, shown],
  );

  return (
    <div className="wrap py-10 md:py-14">
      <LeaveGuard
        hasUnsavedChanges={() => {
          // Starts before the next page reads the drafts, which waits for it.
          void session.flush();
          return ["failed", "conflict"].includes(state.status);
        }}
        title="Leave before this is saved?"
        text="What you changed is not on the server yet. This browser keeps it and saves it when you open this form again."
        confirm="Leave"
      />
      <Link
        to="/manage/settings"
        className="inline-flex min-h-11 items-center gap-2 font-semibold text-evergreen underline-offset-4 hover:underline"
      >
        <Icon drawing={ArrowLeft} className="size-4" />
        All settings
      </Link>
      <h1 ref={heading} tabIndex={-1} className="mt-3 text-3xl outline-none">
        {title}
      </h1>
      <p className="mt-3 text-lg text-muted">{summary}</p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <div
        className={`mt-8 grid gap-10 ${pages.length > 0 ? "lg:grid-cols-[minmax(0,1fr)_24.5rem]" : "max-w-3xl"}`}
      >
        <div className="min-w-0">
          {state.status === "conflict" && (
            <Conflict
              section={section}
              mine={state.document}
              other={state.other}
              published={start}
              onKeepMine={() => {
                session.keepMine();
                heading.current?.focus();
              }}
              onUseOther={() => {
                const { other } = state;
                if (other) session.replace(other.document, other.savedAt);
                else {
                  session.replace(start, null);
                  publishing.refresh();
                }
                heading.current?.focus();
              }}
            />
          )}
          <SectionForm
            section={section}
            document={state.document}
            problems={publishing.problems}
            showAll={publishing.wasChecked}
            onChange={(document) => {
              publishing.forgetRejection();
              session.change(document);
            }}
          />
          <div className="mt-10 empty:hidden">
            {section === "mail" && <MailStatus />}
            {section === "site" && <SamplesPanel />}
          </div>
          <PublishBar
            state={state}
            publishedAt={stored.published[section]?.publishedAt ?? null}
            publishing={publishing}
          />
          <History
            section={section}
            hasDraft={state.status !== "unchanged"}
            publishedAt={stored.published[section]?.publishedAt ?? null}
            onRestore={(document) => {
              session.change(fitDocument(section, document));
              setAnnouncement("The earlier version is your draft now.");
              heading.current?.focus();
            }}
          />
        </div>
        {pages.length > 0 && <Preview pages={pages} site={site} />}
      </div>
    </div>
  );
}

function openSession(
  section: SectionName,
  start: AnyDocument,
  { drafts }: StoredSettings,
): DraftSession<AnyDocument> {
  const draft = drafts[section];
  const backupKey = `settings-draft:${section}`;
  return new DraftSession<AnyDocument>({
    start,
    stored: draft
      ? { document: fitDocument(section, draft.document), savedAt: draft.savedAt }
      : null,
    backup: readBackup(backupKey, (kept) => fitDocument(section, kept)),
    save: async (document, replaced) => {
      const result = await saveDraft(section, tidy(document), replaced);
      if ("savedAt" in result) return result;
      const other = result.conflict;
      return { conflict: other && { ...other, document: fitDocument(section, other.document) } };
    },
    isSame: (a, b) => isSameDocument(section, tidy(a), tidy(b)),
    keepBackup: (backup) => keepBackup(backupKey, backup),
  });
}

interface FollowOptions {
  section: SectionName;
  session: DraftSession<AnyDocument>;
  stored: StoredSettings;
  start: AnyDocument;
  refresh: () => void;
}

/** Reloads when the owner returns to this window, and shows what another window saved unless it changed something here. */
function useFollowStored({ section, session, stored, start, refresh }: FollowOptions): void {
  const before = useRef(session.getState());
  const latest = useRef({ refresh, start });
  latest.current = { refresh, start };

  useEffect(() => {
    function onVisible() {
      const state = session.getState();
      if (document.visibilityState !== "visible" || !isSettled(state.status)) return;
      before.current = state;
      latest.current.refresh();
    }
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [session]);

  useEffect(() => {
    const state = session.getState();
    // A save since the request makes its response outdated.
    if (state !== before.current || !isSettled(state.status)) return;
    const draft = stored.drafts[section];
    if ((draft?.savedAt ?? null) === state.savedAt) return;
    session.replace(
      draft ? fitDocument(section, draft.document) : latest.current.start,
      draft?.savedAt ?? null,
    );
  }, [session, section, stored]);
}

function isSettled(status: string): boolean {
  return status === "saved" || status === "unchanged";
}
