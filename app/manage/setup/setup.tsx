import { type ReactNode, useState } from "react";
import { Navigate, useNavigate, useSearchParams } from "react-router";
import type { SectionName } from "../../config/site-schema.ts";
import { LoadFailure, TakingLonger } from "../../ui/load-state.tsx";
import { useLiveValue } from "../live-value.ts";
import { FieldsStep } from "./fields-step.tsx";
import { LicensesStep } from "./licenses-step.tsx";
import { SamplesStep } from "./samples-step.tsx";
import { SetupEnd } from "./setup-end.tsx";
import { readProgress, type SetupProgress, storeProgress, withSkipped } from "./setup-progress.ts";
import { type Draft, readSettings, type SetupSettings } from "./setup-settings.ts";
import { StepList } from "./step-list.tsx";
import { resumeAt, type StepId, type StepStates, stepAfter, stepStates, steps } from "./steps.ts";

export function titleAt(search: string): string {
  const id = new URLSearchParams(search).get("step");
  const step = steps.find((candidate) => candidate.id === id);
  return step ? `Set up your site: ${step.title}` : "Set up your site";
}

/** Walks an owner of a new site through what it needs first, one step per screen. */
export default function Setup() {
  const settings = useLiveValue(readSettings);
  const [first, setFirst] = useState<SetupSettings>();
  // Later readings do not replace what the open form was filled with.
  if (!first && settings.state === "loaded") setFirst(settings.value);

  if (first) return <Steps initial={first} />;
  if (settings.state === "failed") {
    return (
      <Frame>
        <LoadFailure what="The settings of your site" onRetry={settings.retry} className="mt-6" />
      </Frame>
    );
  }
  return (
    <Frame>
      <p role="status" className="mt-4 text-muted">
        Loading your settings...
      </p>
      <TakingLonger />
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="wrap min-h-[60vh] py-8 sm:py-12">
      <div className="mx-auto max-w-2xl">
        <h1 className="text-2xl">Set up your site</h1>
        {children}
      </div>
    </div>
  );
}

function Steps({ initial }: { initial: SetupSettings }) {
  const [settings, setSettings] = useState(initial);
  const [progress, setProgress] = useState(readProgress);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const states = statesOf(settings, progress);
  const requested = search.get("step");
  const current = steps.find(({ id }) => id === requested);

  if (!current && requested !== "end") {
    const next = resumeAt(states, progress.lastOpen);
    return <Navigate replace to={pathOf(next)} />;
  }

  function keep(next: SetupProgress) {
    setProgress(next);
    storeProgress(next);
  }

  /** Opens the next unfinished step. */
  function goOn(from: StepId, now: SetupSettings, next: SetupProgress) {
    const id = stepAfter(from, statesOf(now, next));
    keep({ ...next, lastOpen: id, finished: id === null });
    navigate(pathOf(id));
  }

  function onDraft(section: SectionName, draft: Draft) {
    setSettings((now) => ({ ...now, drafts: new Map(now.drafts).set(section, draft) }));
  }

  function onPublished(id: StepId & SectionName, draft: Draft) {
    const drafts = new Map(settings.drafts);
    drafts.delete(id);
    const published = new Map(settings.published).set(id, draft.document);
    setSettings({ published, drafts });
    goOn(id, { published, drafts }, progress);
  }

  function onLater(id: StepId) {
    keep({ ...progress, lastOpen: id });
    navigate("/manage");
  }

  if (!current) {
    return (
      <Frame>
        <SetupEnd states={states} />
      </Frame>
    );
  }
  const { id, title, lead } = current;
  const actions = {
    onDraft,
    onLater: () => onLater(id),
    onSkip: () => goOn(id, settings, withSkipped(progress, id)),
  };
  return (
    <Frame>
      <StepList current={id} states={states} />
      <h2 className="mt-8 text-xl">{title}</h2>
      <p className="mt-2 text-muted">{lead}</p>
      {id === "samples" ? (
        <SamplesStep
          onSkip={actions.onSkip}
          onDone={() => goOn(id, settings, { ...progress, samplesRemoved: true })}
        />
      ) : id === "licenses" ? (
        <LicensesStep
          key={id}
          settings={settings}
          {...actions}
          onPublished={(draft) => onPublished(id, draft)}
        />
      ) : (
        <FieldsStep
          key={id}
          step={id}
          settings={settings}
          {...actions}
          onPublished={(draft) => onPublished(id, draft)}
        />
      )}
    </Frame>
  );
}

function pathOf(step: StepId | null): string {
  return `/manage/setup?step=${step ?? "end"}`;
}

function statesOf(settings: SetupSettings, progress: SetupProgress): StepStates {
  return stepStates({
    published: new Set(settings.published.keys()),
    drafts: new Set(settings.drafts.keys()),
    skipped: progress.skipped,
    samplesRemoved: progress.samplesRemoved,
  });
}
