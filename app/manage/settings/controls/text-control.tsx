import type { ReactNode } from "react";
import type { TextField } from "../field-types.ts";
import { isRequired, limitAt } from "../fit-document.ts";
import { FieldFrame, useControl } from "./field-frame.tsx";
import { useForm } from "./form-context.ts";

const inputs = {
  line: { type: "text" },
  email: { type: "email", inputMode: "email", autoCapitalize: "off", spellCheck: false },
  link: { type: "url", inputMode: "url", autoCapitalize: "off", spellCheck: false },
  date: { type: "date" },
  digits: { type: "text", inputMode: "numeric" },
  phone: { type: "tel", inputMode: "tel", autoComplete: "tel" },
} as const;

interface TextControlProps {
  kind: TextField["kind"] | "phone";
  path: string;
  /** Leads to the rules of the schema: ["socials", "url"]. */
  names: readonly string[];
  label: ReactNode;
  help: string;
  note?: ReactNode;
  autoComplete?: string;
  hideLabel?: boolean;
  value: unknown;
  onChange: (value: string) => void;
}

/** A line or several lines of text. */
export function TextControl(props: TextControlProps) {
  const { kind, path, names, label, help, note, autoComplete, hideLabel, value, onChange } = props;
  const { section } = useForm();
  const control = useControl(path);
  const text = typeof value === "string" ? value : "";
  const limit = limitAt(section, names);
  const needsCount = limit !== null && kind !== "date" && kind !== "digits";
  return (
    <FieldFrame
      path={path}
      label={label}
      help={help}
      note={note}
      optional={!hideLabel && !isRequired(section, names)}
      hideLabel={hideLabel}
      length={needsCount ? { current: text.length, limit } : undefined}
    >
      {kind === "text" ? (
        <textarea
          {...control}
          rows={Math.min(12, Math.max(3, Math.ceil(text.length / 60) + 1))}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          {...control}
          {...inputs[kind]}
          {...(autoComplete ? { autoComplete } : {})}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  );
}
