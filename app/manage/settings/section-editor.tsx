import { type FocusEvent, useDeferredValue, useMemo, useState } from "react";
import { type Params, data as response, useParams } from "react-router";
import { dayIn } from "../../../supabase/functions/_shared/licenses.ts";
import { toPublicSite } from "../../config/public-site.ts";
import { completeSettings, isPublicAddress } from "../../config/site.ts";
import { isSectionName, type SectionName, type SiteSettings } from "../../config/site-schema.ts";
import { useSite } from "../../config/use-site.ts";
import { SiteAddress } from "../checks/site-address.tsx";
import { useLiveQuery } from "../live-query.ts";
import { MailServicePanel } from "../mail/mail-service-panel.tsx";
import { Outbox } from "../mail/outbox.tsx";
import { Failure, focusHeading, Loading, PageFrame } from "../manage-frame.tsx";
import { RetentionNote } from "../retention-note.tsx";
import { SamplesPanel } from "../samples/samples-panel.tsx";
import { ApprovalPanel } from "../versions/approval.tsx";
import { History } from "../versions/history.tsx";
import { type AnyDocument, infoOf, withOwnTimeZone } from "./fields.ts";
import { OtherSections } from "./other-sections.tsx";
import { OutdatedContact } from "./outdated-contact.tsx";
import { BesidePreview, previewPages } from "./preview.tsx";
import { PublishBar } from "./publish-bar.tsx";
import { LeaveGuardOf, SectionForm } from "./section-form.tsx";
import {
  newestDocuments,
  publishedDocuments,
  type StoredSettings,
  sectionThing,
  settingsQuery,
} from "./settings-store.ts";
import { useSectionDraft } from "./use-section-draft.ts";

export function check({ section }: Params): void {
  if (!isSectionName(section)) throw response(null, { status: 404 });
}

export function titleAt(_search: string, { section }: Params): string {
  return isSectionName(section) ? infoOf(section).label : "Settings";
}

export default function SectionPage() {
  const { section } = useParams();
  // Each section reads the settings again, with what the one before has saved.
  return isSectionName(section) && <Section key={section} section={section} />;
}

function Section({ section }: { section: SectionName }) {
  const { value: stored, failures, retry } = useLiveQuery(settingsQuery);
  if (stored) return <SectionEditor section={section} stored={stored} />;
  return (
    <PageFrame heading={infoOf(section).label} lead={infoOf(section).help}>
      <div className="mt-8">
        {failures > 0 ? <Failure failures={failures} retry={retry} /> : <Loading />}
      </div>
    </PageFrame>
  );
}

/** A new notice is for seven days. */
function startOf(section: SectionName, settings: SiteSettings): AnyDocument {
  const { notice, contact } = settings;
  const dayAfter = (days: number) => dayIn(contact.timeZone, Date.now() + days * 86_400_000);
  const hasEnded = notice.lastDay !== "" && notice.lastDay < dayAfter(0);
  if (section !== "notice" || (notice.text && !hasEnded)) return settings[section];
  return { ...notice, text: "", link: "", firstDay: dayAfter(0), lastDay: dayAfter(7) };
}

function SectionEditor({ section, stored }: { section: SectionName; stored: StoredSettings }) {
  const { label, help } = infoOf(section);
  const published = useSite();
  const pages = previewPages(section, published);
  const { stored: content, ownPages } = published;
  const draft = useSectionDraft({
    section,
    settings: stored,
    startOf(settings) {
      const document = startOf(section, completeSettings(publishedDocuments(settings)));
      return settings.published[section] ? document : withOwnTimeZone(section, document);
    },
  });
  // What the site showed before this section was published.
  const { [section]: _, ...others } = publishedDocuments(stored);
  const first = withOwnTimeZone(section, startOf(section, completeSettings(others)));
  const isChanged = draft.state.status !== "unchanged";
  const [announcement, setAnnouncement] = useState("");
  const [row, setRow] = useState(0);
  const publishedAt = stored.published[section]?.publishedAt ?? null;

  const shown = useDeferredValue(draft.state.document);
  const settings = useMemo(
    () =>
      completeSettings(
        { ...newestDocuments(stored), [section]: shown },
        true,
        isPublicAddress(window.location.href),
      ),
    [stored, section, shown],
  );
  const site = useMemo(() => {
    const editedService = settings.services.items[row];
    const site = { ...toPublicSite(settings, content, ownPages), editedService };
    // Also before its first day.
    const { text, link } = settings.notice;
    return section === "notice" && text ? { ...site, notice: { text, link } } : site;
  }, [settings, content, ownPages, row, section]);

  function onFocus({ target }: FocusEvent) {
    const control = target.closest<HTMLElement>('[id^="setting-"], [data-field]');
    const [, index] = /-items-(\d+)/.exec(control?.id || control?.dataset.field || "") ?? [];
    setRow(Number(index ?? 0));
  }

  return (
    <BesidePreview pages={pages} site={site}>
      {(button) => (
        <PageFrame heading={label} lead={help}>
          <p role="status" className="sr-only">
            {announcement}
          </p>
          <OtherSections draft={draft} stored={stored} />
          <div className="mt-8 max-w-3xl">
            {section === "mail" && (
              <div className="mb-10">
                <MailServicePanel />
              </div>
            )}
            {section === "site" && (
              <div className="mb-10">
                <SiteAddress />
              </div>
            )}
            {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens to the fields inside of it. */}
            <div onFocus={onFocus}>
              <LeaveGuardOf drafts={[draft]} />
              {draft.approval && (
                <ApprovalPanel
                  approval={draft.approval}
                  name="section"
                  isBusy={draft.busy}
                  onDecide={draft.decide}
                />
              )}
              <SectionForm draft={draft} site={site} />
            </div>
            <div className="mt-10 empty:hidden">
              {section === "mail" && <Outbox />}
              {section === "site" && (
                <>
                  <RetentionNote
                    years={isChanged ? Number(draft.state.document.archiveYears) : null}
                  />
                  <SamplesPanel />
                </>
              )}
            </div>
            <History
              thing={sectionThing(section)}
              format={draft.format}
              heading="Earlier versions"
              empty="Nothing was published yet. Each version that you publish is kept here."
              current={shown}
              first={first}
              loadedFor={`${publishedAt} ${draft.settlements}`}
              onRestore={async (number, document) => {
                await draft.restore(number, document);
                setAnnouncement("The earlier version is your draft now.");
                focusHeading();
              }}
            />
          </div>
          <PublishBar draft={draft} publishedAt={publishedAt} button={button}>
            {section === "contact" && <OutdatedContact loadedFor={publishedAt} />}
          </PublishBar>
        </PageFrame>
      )}
    </BesidePreview>
  );
}
