import { getCountries } from "libphonenumber-js/min";
import type { ReactNode } from "react";
import { serviceIcons } from "../../config/service-icons.ts";
import { Icon } from "../../ui/icon.ts";
import { Choice } from "../page-parts.tsx";
import { FieldFrame, FieldGroup, type FieldProps, idOf, useControl } from "./field-frame.tsx";

const usualZones: Readonly<Record<string, string>> = {
  "America/New_York": "Eastern",
  "America/Chicago": "Central",
  "America/Denver": "Mountain",
  "America/Phoenix": "Arizona",
  "America/Los_Angeles": "Pacific",
  "America/Anchorage": "Alaska",
  "Pacific/Honolulu": "Hawaii",
};

export function TimeZoneControl(props: FieldProps<string>) {
  const { value } = props;
  const others = Intl.supportedValuesOf("timeZone").filter((zone) => !usualZones[zone]);
  const isKnown = value in usualZones || others.includes(value);
  return (
    <Select {...props} note={<p>{timeIn(value)}</p>}>
      {!isKnown && <option value={value}>{value}</option>}
      <optgroup label="United States">
        {Object.entries(usualZones).map(([zone, name]) => (
          <option key={zone} value={zone}>
            {name}
          </option>
        ))}
      </optgroup>
      <optgroup label="Other time zones">
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

export function CountryControl(props: FieldProps<string>) {
  const { value } = props;
  const names = new Intl.DisplayNames("en-US", { type: "region" });
  const countries = getCountries()
    .map((code) => ({ code: String(code), name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  return (
    <Select {...props}>
      {!countries.some(({ code }) => code === value) && <option value={value}>{value}</option>}
      {countries.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function Select(props: FieldProps<string> & { note?: ReactNode; children: ReactNode }) {
  const { info, path, value, onChange, note, children } = props;
  const control = useControl(path);
  return (
    <FieldFrame path={path} label={info.label} help={info.help} note={note}>
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
          // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox must not have aria-checked.
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

export function ChoiceControl({ info, path, value, onChange }: FieldProps) {
  return (
    <FieldGroup info={info} path={path}>
      <div className="mt-2">
        {Object.entries(info.choices ?? {}).map(([choice, label]) => (
          <Choice
            key={choice}
            type="radio"
            name={idOf(path)}
            checked={choice === String(value)}
            onChange={() => onChange(typeof value === "boolean" ? choice === "true" : choice)}
          >
            {label}
          </Choice>
        ))}
      </div>
    </FieldGroup>
  );
}

/** Parts of a page that can be switched off. The value lists those that are. */
export function PartsControl({ info, path, value, onChange }: FieldProps<readonly unknown[]>) {
  const parts = Object.entries(info.choices ?? {});
  return (
    <FieldGroup info={info} path={path}>
      <div className="mt-2 grid gap-x-6 sm:grid-cols-2">
        {parts.map(([part, label]) => (
          <Switch
            key={part}
            id={`${idOf(path)}-${part}`}
            label={label}
            checked={!value.includes(part)}
            onChange={(shown) =>
              onChange(
                parts
                  .map(([name]) => name)
                  .filter((name) => (name === part ? !shown : value.includes(name))),
              )
            }
          />
        ))}
      </div>
    </FieldGroup>
  );
}

export function IconControl({ info, path, value, onChange }: FieldProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{info.label}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(5.75rem,1fr))] gap-2">
        {Object.entries(serviceIcons).map(([icon, { name, shape }]) => (
          <label
            key={icon}
            className="flex flex-col items-center justify-start gap-1 rounded-md border border-line px-1 py-2 text-center text-sm leading-tight hover:border-evergreen has-checked:border-evergreen has-checked:bg-sage has-checked:font-semibold has-focus-visible:outline-3 has-focus-visible:outline-clay has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={idOf(path)}
              value={icon}
              checked={icon === value}
              onChange={() => onChange(icon)}
              className="sr-only"
            />
            <Icon drawing={shape} strokeWidth={1.5} className="size-7 shrink-0 text-clay" />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
