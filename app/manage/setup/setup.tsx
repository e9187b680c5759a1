import { Fragment, type ReactNode, useState } from "react";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router";
import { toPublicSite } from "../../config/public-site.ts";
import { completeSettings, startingSettings } from "../../config/site.ts";
import type { SectionName, SiteSettings } from "../../config/site-schema.ts";
import { useSendsMail } from "../../config/use-site.ts";
import { FormFailure } from "../../ui/form-errors.tsx";
import { showToast } from "../../ui/toast.ts";
import { Button } from "../button.tsx";
import { MailServicePanel } from "../mail/mail-service-panel.tsx";
import { PageData, PageFrame } from "../manage-frame.tsx";
import { SamplesPanel } from "../samples/samples-panel.tsx";
import { type AnyDocument, fitDocument, withOwnTimeZone } from "../settings/fields.ts";
import { BesidePreview, previewPages } from "../settings/preview.tsx";
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

  if (!current) return <SetupEnd states={states} />;
  return (
    <StepOf
      key={current.id}
      id={current.id}
      stored={stored}
      states={states}
      onPublished={() => goOn(current.id)}
      onSkip={() => onSkip(current.id)}
      onLater={() => {
        const skipped = progress.skipped.filter((id) => id !== current.id);
        keep({ lastOpen: current.id, skipped });
        navigate("/manage");
      }}
      onRemoved={() => goOn(current.id, { samplesRemoved: true })}
    />
  );
}

interface StepOptions {
  id: StepId;
  stored: StoredSettings;
  states: StepStates;
  onPublished: () => void;
  onSkip: () => void;
  onLater: () => void;
  /** Of the sample content. */
  onRemoved: () => void;
}

function StepOf(options: StepOptions) {
  const { id } = options;
  if (id === "samples") return <SamplesStep {...options} />;
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

function SamplesStep({ id, states, onSkip, onRemoved }: StepOptions) {
  return (
    <StepFrame id={id} states={states}>
      <p>What you or your visitors wrote stays.</p>
      <SamplesPanel hideHeading onRemoved={onRemoved} />
      <Button size="normal" className="max-sm:w-full" onClick={onSkip}>
        Keep them for now
      </Button>
    </StepFrame>
  );
}

interface StepFrameProps extends Pick<StepOptions, "id" | "states"> {
  children: ReactNode;
}

function StepFrame({ id, states, children }: StepFrameProps) {
  const step = steps.find((candidate) => candidate.id === id);
  return (
    <PageFrame>
      <StepList current={id} states={states} />
      <h2 className="mt-3 text-2xl">{step?.title}</h2>
      <p className="mt-1 max-w-2xl text-muted">{step?.lead}</p>
      <div className="mt-6 max-w-2xl space-y-5">{children}</div>
    </PageFrame>
  );
}

function useStepDraft(section: SectionName, settings: StoredSettings): SectionDraft {
  return useSectionDraft({ section, settings, startOf: (stored) => startOf(section, stored) });
}

interface StepProps extends StepOptions {
  drafts: readonly SectionDraft[];
  step: true | "look";
}

function Step(props: StepProps) {
  const { id, states, drafts, step, stored, onPublished, onSkip, onLater } = props;
  const busy = drafts.some((draft) => draft.busy);
  const waiting = drafts.find(({ isWaiting }) => isWaiting);
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
    <BesidePreview pages={pages} site={site}>
      {(button) => (
        <StepFrame id={id} states={states}>
          <LeaveGuardOf drafts={drafts} />
          {drafts.map((draft) => (
            <SectionForm key={draft.section} draft={draft} step={step} />
          ))}
          {sections.includes("mail") && <MailServicePanel />}
          {drafts.map(({ section, failure, state }) => (
            <Fragment key={section}>
              <FormFailure text={failure} />
              <Warnings texts={findWarnings(section, state.document, step)} />
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
          <p role="status" className="text-sm font-medium empty:hidden">
            {waiting && "There is no connection. This is published as soon as it is back."}
          </p>
          <div className="flex flex-wrap gap-3 pt-2">
            <Button
              look="primary"
              size="normal"
              className="max-sm:w-full"
              disabled={busy || hasConflict}
              onClick={publish}
            >
              {waiting ? "Waiting..." : busy ? "Publishing..." : "Publish and continue"}
            </Button>
            {waiting && (
              <Button
                size="normal"
                className="whitespace-nowrap max-sm:flex-1 max-sm:px-2"
                onClick={waiting.stopWaiting}
              >
                Do not publish
              </Button>
            )}
            <Button
              size="normal"
              className="whitespace-nowrap max-sm:flex-1 max-sm:px-2"
              disabled={busy}
              onClick={() => {
                // Starts the saves before the next step reads the drafts, which waits for them.
                for (const { session } of drafts) void session.flush();
                onSkip();
              }}
            >
              Skip for now
            </Button>
            <Button
              size="normal"
              className="whitespace-nowrap max-sm:flex-1 max-sm:px-2"
              disabled={busy}
              onClick={leave}
            >
              Save and leave
            </Button>
            {button}
          </div>
        </StepFrame>
      )}
    </BesidePreview>
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
  const { firm: _name, adviser, ...start } = startingSettings;
  const starts: Partial<SiteSettings> = { ...start, adviser: { ...adviser, name: "" } };
  const document = fitDocument(section, known?.document ?? starts[section]);
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
    <nav aria-label="Steps" className="mt-4">
      <p className="text-sm text-muted">{`Step ${place} of ${steps.length}`}</p>
      <ol className="mt-1 grid grid-cols-9 gap-1 sm:gap-2">
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
              <span className="sr-only">
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
