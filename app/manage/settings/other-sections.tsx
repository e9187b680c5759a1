import { Fragment, useState } from "react";
import { type SectionName, sectionNames } from "../../config/site-schema.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { FormFailure } from "../../ui/form-errors.tsx";
import { Button, TextLink } from "../button.tsx";
import { fitDocument, infoOf } from "./fields.ts";
import { findProblems } from "./problems.ts";
import { readStoredSettings, type StoredSettings } from "./settings-store.ts";
import type { SectionDraft } from "./use-section-draft.ts";

interface OtherSectionsProps {
  draft: SectionDraft;
  stored: StoredSettings;
}

/** What waits in other sections, above a form. It stays as it is while this form is changed, which would move the form. */
export function OtherSections({ draft, stored }: OtherSectionsProps) {
  const [incomplete, setIncomplete] = useState<readonly SectionName[]>([]);
  const others = sectionNames.filter((name) => name !== draft.section);
  const submitted = others.filter((name) => stored.submitted.includes(name));
  const changed = others.filter((name) => stored.drafts[name]);
  if (changed.length + submitted.length === 0) return null;

  /** Also of a section that was left just before, whose draft the list may not have yet. */
  async function readOthers() {
    const { drafts } = await readStoredSettings(await getBrowserClient());
    const waiting = others.filter((name) => drafts[name]);
    const invalid = waiting.filter((name) => {
      const document = fitDocument(name, drafts[name]?.document);
      return Object.keys(findProblems(name, document)).length > 0;
    });
    setIncomplete(invalid);
    if (invalid.length > 0) return null;
    return Object.fromEntries(waiting.map((name) => [name, drafts[name]?.savedAt]));
  }

  async function publish(): Promise<void> {
    const rejected = await draft.publishWith(readOthers);
    if (rejected) setIncomplete([rejected]);
  }

  return (
    <div className="mt-5 rounded-md bg-sage px-4 py-3 text-sm">
      {submitted.length > 0 && <Names before="Waits for approval: " names={submitted} />}
      {changed.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Names before="Changed and not public yet: " names={changed} />
          <Button disabled={draft.busy || draft.state.status === "conflict"} onClick={publish}>
            Publish all changes
          </Button>
        </div>
      )}
      {incomplete.length > 0 && (
        <div role="alert" className="mt-3 font-medium text-danger">
          <Names before="Nothing was published. Complete this first: " names={incomplete} />
        </div>
      )}
      <div className="mt-3 empty:hidden">
        <FormFailure text={draft.failure} />
      </div>
    </div>
  );
}

function Names({ before, names }: { before: string; names: readonly SectionName[] }) {
  return (
    <p>
      <span>{before}</span>
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && <span>, </span>}
          <TextLink to={`/manage/settings/${name}`}>{infoOf(name).label}</TextLink>
        </Fragment>
      ))}
    </p>
  );
}
