import { controlClass } from "../../ui/field.tsx";
import { idOf } from "./controls/form-context.ts";
import { useProblem } from "./service-problems.ts";

interface TextSettingProps {
  path: string;
  label: string;
  /** What the text is for and where it appears. */
  help?: string;
  /** For a row whose title is visible already. */
  hideLabel?: boolean;
  value: string;
  maxLength: number;
  /** For several lines: how many to show at first. */
  rows?: number;
  onChange: (value: string) => void;
}

/** A text of a service, with its help and its problem. */
export function TextSetting(props: TextSettingProps) {
  const { path, label, help, hideLabel = false, value, maxLength, rows, onChange } = props;
  const id = idOf(path);
  const problem = useProblem(path);
  const control = {
    id,
    value,
    maxLength,
    className: controlClass,
    "aria-invalid": problem ? true : undefined,
    "aria-describedby": `${id}-help ${id}-problem`,
  };
  return (
    <div>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-semibold"}>
        {label}
      </label>
      <p id={`${id}-help`} className="text-sm text-muted empty:hidden">
        {help}
      </p>
      {rows ? (
        <textarea
          {...control}
          rows={Math.max(rows, Math.min(14, Math.ceil(value.length / 70) + 1))}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input {...control} onChange={(event) => onChange(event.target.value)} />
      )}
      <p id={`${id}-problem`} className="mt-1 text-sm font-medium text-danger empty:hidden">
        {problem}
      </p>
    </div>
  );
}
