// Turns a step's form into the document of its section, and checks it.
import { isPossiblePhoneNumber } from "libphonenumber-js/min";
import { sectionSchemas } from "../../config/site-schema.ts";
import { type FormErrors, fieldText } from "../../forms/use-form-submit.ts";
import type { Json } from "../../supabase/database.ts";
import type { Document } from "./setup-settings.ts";
import { type FieldsStepId, fieldsByStep, type StepField } from "./step-fields.ts";

/** The entered values in place of those of `base`, whose other fields stay. */
export function documentOfFields(step: FieldsStepId, base: Document, form: FormData): Document {
  const fields: readonly StepField[] = fieldsByStep[step];
  return { ...base, ...Object.fromEntries(fields.map((field) => [field.name, read(field, form)])) };
}

function read({ name, kind }: StepField, form: FormData): Json {
  if (kind === "switch") return form.has(name);
  const value = fieldText(form, name);
  // Browsers send line breaks as CRLF.
  if (kind === "text") return value.replace(/\r\n/g, "\n");
  return kind === "addresses" ? value.split(/[\s,;]+/).filter(Boolean) : value;
}

/** @returns the error of each invalid field */
export function errorsOfFields(step: FieldsStepId, document: Document): FormErrors {
  const fields: readonly StepField[] = fieldsByStep[step];
  const errors = errorsOf(step, document, (name) => fields.find((field) => field.name === name));
  const { phone, country } = document;
  if (step === "contact" && !errors.phone && phone && !isPhone(phone, country)) {
    errors.phone = fieldsByStep.contact[0].invalid;
  }
  return errors;
}

function isPhone(phone: Json, country: Json | undefined): boolean {
  if (typeof phone !== "string") return false;
  // The library ignores a country that it does not know.
  return isPossiblePhoneNumber(phone, { defaultCountry: country as "US" });
}

const licenseMessages: Record<string, string> = {
  state: "Please enter the state.",
  type: "Please enter the kind of license.",
  expires: "Please enter a date, or leave it empty.",
  npn: "Please enter only digits, at most 12.",
};

function errorsOf(
  section: FieldsStepId | "licenses",
  document: Document,
  fieldOf: (name: string) => { invalid?: string } | undefined,
): FormErrors {
  const { error } = sectionSchemas[section].safeParse(document);
  const errors: FormErrors = {};
  for (const issue of error?.issues ?? []) {
    const last = String(issue.path.findLast((part) => typeof part === "string"));
    const name = section === "licenses" ? issue.path.join(".") : String(issue.path[0]);
    errors[name] ??=
      issue.code === "too_big"
        ? `Please use at most ${issue.maximum} ${issue.origin === "array" ? "entries" : "characters"}.`
        : (fieldOf(last)?.invalid ?? "Please check this entry.");
  }
  return errors;
}

interface LicenseRow {
  /** In the names of the row's fields. Removed rows leave gaps. */
  index: string;
  license: { state: string; type: string; number: string; expires: string };
}

/** Rows without any text are left out. */
function rowsOf(form: FormData): LicenseRow[] {
  const indexes = [...form.keys()].flatMap(
    (key) => /^licenses\.(\d+)\.state$/.exec(key)?.[1] ?? [],
  );
  return indexes
    .map((index) => ({
      index,
      license: {
        state: fieldText(form, `licenses.${index}.state`),
        type: fieldText(form, `licenses.${index}.type`),
        number: fieldText(form, `licenses.${index}.number`),
        expires: fieldText(form, `licenses.${index}.expires`),
      },
    }))
    .filter(({ license }) => Object.values(license).some(Boolean));
}

export function documentOfLicenses(base: Document, form: FormData): Document {
  const licenses = rowsOf(form).map(({ license }) => license);
  return { ...base, licenses, npn: fieldText(form, "npn") };
}

/** @returns the error of each invalid field, by its name in the form, such as "licenses.0.state" */
export function errorsOfLicenses(base: Document, form: FormData): FormErrors {
  const document = documentOfLicenses(base, form);
  const found = errorsOf("licenses", document, (name) => ({ invalid: licenseMessages[name] }));
  const rows = rowsOf(form);
  return Object.fromEntries(
    Object.entries(found).map(([name, text]) => [
      // The position in the document becomes the index in the form.
      name.replace(/^licenses\.(\d+)/, (_, place) => `licenses.${rows[Number(place)]?.index}`),
      text,
    ]),
  );
}
