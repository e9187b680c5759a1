import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { z } from "zod";
import { buttonClass } from "../../ui/button.ts";
import { TextField } from "../../ui/field.tsx";
import { LabelText } from "./fields-step.tsx";
import { emptyDocument, type SetupSettings } from "./setup-settings.ts";
import { documentOfLicenses, errorsOfLicenses } from "./step-document.ts";
import { fieldId, type StepActions, StepForm } from "./step-form.tsx";

const storedText = z.string().catch("");
/** A draft may be incomplete. */
const storedSchema = z.object({
  licenses: z
    .array(
      z.object({ state: storedText, type: storedText, number: storedText, expires: storedText }),
    )
    .catch([]),
  npn: storedText,
});
const fields = [
  { name: "state", label: "State" },
  { name: "type", label: "Kind of license", help: "For example: Life and health." },
  { name: "number", label: "Number (optional)" },
  { name: "expires", label: "Expires (optional)" },
] as const;

/** A row per license, and the National Producer Number. */
export function LicensesStep({ settings, ...actions }: StepActions & { settings: SetupSettings }) {
  const draft = settings.drafts.get("licenses");
  const base = draft?.document ?? settings.published.get("licenses") ?? emptyDocument("licenses");
  const [stored] = useState(() => storedSchema.parse(base));
  const [rows, setRows] = useState(() => [...Array(Math.max(1, stored.licenses.length)).keys()]);
  // A new row never reuses the index of a removed one, whose stored values it would get.
  const nextRow = useRef(rows.length);
  const addButton = useRef<HTMLButtonElement>(null);
  const id = (name: string) => fieldId("licenses", name);

  function add() {
    const row = nextRow.current++;
    flushSync(() => setRows([...rows, row]));
    document.getElementById(id(`licenses.${row}.state`))?.focus();
  }

  function remove(row: number) {
    setRows(rows.filter((other) => other !== row));
    addButton.current?.focus();
  }

  function labelOf(name: string): string {
    if (name === "npn") return "National Producer Number";
    const [, row, fieldName] = name.split(".");
    const field = fields.find((candidate) => candidate.name === fieldName);
    return `License ${rows.indexOf(Number(row)) + 1}: ${field?.label ?? name}`;
  }

  return (
    <StepForm
      section="licenses"
      draft={draft}
      documentOf={(form) => documentOfLicenses(base, form)}
      validate={(form) => errorsOfLicenses(base, form)}
      labelOf={labelOf}
      {...actions}
    >
      {(errors) => (
        <>
          {rows.map((row, place) => (
            <fieldset key={row} className="rounded-lg border border-line bg-surface p-4 sm:p-5">
              <legend className="sr-only">License {place + 1}</legend>
              <div className="flex items-center justify-between gap-4">
                <p aria-hidden="true" className="font-semibold">
                  License {place + 1}
                </p>
                <button
                  type="button"
                  onClick={() => remove(row)}
                  className="min-h-11 px-2 text-sm text-danger underline underline-offset-4"
                >
                  Remove<span className="sr-only"> license {place + 1}</span>
                </button>
              </div>
              <div className="mt-2 grid gap-4 sm:grid-cols-2">
                {fields.map((field) => {
                  const name = `licenses.${row}.${field.name}`;
                  return (
                    <TextField
                      key={name}
                      id={id(name)}
                      name={name}
                      label={
                        <LabelText
                          label={field.label}
                          help={"help" in field ? field.help : undefined}
                        />
                      }
                      type={field.name === "expires" ? "date" : "text"}
                      defaultValue={stored.licenses[row]?.[field.name] ?? ""}
                      error={errors[name]}
                    />
                  );
                })}
              </div>
            </fieldset>
          ))}
          <button
            ref={addButton}
            type="button"
            onClick={add}
            className={buttonClass("secondary", "small")}
          >
            Add a license
          </button>
          <TextField
            id={id("npn")}
            name="npn"
            label={
              <LabelText
                label="National Producer Number (optional)"
                help="Only digits. Look it up at nipr.com."
              />
            }
            inputMode="numeric"
            defaultValue={stored.npn}
            error={errors.npn}
          />
        </>
      )}
    </StepForm>
  );
}
