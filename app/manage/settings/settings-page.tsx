import { ChevronRight } from "lucide";
import { useState } from "react";
import { Link } from "react-router";
import { type SectionName, sectionNames } from "../../config/site-schema.ts";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { FormFailure } from "../../ui/form-errors.tsx";
import { Icon } from "../../ui/icon.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { Button, TextLink } from "../button.tsx";
import { ChangedElsewhereError, describeFailure } from "../describe-failure.ts";
import { formatMoment } from "../format-moment.ts";
import { useReload } from "../live-query.ts";
import { PageData, pageClass } from "../manage-frame.tsx";
import { Badge } from "../page-parts.tsx";
import { fitDocument, infoOf } from "./fields.ts";
import { findProblems } from "./problems.ts";
import { Warnings } from "./publish-bar.tsx";
import { findWarnings } from "./services.ts";
import { publishDrafts, type StoredSettings, settingsQuery } from "./settings-store.ts";
import { announcePublished } from "./use-section-draft.ts";

export default function SettingsPage() {
  return <PageData query={settingsQuery}>{(stored) => <SectionList stored={stored} />}</PageData>;
}

function SectionList({ stored }: { stored: StoredSettings }) {
  const { isDefault, contact } = useSite();
  const { timeZone } = contact;
  const changed = sectionNames.filter((section) => stored.drafts[section]);
  return (
    <div className={pageClass}>
      <PageHeading
        title="Settings"
        lead="Who you are and what the pages say. Changes are drafts until you publish them."
      />
      {isDefault && (
        <p className="mt-8 max-w-3xl rounded-md bg-sage p-4">
          Start with the name of your firm, here under Firm or in{" "}
          <TextLink to="/manage/setup">the setup</TextLink>. Until it is published, the other forms
          hold the texts of the fictional firm.
        </p>
      )}
      {changed.length > 0 && <PublishAll changed={changed} stored={stored} />}
      <ul
        aria-label="Sections"
        className="mt-8 divide-y divide-line overflow-clip rounded-lg border border-line bg-surface shadow-card"
      >
        {sectionNames.map((section) => {
          const { label, help } = infoOf(section);
          const publishedAt = stored.published[section]?.publishedAt;
          return (
            <li key={section} className="relative px-4 py-4 hover:bg-sand/50 sm:px-6">
              <div className="flex items-center gap-4">
                <div className="min-w-0 flex-1">
                  <h2 className="font-sans text-base font-semibold">
                    <Link to={`/manage/settings/${section}`} className="card-link">
                      {label}
                    </Link>
                  </h2>
                  <p className="text-sm text-muted">{help}</p>
                  <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
                    {stored.drafts[section] && (
                      <Badge look="warning">
                        {`Draft, saved ${formatMoment(stored.drafts[section].savedAt, timeZone)}`}
                      </Badge>
                    )}
                    {stored.submitted.includes(section) && (
                      <Badge look="warning">Waits for approval</Badge>
                    )}
                    <span>
                      {publishedAt
                        ? `Published ${formatMoment(publishedAt, timeZone)}`
                        : "Never changed"}
                    </span>
                  </p>
                </div>
                <Icon drawing={ChevronRight} className="size-5 shrink-0 text-muted" />
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface PublishAllProps {
  changed: readonly SectionName[];
  stored: StoredSettings;
}

function PublishAll({ changed, stored }: PublishAllProps) {
  const reload = useReload();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [incomplete, setIncomplete] = useState<readonly SectionName[]>([]);

  const warnings = changed.flatMap((section) =>
    findWarnings(section, Object(stored.drafts[section]?.document)),
  );

  async function publish(): Promise<void> {
    const invalid = changed.filter((section) => {
      const document = fitDocument(section, stored.drafts[section]?.document);
      return Object.keys(findProblems(section, document)).length > 0;
    });
    setFailure(undefined);
    setIncomplete(invalid);
    if (invalid.length > 0) return;
    setBusy(true);
    try {
      const seen = changed.map((section) => [section, stored.drafts[section]?.savedAt]);
      const rejected = await publishDrafts(await getBrowserClient(), Object.fromEntries(seen));
      if (rejected) {
        setIncomplete([rejected.section]);
        return;
      }
      announcePublished();
      await reload();
    } catch (error) {
      console.error("Publishing failed", error);
      if (error instanceof ChangedElsewhereError) await reload();
      const reason = describeFailure(error, "the settings", "Try again.");
      setFailure(`Nothing was published: ${reason}`);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="mt-8 rounded-lg border border-line bg-sage p-5">
      <Warnings texts={warnings} />
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p>
          {changed.length === 1
            ? "1 section has changes that visitors do not see yet."
            : `${changed.length} sections have changes that visitors do not see yet.`}
        </p>
        <Button look="primary" disabled={busy} onClick={publish}>
          {busy ? "Publishing..." : "Publish all changes"}
        </Button>
      </div>
      {incomplete.length > 0 && (
        <div role="alert" className="mt-4 rounded-md bg-clay-soft p-3 font-medium text-danger">
          <p>Nothing was published. Complete these sections first:</p>
          <ul className="mt-1 flex flex-wrap gap-x-4">
            {incomplete.map((section) => (
              <li key={section}>
                <Link
                  to={`/manage/settings/${section}`}
                  className="inline-block py-1 underline underline-offset-4"
                >
                  {infoOf(section).label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="mt-4 empty:hidden">
        <FormFailure text={failure} />
      </div>
    </div>
  );
}
