import { Fragment, useState } from "react";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router";
import { toPublicSite } from "../../config/public-site.ts";
import { completeSettings, startingSettings } from "../../config/site.ts";
import type { SectionName, SiteSettings } from "../../config/site-schema.ts";
import { useSendsMail } from "../../config/use-site.ts";
import { FormFailure } from "../../ui/form-errors.tsx";
import { showToast } from "../../ui/toast.ts";
import { Button } from "../button.tsx";
import { MailStatus } from "../checks/mail-status.tsx";
import { PageData } from "../manage-frame.tsx";
import { SamplesPanel } from "../samples/samples-panel.tsx";
import { type AnyDocument, fitDocument, withOwnTimeZone } from "../settings/fields.ts";
import { Preview, PreviewDialog, previewPages } from "../settings/preview.tsx";
import { Warnings } from "../settings/publish-bar.tsx";
import { LeaveGuardOf, SectionForm } from "../settings/section-form.tsx";
import { findWarnings } from "../settings/services.ts";
import {
  newestDocuments,
  publishedDocuments,
  type StoredSettings,
  settingsQuery,
} from "../settings/settings-store.ts";
import { type SectionDraft, useSectionDraft } from "../settings/use-section-draft.ts";
import { DraftStatus } from "../versions/draft-status.tsx";
import { SetupEnd } from "./setup-end.tsx";
import {
  answeredSections,
  readProgress,
  resumeAt,
  type SetupProgress,
  type StepId,
  type StepState,
  type StepStates,
  stepAfter,
  stepStates,
  steps,
  storeProgress,
} from "./steps.ts";

export function titleAt(search: string): string {
  const id = new URLSearchParams(search).get("step");
  const step = steps.find((candidate) => candidate.id === id);
  return step ? `Set up your site: ${step.title}` : "Set up your site";
}

export default function Setup() {
  return <PageData query={settingsQuery}>{(stored) => <Steps stored={stored} />}</PageData>;
}

function Steps({ stored }: { stored: StoredSettings }) {
  const [progress, setProgress] = useState(readProgress);
  const [search] = useSearchParams();
  const sendsMail = useSendsMail();
  const navigate = useNavigate();
  const states = stepStates({
    published: answeredSections(stored.published),
    drafts: new Set(Object.keys(stored.drafts)),
    ...progress,
    sendsMail,
  });
  const requested = search.get("step");
  const current = steps.find(({ id }) => id === requested);

  if (!current && requested !== "end") {
    return <Navigate replace to={pathOf(resumeAt(states, progress.lastOpen))} />;
  }

  function keep(changes: Partial<SetupProgress>) {
    setProgress({ ...progress, ...changes });
    storeProgress({ ...progress, ...changes });
  }

  function goOn(from: StepId, changes: Partial<SetupProgress> = {}) {
    const id = stepAfter(from, states);
    keep({ ...changes, lastOpen: id, finished: id === null });
    navigate(pathOf(id));
  }

  function onSkip(id: StepId) {
    goOn(id, { skipped: [...new Set([...progress.skipped, id])] });
  }

  return (
    <div className="wrap min-h-[60vh] py-8 sm:py-12">
      <div className={`mx-auto max-w-2xl ${current ? "lg:max-w-6xl" : ""}`}>
        <h1 id="page-heading" tabIndex={-1} className="text-2xl outline-none">
          Set up your site
        </h1>
        {!current ? (
          <SetupEnd states={states} />
        ) : (
          <>
            <StepList current={current.id} states={states} />
            <h2 className="mt-8 text-xl">{current.title}</h2>
            <p className="mt-2 text-muted">{current.lead}</p>
            <div className="mt-6 space-y-5">
              {current.id === "samples" ? (
                <>
                  <p>Posts and testimonials that you or your visitors wrote are not touched.</p>
                  <SamplesPanel
                    hideHeading
                    onRemoved={() => goOn(current.id, { samplesRemoved: true })}
                  />
                  <Button
                    size="normal"
                    className="max-sm:w-full"
                    onClick={() => onSkip(current.id)}
                  >
                    Keep them for now
                  </Button>
                </>
              ) : (
                <StepOf
                  key={current.id}
                  id={current.id}
                  stored={stored}
                  onPublished={() => goOn(current.id)}
                  onSkip={() => onSkip(current.id)}
                  onLater={() => {
                    const skipped = progress.skipped.filter((id) => id !== current.id);
                    keep({ lastOpen: current.id, skipped });
                    navigate("/manage");
                  }}
                />
              )}
            </div>
          </>
        )}
      </div>
    </div>
  );
}

interface StepOptions {
  stored: StoredSettings;
  onPublished: () => void;
  onSkip: () => void;
  onLater: () => void;
}

function StepOf({ id, ...options }: StepOptions & { id: Exclude<StepId, "samples"> }) {
  return id === "look" ? <LookStep {...options} /> : <SectionStep section={id} {...options} />;
}

function SectionStep({ section, ...options }: StepOptions & { section: SectionName }) {
  return <Step {...options} drafts={[useStepDraft(section, options.stored)]} step />;
}

function LookStep(options: StepOptions) {
  const adviser = useStepDraft("adviser", options.stored);
  const look = useStepDraft("look", options.stored);
  return <Step {...options} drafts={[adviser, look]} step="look" />;
}

function useStepDraft(section: SectionName, settings: StoredSettings): SectionDraft {
  return useSectionDraft({ section, settings, startOf: (stored) => startOf(section, stored) });
}

interface StepProps extends StepOptions {
  drafts: readonly SectionDraft[];
  step: true | "look";
}

function Step({ drafts, step, stored, onPublished, onSkip, onLater }: StepProps) {
  const [isPreviewing, setPreviewing] = useState(false);
  const busy = drafts.some((draft) => draft.busy);
  const hasConflict = drafts.some(({ state }) => state.status === "conflict");
  const sections = drafts.map(({ section }) => section);
  const site = toPublicSite(settingsWith(stored, drafts));
  // No page shows the mail.
  const pages = previewPages(sections.includes("mail") ? "home" : (sections[0] ?? "home"), site);

  async function publish() {
    // The fields of another step may not be complete yet.
    const changed = drafts.filter(({ state }) => step === true || state.status !== "unchanged");
    for (const draft of changed) if (!(await draft.publish())) return;
    if (changed.length > 0) onPublished();
    else onSkip();
  }

  async function leave() {
    // Entries that could not be saved stay in this browser, and leaving asks for confirmation.
    const saved = await Promise.all(drafts.map(({ session }) => session.flush()));
    if (saved.every(Boolean)) {
      showToast({
        tone: "success",
        title: "Saved",
        description: "Nothing was published. You can continue with this step later.",
      });
    }
    onLater();
  }

  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_24.5rem] lg:gap-14">
      <LeaveGuardOf drafts={drafts} />
      <div className="space-y-5">
        {drafts.map((draft) => (
          <SectionForm key={draft.section} draft={draft} step={step} />
        ))}
        {sections.includes("mail") && <MailStatus />}
        {drafts.map(({ section, failure, state }) => (
          <Fragment key={section}>
            <FormFailure text={failure} />
            <Warnings texts={findWarnings(section, state.document)} />
          </Fragment>
        ))}
        {drafts
          .filter(({ state }, index) => index === 0 || state.status !== "unchanged")
          .map(({ section, state }) => (
            <DraftStatus
              key={section}
              state={state}
              subject="the settings"
              saved="Saved as a draft"
            />
          ))}
        <div className="flex flex-wrap gap-3 pt-2">
          <Button
            look="primary"
            size="normal"
            className="max-sm:w-full"
            disabled={busy || hasConflict}
            onClick={publish}
          >
            {busy ? "Publishing..." : "Publish and continue"}
          </Button>
          <Button
            size="normal"
            className="max-sm:flex-1"
            disabled={busy}
            onClick={() => {
              // Starts the saves before the next step reads the drafts, which waits for them.
              for (const { session } of drafts) void session.flush();
              onSkip();
            }}
          >
            Skip for now
          </Button>
          <Button size="normal" className="max-sm:flex-1" disabled={busy} onClick={leave}>
            Save and leave
          </Button>
          <Button
            size="normal"
            className="max-sm:flex-1 lg:hidden"
            onClick={() => setPreviewing(true)}
          >
            Preview
          </Button>
        </div>
      </div>
      <section aria-label="Preview" className="max-lg:hidden lg:sticky lg:top-24 lg:self-start">
        <Preview {...{ pages, site }} />
      </section>
      {isPreviewing && <PreviewDialog {...{ pages, site }} onClose={() => setPreviewing(false)} />}
    </div>
  );
}

/** All drafts, with words in place of names that are not entered yet. */
function settingsWith(stored: StoredSettings, drafts: readonly SectionDraft[]): SiteSettings {
  const known = newestDocuments(stored);
  for (const { section, state } of drafts) Object.assign(known, { [section]: state.document });
  const firm = known.firm ?? fitDocument("firm", undefined);
  const settings = completeSettings({
    ...known,
    firm: { ...firm, name: firm.name || "Your firm" },
  });
  const { adviser } = settings;
  return { ...settings, adviser: { ...adviser, name: adviser.name || "you" } };
}

/** What is published, or what every firm starts with: unlike the site, the setup never has the fictional firm. */
function startOf(section: SectionName, stored: StoredSettings): AnyDocument {
  const known = stored.published[section];
  const start = section === "adviser" ? { ...startingSettings.adviser, name: "" } : undefined;
  const document = fitDocument(section, known?.document ?? start);
  if (section === "testimonials") {
    const { samples } = completeSettings(publishedDocuments(stored)).testimonials;
    return { ...document, samples };
  }
  return known ? document : withOwnTimeZone(section, document);
}

function pathOf(step: StepId | null): string {
  return `/manage/setup?step=${step ?? "end"}`;
}

const looks: Record<StepState, { name: string; bar: string }> = {
  open: { name: "not done", bar: "bg-line" },
  draft: { name: "saved, not published", bar: "bg-clay" },
  skipped: { name: "skipped", bar: "bg-edge" },
  waiting: { name: "waits for your server", bar: "bg-clay" },
  done: { name: "done", bar: "bg-evergreen" },
};

function StepList({ current, states }: { current: StepId; states: StepStates }) {
  const place = steps.findIndex(({ id }) => id === current) + 1;
  return (
    <nav aria-label="Steps" className="mt-5">
      <p className="text-sm text-muted">{`Step ${place} of ${steps.length}`}</p>
      <ol className="mt-1 grid grid-cols-8 gap-1.5 sm:gap-2">
        {steps.map(({ id, title }) => (
          <li key={id}>
            <Link
              to={`?step=${id}`}
              aria-current={id === current ? "step" : undefined}
              className="group block min-h-11 py-2 text-sm leading-snug text-muted hover:text-evergreen aria-[current]:font-semibold aria-[current]:text-ink"
            >
              <span
                aria-hidden="true"
                className={`block rounded-full group-aria-[current]:outline-2 group-aria-[current]:outline-offset-2 group-aria-[current]:outline-ink ${looks[states[id]].bar} h-1.5`}
              />
              <span className="mt-2 block max-sm:sr-only">
                <span>{title}</span>
                <span className="sr-only">{` (${looks[states[id]].name})`}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
