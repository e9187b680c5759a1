import { type ReactNode, useState } from "react";
import { findPhoneNumber } from "../../config/dial-url.ts";
import { formatNumber, parseTypedNumber } from "../../ui/slider-field.tsx";
import { FieldFrame, type FieldProps, useControl, useForm } from "./field-frame.tsx";
import { accepts, completeAddress, type FieldKind, fieldKindOf, limitOf } from "./fields.ts";

const inputs: Partial<Record<FieldKind, object>> = {
  email: { type: "email", inputMode: "email", autoCapitalize: "off", spellCheck: false },
  link: { type: "url", inputMode: "url", autoCapitalize: "off", spellCheck: false },
  date: { type: "date" },
  digits: { type: "text", inputMode: "numeric" },
  phone: { type: "tel", inputMode: "tel", autoComplete: "tel" },
};

interface TextControlProps extends FieldProps {
  note?: ReactNode;
  /** For an entry of a list, which has a visible title already. */
  hideLabel?: boolean;
}

export function TextControl(props: TextControlProps) {
  const { schema, info, path, value, onChange, note, hideLabel } = props;
  const control = useControl(path);
  const kind = fieldKindOf(schema, info);
  const text = typeof value === "string" ? value : "";
  const limit = limitOf(schema);
  return (
    <FieldFrame
      path={path}
      label={info.label}
      help={info.help}
      note={note}
      optional={!hideLabel && accepts(schema, "")}
      hideLabel={hideLabel}
      length={limit ? { current: text.length, limit } : undefined}
    >
      {kind === "text" ? (
        <textarea
          {...control}
          rows={Math.min(12, Math.max(3, Math.ceil(text.length / 60) + 1))}
          value={text}
          onChange={({ target }) =>
            // Some texts are stored as one line but shown in several.
            onChange(
              accepts(schema, "a\nb") ? target.value : target.value.replace(/\s*\n\s*/g, " "),
            )
          }
        />
      ) : (
        <input
          {...control}
          type="text"
          {...inputs[kind]}
          {...(info.autoComplete ? { autoComplete: info.autoComplete } : {})}
          value={text}
          onChange={({ target }) => onChange(target.value)}
          onBlur={() => {
            const completed = kind === "link" ? completeAddress(text) : text;
            if (completed !== text) onChange(completed);
            control.onBlur();
          }}
        />
      )}
    </FieldFrame>
  );
}

/** An amount or a rate, with thousands separators like the sliders that it is for. */
export function NumberControl({ info, path, value, onChange }: FieldProps) {
  const control = useControl(path);
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <FieldFrame path={path} label={info.label} help={info.help}>
      <input
        {...control}
        // type="number" would reject "75,000" and "US$".
        type="text"
        inputMode="decimal"
        autoComplete="off"
        value={typed ?? (Number.isFinite(value) ? formatNumber(Number(value)) : "")}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(parseTypedNumber(target.value) ?? Number.NaN);
        }}
        onBlur={() => {
          // What is no number stays, so that the message beside it makes sense.
          if (Number.isFinite(value)) setTyped(null);
          control.onBlur();
        }}
      />
    </FieldFrame>
  );
}

export function PhoneControl(props: FieldProps) {
  const { document } = useForm();
  const number = findPhoneNumber(String(props.value), String(document.country));
  return (
    <TextControl
      {...props}
      note={number && <p>{`Phones will dial ${number.formatInternational()}`}</p>}
    />
  );
}
