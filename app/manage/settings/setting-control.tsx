import type { ReactNode } from "react";
import type { SiteImage } from "../../config/site-schema.ts";
import { ImageField } from "../images/image-field.tsx";
import {
  CountryControl,
  PartsControl,
  Switch,
  TimeZoneControl,
} from "./controls/choice-controls.tsx";
import { ColorControl } from "./controls/color-control.tsx";
import { idOf, useForm } from "./controls/form-context.ts";
import { PhoneControl } from "./controls/phone-control.tsx";
import { TextControl } from "./controls/text-control.tsx";
import type { Field, ListField, RowsSetting } from "./field-types.ts";
import { emptyEntry, limitAt } from "./fit-document.ts";
import { formatPath } from "./problems.ts";
import { RowsField } from "./rows-field.tsx";

interface SettingControlProps {
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** The control of one field. The services have an editor of their own (section-form.tsx). */
export function SettingControl({ field, value, onChange }: SettingControlProps) {
  switch (field.kind) {
    case "services":
      return null;
    case "switch":
      return (
        <Switch
          id={idOf(field.name)}
          label={field.label}
          help={field.help}
          checked={value === true}
          onChange={onChange}
        />
      );
    case "parts":
      return <PartsControl field={field} value={asList(value)} onChange={onChange} />;
    case "phone":
      return <PhoneControl field={field} value={asText(value)} onChange={onChange} />;
    case "color":
      return <ColorControl field={field} value={asText(value) || null} onChange={onChange} />;
    case "timeZone":
      return <TimeZoneControl field={field} value={asText(value)} onChange={onChange} />;
    case "country":
      return <CountryControl field={field} value={asText(value)} onChange={onChange} />;
    case "list":
      return <ListControl field={field} entries={asList(value)} onChange={onChange} />;
    case "rows":
      return <RowsControl field={field} rows={asList(value)} onChange={onChange} />;
    case "image":
      return (
        <div id={idOf(field.name)} tabIndex={-1} className="outline-none">
          <ImageField
            label={field.label}
            help={field.help}
            // The document has the shape of its schema (fit-document.ts).
            value={value as SiteImage | null}
            aspect={field.aspect}
            minWidth={field.minWidth}
            askAlt={field.askAlt}
            onChange={onChange}
          />
        </div>
      );
    default:
      return (
        <TextControl
          {...field}
          path={field.name}
          names={[field.name]}
          value={value}
          onChange={onChange}
        />
      );
  }
}

interface ListControlProps {
  field: ListField;
  entries: readonly unknown[];
  onChange: (entries: unknown[]) => void;
}

function ListControl({ field, entries, onChange }: ListControlProps) {
  return (
    <EntriesControl field={field} entries={entries} onChange={onChange}>
      {(entry, change, index) => (
        <TextControl
          kind={field.entryKind}
          path={formatPath([field.name, index])}
          names={[field.name, "*"]}
          label={`${field.entry} ${index + 1}`}
          help=""
          hideLabel
          value={entry}
          onChange={change}
        />
      )}
    </EntriesControl>
  );
}

interface RowsControlProps {
  field: RowsSetting;
  rows: readonly unknown[];
  onChange: (rows: unknown[]) => void;
}

function RowsControl({ field, rows, onChange }: RowsControlProps) {
  return (
    <EntriesControl field={field} entries={rows} onChange={onChange}>
      {(given, change, index) => {
        const row = asObject(given);
        return (
          <fieldset
            aria-label={`${field.entry} ${index + 1}`}
            className="grid gap-4 sm:grid-cols-2"
          >
            {field.fields.map((column) => (
              <div key={column.name} className={column.kind === "text" ? "sm:col-span-2" : ""}>
                <TextControl
                  {...column}
                  path={formatPath([field.name, index, column.name])}
                  names={[field.name, column.name]}
                  value={row[column.name]}
                  onChange={(text) => change({ ...row, [column.name]: text })}
                />
              </div>
            ))}
          </fieldset>
        );
      }}
    </EntriesControl>
  );
}

interface EntriesControlProps {
  field: ListField | RowsSetting;
  entries: readonly unknown[];
  onChange: (entries: unknown[]) => void;
  children: (entry: unknown, change: (entry: unknown) => void, index: number) => ReactNode;
}

function EntriesControl({ field, entries, onChange, children }: EntriesControlProps) {
  const { section, problemAt, visit } = useForm();
  const { name, label, help, entry } = field;
  return (
    <RowsField
      id={idOf(name)}
      label={label}
      help={help}
      addLabel={`Add ${entry.toLowerCase()}`}
      rows={entries}
      max={limitAt(section, [name])}
      problem={problemAt(name)}
      newRow={() => emptyEntry(section, name)}
      rowName={(_, index) => `${entry} ${index + 1}`}
      onChange={(next) => {
        onChange(next);
        if (next.length < entries.length) visit(name);
      }}
      renderRow={children}
    />
  );
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
