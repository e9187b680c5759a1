import { useState } from "react";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router";
import { completeSettings } from "../../config/site.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { useSendsMail } from "../../config/use-site.ts";
import { FormFailure } from "../../ui/form-errors.tsx";
import { showToast } from "../../ui/toast.ts";
import { Button } from "../button.tsx";
import { MailStatus } from "../checks/mail-status.tsx";
import { DraftStatus } from "../draft-status.tsx";
import { PageData } from "../manage-frame.tsx";
import { SamplesPanel } from "../samples/samples-panel.tsx";
import { type AnyDocument, fitDocument, withOwnTimeZone } from "../settings/fields.ts";
import { SectionForm } from "../settings/section-form.tsx";
import {
  loadSettings,
  publishedDocuments,
  type StoredSettings,
} from "../settings/settings-store.ts";
import { useSectionDraft } from "../settings/use-section-draft.ts";
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

export const load = loadSettings;

export function titleAt(search: string): string {
  const id = new URLSearchParams(search).get("step");
  const step = steps.find((candidate) => candidate.id === id);
  return step ? `Set up your site: ${step.title}` : "Set up your site";
}

/** Guides the owner of a new site through the most important settings, one step per screen. */
export default function Setup({ data }: { data: ReturnType<typeof load> }) {
  return <PageData data={data}>{(stored) => <Steps stored={stored} />}</PageData>;
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

  /** Opens the next unfinished step. */
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
      <div className="mx-auto max-w-2xl">
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
                  <p>Posts and reviews that you or your visitors wrote are not touched.</p>
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
                <Step
                  key={current.id}
                  section={current.id}
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

interface StepProps {
  section: SectionName;
  stored: StoredSettings;
  onPublished: () => void;
  onSkip: () => void;
  /** Called after the entries were saved as a draft. */
  onLater: () => void;
}

/** A step with the fields of a section that a new site needs first. */
function Step({ section, stored, onPublished, onSkip, onLater }: StepProps) {
  const draft = useSectionDraft({
    section,
    settings: stored,
    startOf: (settings) => startOf(section, settings),
  });
  const { session, state, busy, failure } = draft;

  async function publish() {
    if (await draft.publish()) onPublished();
  }

  async function leave() {
    // Entries that could not be saved stay in this browser, and leaving asks for confirmation.
    if (await session.flush()) {
      showToast({
        tone: "success",
        title: "Saved",
        description: "Nothing was published. You can go on at this step.",
      });
    }
    onLater();
  }

  return (
    <>
      <SectionForm draft={draft} onlyFirst />
      {section === "mail" && <MailStatus />}
      <FormFailure text={failure} />
      <DraftStatus state={state} subject="the settings" saved="Saved as a draft" />
      <div className="flex flex-wrap gap-3 pt-2">
        <Button
          look="primary"
          size="normal"
          className="max-sm:w-full"
          disabled={busy || state.status === "conflict"}
          onClick={publish}
        >
          {busy ? "Publishing..." : "Publish and continue"}
        </Button>
        <Button
          size="normal"
          className="max-sm:flex-1"
          disabled={busy}
          onClick={() => {
            // Starts the save before the next step reads the drafts, which waits for it.
            void session.flush();
            onSkip();
          }}
        >
          Skip for now
        </Button>
        <Button size="normal" className="max-sm:flex-1" disabled={busy} onClick={leave}>
          Save and leave
        </Button>
      </div>
    </>
  );
}

/** What is published, or nothing: unlike the site, the setup never starts with the fictional firm. */
function startOf(section: SectionName, stored: StoredSettings): AnyDocument {
  const known = stored.published[section];
  const document = fitDocument(section, known?.document);
  if (section === "testimonials") {
    const { samples } = completeSettings(publishedDocuments(stored)).testimonials;
    return { ...document, samples };
  }
  return known ? document : withOwnTimeZone(section, document);
}

function pathOf(step: StepId | null): string {
  return `/manage/setup?step=${step ?? "end"}`;
}

const stateNames: Record<StepState, string> = {
  open: "not done",
  draft: "saved, not published",
  skipped: "skipped",
  waiting: "waits for your server",
  done: "done",
};
const barColors: Record<StepState, string> = {
  open: "bg-line",
  draft: "bg-clay",
  skipped: "bg-edge",
  waiting: "bg-clay",
  done: "bg-evergreen",
};

/** The progress of the setup; every step can be opened at any time. */
function StepList({ current, states }: { current: StepId; states: StepStates }) {
  const place = steps.findIndex(({ id }) => id === current) + 1;
  return (
    <nav aria-label="Steps" className="mt-5">
      <p className="text-sm text-muted">
        Step {place} of {steps.length}
      </p>
      <ol className="mt-1 grid grid-cols-7 gap-1.5 sm:gap-2">
        {steps.map(({ id, title }) => (
          <li key={id}>
            <Link
              to={`?step=${id}`}
              aria-current={id === current ? "step" : undefined}
              className="group block min-h-11 py-2 text-sm leading-snug text-muted hover:text-evergreen aria-[current]:font-semibold aria-[current]:text-ink"
            >
              <span
                aria-hidden="true"
                className={`block rounded-full group-aria-[current]:outline-2 group-aria-[current]:outline-offset-2 group-aria-[current]:outline-ink ${barColors[states[id]]} h-1.5`}
              />
              <span className="mt-2 block max-sm:sr-only">
                {title}
                <span className="sr-only"> ({stateNames[states[id]]})</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
