import { getCountries } from "libphonenumber-js/min";
import type { ReactNode } from "react";
import type { PartsField, SpecialField } from "../field-types.ts";
import { FieldFrame, useControl } from "./field-frame.tsx";
import { idOf } from "./form-context.ts";

interface ChoiceProps {
  field: SpecialField;
  value: string;
  onChange: (value: string) => void;
}

const american = [
  ...["America/New_York", "America/Chicago", "America/Denver", "America/Phoenix"],
  ...["America/Los_Angeles", "America/Anchorage", "Pacific/Honolulu"],
];

export function TimeZoneControl({ field, value, onChange }: ChoiceProps) {
  const others = Intl.supportedValuesOf("timeZone").filter((zone) => !american.includes(zone));
  const isKnown = american.includes(value) || others.includes(value);
  return (
    <Select field={field} value={value} onChange={onChange} note={<p>{timeIn(value)}</p>}>
      {!isKnown && <option value={value}>{value}</option>}
      <optgroup label="United States">
        {american.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replace(/^.*\//, "").replaceAll("_", " ")}
          </option>
        ))}
      </optgroup>
      <optgroup label="All others">
        {others.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll("_", " ")}
          </option>
        ))}
      </optgroup>
    </Select>
  );
}

function timeIn(timeZone: string): string {
  try {
    const time = new Date().toLocaleTimeString("en-US", { timeZone, timeStyle: "short" });
    return `It is ${time} there now.`;
  } catch {
    return "";
  }
}

export function CountryControl({ field, value, onChange }: ChoiceProps) {
  const names = new Intl.DisplayNames("en-US", { type: "region" });
  const countries = getCountries()
    .map((code) => ({ code: String(code), name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  return (
    <Select field={field} value={value} onChange={onChange}>
      {!countries.some(({ code }) => code === value) && <option value={value}>{value}</option>}
      {countries.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function Select(props: ChoiceProps & { note?: ReactNode; children: ReactNode }) {
  const { field, value, onChange, note, children } = props;
  const control = useControl(field.name);
  return (
    <FieldFrame path={field.name} label={field.label} help={field.help} note={note}>
      <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
      </select>
    </FieldFrame>
  );
}

interface SwitchProps {
  id: string;
  label: string;
  help?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ id, label, help, checked, onChange }: SwitchProps) {
  return (
    <div>
      <label htmlFor={id} className="flex min-h-10 cursor-pointer items-center gap-3 font-semibold">
        <input
          id={id}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its state without aria-checked.
          role="switch"
          checked={checked}
          aria-describedby={help && `${id}-help`}
          onChange={(event) => onChange(event.target.checked)}
          className="peer relative h-6 w-11 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-sand transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-4.5 before:rounded-full before:bg-edge before:transition-transform checked:border-evergreen checked:bg-evergreen checked:before:translate-x-5 checked:before:bg-paper"
        />
        <span className="text-sm">{label}</span>
      </label>
      {help && (
        <p id={`${id}-help`} className="text-sm text-muted">
          {help}
        </p>
      )}
    </div>
  );
}

interface PartsControlProps {
  field: PartsField;
  /** The parts that are switched off. */
  value: readonly unknown[];
  onChange: (value: string[]) => void;
}

export function PartsControl({ field, value, onChange }: PartsControlProps) {
  const id = idOf(field.name);
  return (
    <fieldset aria-describedby={`${id}-help`}>
      <legend className="text-sm font-semibold">{field.label}</legend>
      <p id={`${id}-help`} className="text-sm text-muted">
        {field.help}
      </p>
      <div className="mt-2 grid gap-x-6 sm:grid-cols-2">
        {field.parts.map((part) => (
          <Switch
            key={part.value}
            id={`${id}-${part.value}`}
            label={part.label}
            checked={!value.includes(part.value)}
            onChange={(shown) =>
              onChange(
                field.parts
                  .map((other) => other.value)
                  .filter((name) => (name === part.value ? !shown : value.includes(name))),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
