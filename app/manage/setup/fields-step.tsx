import { useId } from "react";
import type { FormErrors } from "../../forms/use-form-submit.ts";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { MailStatus } from "../checks/mail-status.tsx";
import { type Document, emptyDocument, type SetupSettings } from "./setup-settings.ts";
import { documentOfFields, errorsOfFields } from "./step-document.ts";
import { type FieldsStepId, fieldsByStep, type StepField } from "./step-fields.ts";
import { fieldId, type StepActions, StepForm } from "./step-form.tsx";
import { TimeZoneField } from "./time-zone-field.tsx";

interface FieldsStepProps extends StepActions {
  step: FieldsStepId;
  settings: SetupSettings;
}

/** A step whose fields are listed in step-fields.ts. */
export function FieldsStep({ step, settings, ...actions }: FieldsStepProps) {
  const fields: readonly StepField[] = fieldsByStep[step];
  const draft = settings.drafts.get(step);
  const base = draft?.document ?? settings.published.get(step) ?? emptyDocument(step);
  const isNew = !draft && !settings.published.has(step);
  return (
    <StepForm
      section={step}
      draft={draft}
      documentOf={(form) => documentOfFields(step, base, form)}
      validate={(form) => errorsOfFields(step, documentOfFields(step, base, form))}
      labelOf={(name) => fields.find((field) => field.name === name)?.label ?? name}
      {...actions}
    >
      {(errors) => (
        <>
          {fields.map((field) => (
            <Field
              key={field.name}
              id={fieldId(step, field.name)}
              field={field}
              base={base}
              isNew={isNew}
              errors={errors}
            />
          ))}
          {step === "mail" && <MailStatus />}
        </>
      )}
    </StepForm>
  );
}

interface FieldProps {
  id: string;
  field: StepField;
  base: Document;
  /** Whether nothing was entered yet. */
  isNew: boolean;
  errors: FormErrors;
}

function Field({ id, field, base, isNew, errors }: FieldProps) {
  const { name, label, help, kind, required, autoComplete } = field;
  const value = base[name];
  const text = Array.isArray(value) ? value.join("\n") : typeof value === "string" ? value : "";
  const error = errors[name];
  if (kind === "switch") {
    return <Switch id={id} name={name} label={label} help={help} checked={value !== false} />;
  }
  if (kind === "time zone") {
    return (
      <TimeZoneField id={id} name={name} label={label} value={isNew ? "" : text} error={error} />
    );
  }
  const common = { id, name, error, defaultValue: text, required, autoComplete };
  const labelWithHelp = <LabelText label={label} help={help} />;
  if (kind === "text" || kind === "addresses") {
    return <TextAreaField {...common} label={labelWithHelp} rows={kind === "text" ? 5 : 3} />;
  }
  return <TextField {...common} label={labelWithHelp} type={inputTypes[kind]} />;
}

const inputTypes = { line: "text", email: "email", phone: "tel", link: "url" } as const;

export function LabelText({ label, help }: { label: string; help?: string }) {
  return (
    <>
      {label}
      {help && <span className="mt-0.5 block font-normal text-muted">{help}</span>}
    </>
  );
}

interface SwitchProps {
  id: string;
  name: string;
  label: string;
  help?: string;
  checked: boolean;
}

function Switch({ id, name, label, help, checked }: SwitchProps) {
  const helpId = useId();
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        name={name}
        type="checkbox"
        defaultChecked={checked}
        aria-describedby={help ? helpId : undefined}
        className="mt-0.5 size-6 shrink-0 accent-evergreen"
      />
      <div className="text-sm">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {help && (
          <p id={helpId} className="mt-0.5 text-muted">
            {help}
          </p>
        )}
      </div>
    </div>
  );
}
