import type { SiteImage } from "../../config/site-schema.ts";
import { ImageField } from "../images/image-field.tsx";
import { Disclosure } from "../page-parts.tsx";
import {
  ChoiceControl,
  CountryControl,
  IconControl,
  PartsControl,
  Switch,
  TimeZoneControl,
} from "./choice-controls.tsx";
import { ColorControl } from "./color-control.tsx";
import { type FieldProps, idOf, useForm } from "./field-frame.tsx";
import {
  type AnyDocument,
  elementOf,
  type Field,
  fieldKindOf,
  fieldsOf,
  profileName,
  type Schema,
} from "./fields.ts";
import { SearchPreview } from "./preview.tsx";
import { OrderField, ProblemNote, RowsField, StarterNote } from "./rows-field.tsx";
import { ServicesField, SlugField } from "./services-field.tsx";
import { NumberControl, PhoneControl, TextControl } from "./text-control.tsx";

interface ObjectProps {
  /** The path; empty for the document itself. */
  path: string;
  value: unknown;
  onChange: (value: AnyDocument) => void;
}

export function FieldList({ fields, path, value, onChange }: ObjectProps & { fields: Field[] }) {
  const object: AnyDocument = Object(value);
  const { isUnread } = useForm();

  function change(name: string, part: unknown) {
    const named = fields.filter(
      (field) =>
        field.info.namedBy === name &&
        ["", profileName(String(object[name]))].includes(String(object[field.name])),
    );
    const names = named.map((field) => [field.name, profileName(String(part))]);
    onChange({ ...object, ...Object.fromEntries(names), [name]: part });
  }

  return fields.map(({ name, schema, info }) => (
    <div
      key={name}
      // Fields of a row are in columns.
      className={`relative empty:hidden ${fieldKindOf(schema, info) === "text" ? "sm:col-span-2" : ""}`}
    >
      {isUnread(path ? `${path}.${name}` : name) && (
        // At the end of the label's line, where there is room.
        <div className="sm:absolute sm:top-0 sm:right-0">
          <StarterNote />
        </div>
      )}
      <FieldControl
        schema={schema}
        info={info}
        path={path ? `${path}.${name}` : name}
        value={object[name]}
        onChange={(part) => change(name, part)}
      />
    </div>
  ));
}

function FieldControl(props: FieldProps) {
  const { schema, info, path, value, onChange } = props;
  const text = { ...props, value: String(value ?? "") };
  const list = { ...props, value: Array.isArray(value) ? value : [] };
  const parts = fieldsOf(schema);
  switch (fieldKindOf(schema, info)) {
    case "switch":
      return (
        <Switch
          id={idOf(path)}
          label={info.label}
          help={info.help}
          checked={value === true}
          onChange={onChange}
        />
      );
    case "choice":
      return <ChoiceControl {...props} />;
    case "number":
      return <NumberControl {...props} />;
    case "phone":
      return <PhoneControl {...props} />;
    case "color":
      return <ColorControl {...props} value={text.value || null} />;
    case "timeZone":
      return <TimeZoneControl {...text} />;
    case "country":
      return <CountryControl {...text} />;
    case "icon":
      return <IconControl {...props} />;
    case "parts":
      return <PartsControl {...list} />;
    case "order":
      return <OrderField {...list} />;
    case "services":
      return (
        <ServicesField {...props}>
          {(service) => <Parts {...service} schema={elementOf(schema)} />}
        </ServicesField>
      );
    case "slug":
      return <SlugField {...text} />;
    case "redirects":
      // Changes with the services.
      return null;
    case "group":
      return (
        <fieldset aria-label={info.label} className="min-w-0">
          {parts.every((part) => fieldKindOf(part.schema, part.info) === "number") ? (
            <div className="grid items-start gap-4 sm:grid-cols-3">
              <FieldList fields={parts} path={path} value={value} onChange={onChange} />
            </div>
          ) : (
            <Parts schema={schema} path={path} value={value} onChange={onChange} />
          )}
          <SearchPreview page={path} name={info.label} />
        </fieldset>
      );
    case "list":
      return (
        <RowsField {...list}>
          {({ name, ...entry }) => (
            <TextControl
              {...entry}
              schema={elementOf(schema)}
              info={{ label: name, help: "", kind: info.kind }}
              hideLabel
            />
          )}
        </RowsField>
      );
    case "rows":
      return (
        <RowsField {...list}>
          {({ name, ...row }) => (
            <fieldset
              aria-label={name}
              className={info.collapsible ? "space-y-4" : "grid gap-4 sm:grid-cols-2"}
            >
              <FieldList {...row} fields={fieldsOf(elementOf(schema))} />
            </fieldset>
          )}
        </RowsField>
      );
    case "image":
      return (
        <div id={idOf(path)} tabIndex={-1} className="outline-none">
          <ImageField
            label={info.label}
            help={info.help}
            // The value has the type that its schema requires (fields.ts).
            value={value as SiteImage | null}
            aspect={info.aspect}
            minWidth={info.minWidth}
            askAlt={info.askAlt}
            onChange={onChange}
          />
        </div>
      );
    default:
      return <TextControl {...props} />;
  }
}

interface Group {
  /** The heading; undefined for fields before the first one. */
  title?: string;
  fields: Field[];
}

export function groupsOf(fields: readonly Field[]): Group[] {
  const groups: Group[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    const { group } = field.info;
    if (last && (!group || group === last.title)) last.fields.push(field);
    else groups.push({ title: group, fields: [field] });
  }
  return groups;
}

export function Parts({ schema, ...object }: ObjectProps & { schema: Schema }) {
  return (
    <div className="space-y-5">
      {groupsOf(fieldsOf(schema)).map(({ title, fields }) =>
        title ? (
          <Disclosure
            key={title}
            title={title}
            note={describe(fields, object.value)}
            mark={<ProblemNote paths={fields.map(({ name }) => `${object.path}.${name}`)} />}
            className="mb-0 border-t border-line last:border-b"
          >
            <div className="space-y-5 pt-1 pb-6">
              <FieldList {...object} fields={fields} />
            </div>
          </Disclosure>
        ) : (
          <FieldList key="" {...object} fields={fields} />
        ),
      )}
    </div>
  );
}

/** A summary of a closed part, such as "3 sentences". */
function describe(fields: readonly Field[], value: unknown): string {
  const texts = fields.flatMap(({ name, schema, info }) => {
    const part = Object(value)[name];
    if (fieldKindOf(schema, info) === "group") return describe(fieldsOf(schema), part);
    if (info.choices) return info.choices[part] ?? [];
    if (!Array.isArray(part)) return [];
    const [noun = "", ...rest] = (info.entry ?? "").toLowerCase().split(" ");
    return [part.length, part.length === 1 ? noun : `${noun}s`, ...rest].join(" ");
  });
  return texts.join(", ");
}
