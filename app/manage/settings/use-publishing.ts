import { useMemo, useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { useRevalidator } from "react-router";
import { setSiteOutdated } from "../../config/refresh-site.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { messageOf } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { showToast } from "../../ui/toast.ts";
import { codeOf, describeFailure } from "../describe-failure.ts";
import type { DraftSession } from "../draft-session.ts";
import type { AnyDocument } from "./fit-document.ts";
import { findProblems, type Problems, readDatabaseProblem } from "./problems.ts";
import { discardDraft, publishDrafts } from "./settings-store.ts";

interface PublishingOptions {
  section: SectionName;
  session: DraftSession<AnyDocument>;
  /** What the site shows without the draft. */
  start: AnyDocument;
}

export type Publishing = ReturnType<typeof usePublishing>;

/** Publishes and discards the draft of a section, and collects its problems. */
export function usePublishing({ section, session, start }: PublishingOptions) {
  const { revalidate } = useRevalidator();
  const { document } = useSyncExternalStore(session.subscribe, session.getState);
  const [wasChecked, setChecked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  /** What the database rejected although the browser accepted it. */
  const [rejection, setRejection] = useState<Problems>({});
  const found = useMemo(() => findProblems(section, document), [section, document]);
  const problems = { ...rejection, ...found };

  async function publish(): Promise<void> {
    flushSync(() => setChecked(true));
    if (Object.keys(found).length > 0) {
      focusFirstProblem();
      return;
    }
    await attempt("published", async () => {
      if (!(await session.flush())) return;
      const { savedAt } = session.getState();
      if (savedAt === null) return;
      await publishDrafts(await getBrowserClient(), [section]);
      setSiteOutdated(true);
      session.replace(session.getState().document, null);
      setChecked(false);
      setRejection({});
      showToast({
        tone: "success",
        title: "Published",
        description: "Your changes are on the site.",
      });
    });
  }

  async function discard(): Promise<void> {
    await attempt("discarded", async () => {
      await session.flush();
      const { savedAt } = session.getState();
      if (savedAt && !(await discardDraft(section, savedAt))) {
        setFailure("The draft was changed in another window and was not discarded.");
        return;
      }
      session.replace(start, null);
      setChecked(false);
      setRejection({});
      showToast({
        tone: "success",
        title: "Draft discarded",
        description: "The form shows what the site shows.",
      });
    });
  }

  async function attempt(what: string, act: () => Promise<void>): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      await act();
      await revalidate();
    } catch (error) {
      const rejected = codeOf(error) === "23514" ? readDatabaseProblem(messageOf(error)) : null;
      if (rejected?.section === section) {
        flushSync(() => setRejection({ [rejected.path]: rejected.text }));
        focusFirstProblem();
        return;
      }
      console.error(`The draft was not ${what}`, error);
      setFailure(`Not ${what}: ${describeFailure(error, "the settings", "Try again.")}`);
    } finally {
      setBusy(false);
    }
  }

  return {
    problems,
    /** Whether problems of fields are shown that the owner has not left yet. */
    wasChecked,
    busy,
    failure,
    publish,
    discard,
    refresh: () => void revalidate(),
    forgetRejection: () => setRejection({}),
  };
}

function focusFirstProblem(): void {
  window.document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
