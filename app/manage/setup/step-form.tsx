import { type ReactNode, useRef, useState } from "react";
import { refreshSite } from "../../config/refresh-site.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { type FormErrors, messageOf, useFormSubmit } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { ErrorSummary, FormFailure } from "../../ui/form-errors.tsx";
import { showToast } from "../../ui/toast.ts";
import { type Document, type Draft, publishDraft, saveDraft } from "./setup-settings.ts";

export interface StepActions {
  onDraft: (section: SectionName, draft: Draft) => void;
  onPublished: (draft: Draft) => void;
  onSkip: () => void;
  /** After the entries were saved as a draft. */
  onLater: () => void;
}

interface StepFormProps extends StepActions {
  section: SectionName;
  draft: Draft | undefined;
  documentOf: (form: FormData) => Document;
  validate: (form: FormData) => FormErrors;
  labelOf: (name: string) => string;
  children: (errors: FormErrors) => ReactNode;
}

/** A step that saves its entries as a draft and publishes them; both fail without losing what was typed. */
export function StepForm({ section, draft, documentOf, validate, ...props }: StepFormProps) {
  const { onDraft, onPublished, onSkip, onLater, labelOf } = props;
  const [saved, setSaved] = useState(draft);
  const [saving, setSaving] = useState(false);
  const [saveFailure, setSaveFailure] = useState<string>();
  const published = useRef<Draft>(null);

  async function save(form: FormData): Promise<Draft> {
    const next = await saveDraft(await getBrowserClient(), section, documentOf(form), saved);
    setSaved(next);
    onDraft(section, next);
    return next;
  }

  const { errors, failure, submitting, formProps } = useFormSubmit({
    draftKey: `setup-draft:${section}`,
    validate,
    async send(form) {
      setSaveFailure(undefined);
      const next = await save(form);
      await publishDraft(await getBrowserClient(), section);
      refreshSite();
      published.current = next;
    },
    sent: { title: "Published", description: "Visitors see it from now on." },
    onSent() {
      if (published.current) onPublished(published.current);
    },
    describeFailure: (error) => ({
      title: "Publishing failed",
      description: messageOf(error),
    }),
  });
  async function saveForLater() {
    const form = formProps.ref.current;
    if (!form) return;
    setSaving(true);
    setSaveFailure(undefined);
    try {
      await save(new FormData(form));
      form.reset();
      showToast({
        tone: "success",
        title: "Saved",
        description: "Nothing was published. You can go on at this step.",
      });
      onLater();
    } catch (error) {
      console.error("Saving the step failed", error);
      setSaveFailure(messageOf(error));
      setSaving(false);
    }
  }

  const busy = submitting || saving;
  const invalid = Object.keys(errors).map((name) => ({
    id: fieldId(section, name),
    label: labelOf(name),
  }));
  return (
    <form {...formProps} noValidate className="mt-6 space-y-5">
      <ErrorSummary fields={invalid} />
      {props.children(errors)}
      <FormFailure text={failure ?? saveFailure} />
      <div className="flex flex-wrap gap-3 pt-2">
        <button type="submit" disabled={busy} className={`${buttonClass("primary")} max-sm:w-full`}>
          {submitting ? "Publishing..." : "Publish and continue"}
        </button>
        <button
          type="button"
          disabled={busy}
          onClick={onSkip}
          className={`${buttonClass("secondary")} max-sm:flex-1`}
        >
          Skip for now
        </button>
        <button
          type="button"
          disabled={busy}
          onClick={saveForLater}
          className={`${buttonClass("secondary")} max-sm:flex-1`}
        >
          {saving ? "Saving..." : "Save and leave"}
        </button>
      </div>
    </form>
  );
}

/** The id of a field in the form of a section. */
export function fieldId(section: SectionName, name: string): string {
  return `setup-${section}-${name.replaceAll(".", "-")}`;
}
